/** The OpenAPI description of the interface of `ralph serve`, made from its types. */
export function openApi(): {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

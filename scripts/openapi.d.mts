/** The OpenAPI description of what `ralph serve` answers, made from its types. */
export function openApi(): {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

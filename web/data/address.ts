/** URLs of the HTTP interface, with the type of each response. */
import type { Routes } from '../../src/view/index.ts';

export type Answers = { readonly [K in keyof Routes as K extends `GET ${infer P}` ? P : never]: Routes[K] };

/** A path below `/api/v1`, with the type of its response. */
export interface Address<T> {
  readonly path: string;
  readonly answers?: T;
}

export function address<P extends keyof Answers>(
  template: P,
  parts: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, string | number>> = {},
): Address<Answers[P]> {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parts[name])));
  const words = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  return { path: words === '' ? path : `${path}?${words}` };
}

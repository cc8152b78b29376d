/** Secrets in a process's environment: the values of variables whose names say so. */
import { findForms, withoutSecrets } from './secret-forms.ts';

/** Matches names of variables that contain a secret. */
export const SECRET_NAME =
  /token|secret|passw|passphrase|credential|api_?key|private_?key|access_?key|_auth(?![a-z])|_pat$|dsn$|database_url|cookie|webhook/i;

export interface KnownSecret {
  readonly name: string;
  /** In one of the forms in which it may be printed. */
  readonly value: string;
}

/** Shorter values are words that occur in any text. */
const SHORTEST = 8;
const LONGEST = 4096;

/** Paths and numbers are settings. Plain words occur in any text, and hiding them in a stream of events would break it. */
const HARMLESS = /^(?:[~.]?\/.*|[\d.,:]+|[a-z]{1,20}(?:[-_. ][a-z]{1,20}){0,2})$/i;

export function secretValues(env: Readonly<Record<string, string | undefined>>): readonly KnownSecret[] {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (!value || !SECRET_NAME.test(name)) continue;
    // A key of several lines may also be printed line by line.
    for (const line of [value, ...(value.includes('\n') ? value.split('\n') : [])]) {
      const text = line.trim();
      if (text.length < SHORTEST || text.length > LONGEST || HARMLESS.test(text)) continue;
      for (const form of [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(wellFormed(text))])
        found.set(form, name);
    }
  }
  // Longest first, so that a secret that is part of another does not hide only half of it.
  return [...found].map(([value, name]) => ({ name, value })).toSorted((a, b) => b.value.length - a.value.length);
}

/** Replaces lone surrogates, on which `encodeURIComponent` throws. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** Replaces each value by the name of its variable, and removes everything in the form of a key. */
export function hideSecrets(text: string, known: readonly KnownSecret[]): string {
  let clean = text;
  for (const { name, value } of known) {
    if (clean.includes(value)) clean = clean.replaceAll(value, () => `[${name} hidden]`);
  }
  const forms = findForms(clean);
  return forms.length === 0 ? clean : withoutSecrets(clean, forms);
}

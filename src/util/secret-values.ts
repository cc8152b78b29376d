/** Secrets that a process is given in its environment: what is in a variable whose name says so. */
import { findForms, withoutSecrets } from './secret-forms.ts';

/** A name that says it holds a secret. */
export const SECRET_NAME =
  /token|secret|passw|passphrase|credential|api_?key|private_?key|access_?key|_auth(?![a-z])|_pat$|dsn$|database_url|cookie|webhook/i;

export interface KnownSecret {
  readonly name: string;
  /** In the ways in which it is printed. */
  readonly value: string;
}

/** Shorter ones are words that stand in any text. */
const SHORTEST = 8;
const LONGEST = 4096;

/** Paths and numbers are settings. Plain words stand in any text: hidden in a stream of events, they would break it. */
const HARMLESS = /^(?:[~.]?\/.*|[\d.,:]+|[a-z]{1,20}(?:[-_. ][a-z]{1,20}){0,2})$/i;

export function secretValues(env: Readonly<Record<string, string | undefined>>): readonly KnownSecret[] {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (!value || !SECRET_NAME.test(name)) continue;
    // A key of several lines is printed line by line, too.
    for (const line of [value, ...(value.includes('\n') ? value.split('\n') : [])]) {
      const text = line.trim();
      if (text.length < SHORTEST || text.length > LONGEST || HARMLESS.test(text)) continue;
      for (const form of [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(wellFormed(text))])
        found.set(form, name);
    }
  }
  // The longest first, so that one which is a part of another does not hide half of it.
  return [...found].map(([value, name]) => ({ name, value })).toSorted((a, b) => b.value.length - a.value.length);
}

/** Half of a character, which no address can hold, becomes a sign that it was there. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** The text with the name of its variable in the place of each, and without what has the form of a key. */
export function hideSecrets(text: string, known: readonly KnownSecret[]): string {
  let clean = text;
  for (const { name, value } of known) {
    if (clean.includes(value)) clean = clean.replaceAll(value, () => `[${name} hidden]`);
  }
  const forms = findForms(clean);
  return forms.length === 0 ? clean : withoutSecrets(clean, forms);
}

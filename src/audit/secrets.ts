/** Finds secrets in text, by the formats of providers and by telling names; their values are never repeated. */

import {
  entropy,
  findForms,
  inOrder,
  isPlaceholder,
  type Secret,
  SIGNS,
  withoutSecrets,
} from '../util/secret-forms.ts';

/** A cheap test: each name below contains one of these words. */
const NAMES = /secret|token|key|passw|passphrase|bearer/i;

/** Whether a closer look is needed. */
export const mayHoldSecrets = (text: string): boolean => text.includes('://') || NAMES.test(text) || SIGNS.test(text);

/** `postgres://user:password@host`, if the host is not this machine. */
const URL_PASSWORD =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"`<>{}$]{1,80}:([^\s@/'"`<>{}$]{6,120})@([^\s/'"`:<>]{1,120})/gi;
/** A cheap test for such an address; it starts with a part that is found fast. */
const MAY_BE_URL_PASSWORD = /:\/\/[^\s:/@'"`<>{}$]{1,80}:[^\s@/'"`<>{}$]{6,120}@/;
const NAMED =
  /(?:api[_-]?key|apikey|secret(?:[_-]?(?:key|access[_-]?key))?|access[_-]?key(?:[_-]?id)?|auth[_-]?token|access[_-]?token|refresh[_-]?token|bearer|client[_-]?secret|private[_-]?key|encryption[_-]?key|signing[_-]?key|passw(?:or)?d|passphrase|token)["']?\s*(?::=|=>|[:=])\s*(["'`])([^"'`\s]{12,200})\1/gi;
const UNQUOTED =
  /^[^\S\n]*(?:export\s+)?[A-Z0-9_]*(?:SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PASSWORD|PASSWD|PRIVATE_?KEY)[A-Z0-9_]*\s*=\s*([^\s"'`#$<{(]{16,200})\s*$/gm;
/** In settings files values need no quotes. */
const SETTING =
  /^[ \t]*[\w.-]*(?:secret|token|api[_-]?key|access[_-]?key|passw(?:or)?d|private[_-]?key)[ \t]*[:=][ \t]*([^\s"'`#$<{(]{12,200})[ \t]*$/gim;
const AWS_SECRET = /aws[\w.-]{0,20}secret[\w.-]{0,20}["']?\s*[:=]\s*["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi;

/** All secrets, in order and without overlaps. */
export function findSecrets(
  text: string,
  { names, settings = false }: { readonly names: boolean; readonly settings?: boolean },
): readonly Secret[] {
  const found: Secret[] = [...findForms(text)];
  for (const match of MAY_BE_URL_PASSWORD.test(text) ? text.matchAll(URL_PASSWORD) : []) {
    const [whole, password = '', host = ''] = match;
    if (
      isPlaceholder(password) ||
      /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1\]|(?:host|db|database|postgres|mysql|redis|mongo|mongodb|rabbitmq|server)|(?:\w+\.)*example(?:\.\w+)?|(?:\w+\.)*(?:test|invalid|localhost))$/i.test(
        host,
      )
    )
      continue;
    if (/^(?:postgres|password|pass|root|admin|user|guest|secret|mysql|redis)\w{0,3}$/i.test(password)) continue;
    const start = match.index + whole.lastIndexOf(`:${password}@`) + 1;
    found.push({ what: 'a password in an address', start, end: start + password.length });
  }
  const isNamed = NAMES.test(text);
  for (const match of isNamed ? text.matchAll(AWS_SECRET) : []) push(match, match[1] ?? '', 'an AWS secret key', 4);
  if (names && isNamed) {
    for (const match of text.matchAll(NAMED)) push(match, match[2] ?? '', 'a secret by its name', 3.5);
    for (const match of settings ? text.matchAll(SETTING) : [])
      push(match, match[1] ?? '', 'a secret by its name', 3.5);
    for (const match of text.matchAll(UNQUOTED)) push(match, match[1] ?? '', 'a secret by its name', 3.5);
  }
  return inOrder(found);

  function push(match: RegExpMatchArray, value: string, what: string, least: number): void {
    if (isPlaceholder(value) || !looksRandom(value) || entropy(value) < least) return;
    const start = (match.index ?? 0) + match[0].lastIndexOf(value);
    found.push({ what, start, end: start + value.length });
  }
}

/** Replaces every secret value in a text; its kind stays visible. */
export const redact = (text: string): string =>
  text === '' ? text : withoutSecrets(text, findSecrets(text, { names: true }));

/** Words, paths and identifiers have high entropy too; a random value mixes kinds of characters. */
function looksRandom(value: string): boolean {
  if (/[\s(){}[\];,]|^[./@#]|::|->|\w\.\w+\(|^\w+(?:\.\w+)+$/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter(kind => kind.test(value)).length;
  if (kinds >= 3) return /\d/.test(value);
  return (
    kinds === 2 && /\d/.test(value) && !/^[a-z]+[-_]?\d{1,4}$/i.test(value) && (value.match(/\d/g)?.length ?? 0) >= 4
  );
}

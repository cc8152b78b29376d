/**
 * Removes secrets from a process's output: the values of variables it was given, and anything in the form of a key. Applied before output
 * is stored, shown or parsed, and across chunk boundaries.
 */
import { hideSecrets, type KnownSecret } from '../util/secret-values.ts';

export interface Mask {
  /** Returns what can be passed on now; a possible start of a secret is held back. */
  write(chunk: Buffer): Buffer;
  /** Returns what was held back, at the end. */
  end(): Buffer;
}

/** The longest key without a space or a quote in it. */
const WORD = 4096;
/** The longest private key, from its first line to its last. */
const KEY = 8192;
const KEY_END = /-----END [A-Z ]{0,30}-----/;
/** Characters that no key contains. */
const BETWEEN = ' \t\r\n"\'`<>(){}[],;';
const nothing = Buffer.alloc(0);

export function maskOf(known: readonly KnownSecret[]): Mask {
  const values = known.map(({ name, value }) => ({ name, value: Buffer.from(value).toString('latin1') }));
  let held: Buffer = nothing;
  const pass = (text: string): Buffer => Buffer.from(hideSecrets(text, values), 'latin1');
  return {
    write(chunk) {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      // latin1: one character per byte, whatever the encoding.
      const text = bytes.toString('latin1');
      const cut = safeEnd(text, values);
      held = cut < text.length ? Buffer.from(bytes.subarray(cut)) : nothing;
      if (cut === 0) return nothing;
      const ready = text.slice(0, cut);
      const clean = hideSecrets(ready, values);
      return clean === ready ? bytes.subarray(0, cut) : Buffer.from(clean, 'latin1');
    },
    end() {
      const rest = pass(held.toString('latin1'));
      held = nothing;
      return rest;
    },
  };
}

/** The position up to which no secret can continue in the next chunk. */
function safeEnd(text: string, values: readonly KnownSecret[]): number {
  const least = Math.max(0, text.length - WORD);
  let end = text.length;
  while (end > least && !BETWEEN.includes(text.charAt(end - 1))) end -= 1;
  // The token follows after this space.
  if (text.endsWith('Bearer ', end)) end -= 'Bearer '.length;
  const key = text.lastIndexOf('-----B', end + 'BEGIN'.length);
  if (key >= 0 && text.length - key < KEY) {
    const last = KEY_END.exec(text.slice(key));
    if (!last || end < key + last.index + last[0].length) end = Math.min(end, key);
  }
  for (const { value } of values) end = Math.min(end, startOfPart(text, value));
  return end;
}

/** The position where a value starts whose rest may still come; the end of the text if there is none. */
function startOfPart(text: string, value: string): number {
  for (let at = Math.max(0, text.length - value.length + 1); at < text.length; at++) {
    at = text.indexOf(value.charAt(0), at);
    if (at < 0) return text.length;
    if (value.startsWith(text.slice(at))) return at;
  }
  return text.length;
}

/**
 * What a process prints, without secrets: the values of variables that it was given, and what has the form of a key. Before
 * anything is written, shown or read, and across the borders of chunks.
 */
import { hideSecrets, type KnownSecret } from '../util/secret-values.ts';

export interface Mask {
  /** What can be passed on now; the beginning of what may be a secret is held back. */
  write(chunk: Buffer): Buffer;
  /** What was held back, at the end. */
  end(): Buffer;
}

/** No key is longer without a space or a quote in it. */
const WORD = 4096;
/** From the first line of a private key to its last. */
const KEY = 8192;
const KEY_END = /-----END [A-Z ]{0,30}-----/;
/** What no key has in it. */
const BETWEEN = ' \t\r\n"\'`<>(){}[],;';
const nothing = Buffer.alloc(0);

export function maskOf(known: readonly KnownSecret[]): Mask {
  const values = known.map(({ name, value }) => ({ name, value: Buffer.from(value).toString('latin1') }));
  let held: Buffer = nothing;
  const pass = (text: string): Buffer => Buffer.from(hideSecrets(text, values), 'latin1');
  return {
    write(chunk) {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      // One character for each byte, whatever the bytes mean.
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

/** Up to where no secret can go on in what comes next. */
function safeEnd(text: string, values: readonly KnownSecret[]): number {
  const least = Math.max(0, text.length - WORD);
  let end = text.length;
  while (end > least && !BETWEEN.includes(text.charAt(end - 1))) end -= 1;
  // A token comes after a space here.
  if (text.endsWith('Bearer ', end)) end -= 'Bearer '.length;
  const key = text.lastIndexOf('-----B', end + 'BEGIN'.length);
  if (key >= 0 && text.length - key < KEY) {
    const last = KEY_END.exec(text.slice(key));
    if (!last || end < key + last.index + last[0].length) end = Math.min(end, key);
  }
  for (const { value } of values) end = Math.min(end, startOfPart(text, value));
  return end;
}

/** Where a value begins whose rest may still come: at the end of the text where it does not. */
function startOfPart(text: string, value: string): number {
  for (let at = Math.max(0, text.length - value.length + 1); at < text.length; at++) {
    at = text.indexOf(value.charAt(0), at);
    if (at < 0) return text.length;
    if (value.startsWith(text.slice(at))) return at;
  }
  return text.length;
}

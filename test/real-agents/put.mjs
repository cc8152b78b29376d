import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A settings file of a program: lines of text, or a value as JSON. */
export function put(file, what) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Array.isArray(what) ? `${what.join('\n')}\n` : JSON.stringify(what));
}

/** Reads a text file named on the command line, or says why it cannot be read. */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { namesIn, readBytes } from '../util/files.ts';
import { fail, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { type Decoded, decode } from '../util/text.ts';

export function readNamed(cwd: string, file: string): Result<Decoded> {
  const path = resolve(cwd, file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    return fail({ reason: 'not-a-file', message: 'this is a folder', file, hint: 'Name a file in it.' });
  }
  const bytes = found ? readBytes(path) : undefined;
  if (bytes) return decode(bytes, file);
  if (found) {
    return fail({ reason: 'unreadable', message: 'the file cannot be read', file, hint: 'Check its permissions.' });
  }
  const near = nearest(basename(path), namesIn(dirname(path)).toSorted());
  const hint = near === undefined ? 'Name a Markdown or text file.' : `Did you mean ${join(dirname(file), near)}?`;
  return fail({ reason: 'not-found', message: 'there is no such file', file, hint });
}

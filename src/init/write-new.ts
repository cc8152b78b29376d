/** Writing that never takes anything away: a file that is there is kept. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBytes, writeAtomic } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { decode, encode } from '../util/text.ts';

export interface Written {
  readonly path: string;
  readonly outcome: 'new' | 'kept' | 'changed';
}

/** Writes each file that is not there yet. */
export function writeNew(root: string, files: Readonly<Record<string, string>>): Result<readonly Written[]> {
  const written: Written[] = [];
  for (const [path, text] of Object.entries(files)) {
    try {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text, { flag: 'wx' });
      written.push({ path, outcome: 'new' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return fail(notWritten(path, error));
      written.push({ path, outcome: 'kept' });
    }
  }
  return ok(written);
}

/** Adds what is missing to the .gitignore at the root. */
export function ignore(root: string, lines: readonly string[]): Result<Written> {
  const path = '.gitignore';
  const bytes = readBytes(join(root, path));
  const read = decode(bytes ?? Buffer.alloc(0), path);
  if (!read.ok) return read;
  const text = withIgnored(read.value.text, lines);
  if (text === read.value.text) return ok({ path, outcome: 'kept' });
  try {
    writeAtomic(join(root, path), encode({ ...read.value, text }));
  } catch (error) {
    return fail(notWritten(path, error));
  }
  return ok({ path, outcome: bytes === undefined ? 'new' : 'changed' });
}

const notWritten = (file: string, error: unknown): Failure => ({
  reason: 'not-written',
  message: `it could not be written: ${(error as Error).message}`,
  file,
});

/** Adds lines to a .gitignore; what is there stays as it is, and a line that is there is not added again. */
function withIgnored(text: string, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const known = new Set(text.split(/\r?\n/).map(bare));
  const missing = lines.filter(line => !known.has(bare(line)));
  if (missing.length === 0) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}${missing.map(line => `${line}${eol}`).join('')}`;
}

/** `/.ralph`, `.ralph/` and `.ralph` ignore the same folder at the top. */
const bare = (line: string): string => line.trim().replace(/^\/|\/$/g, '');

/** Reading files that somebody may have replaced: by a pipe that never ends, a device, a folder, a link. Nothing here waits. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, rmSync, type Stats, statSync } from 'node:fs';
import type { Failure } from './result.ts';
import { quoted } from './shell-word.ts';

/** No file that is read as a whole is larger. */
const MAX_BYTES = 256 * 1024 * 1024;
// A pipe without a writer is opened at once and found out; a terminal does not become ours.
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Why something is not read: it is not there, it is another kind of thing, or the system refuses. */
export type Unread = 'missing' | 'other-kind' | 'too-large' | 'refused';

/** An open regular file; the caller closes it. */
export function openRegular(path: string): { readonly fd: number; readonly size: number } | Unread {
  let fd: number;
  try {
    fd = openSync(path, READ);
  } catch (error) {
    return whyNot((error as NodeJS.ErrnoException).code);
  }
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, size: stat.size };
  closeSync(fd);
  return 'other-kind';
}

/** The bytes of a regular file, or why there are none. */
export function readWhole(path: string, max = MAX_BYTES): Buffer | Unread {
  const opened = openRegular(path);
  if (typeof opened === 'string') return opened;
  const { fd, size } = opened;
  try {
    if (size > max) return 'too-large';
    const bytes = Buffer.allocUnsafe(size);
    let at = 0;
    for (let read = -1; read !== 0 && at < size; at += read) read = readSync(fd, bytes, at, size - at, at);
    return at === size ? bytes : bytes.subarray(0, at);
  } catch {
    return 'refused';
  } finally {
    closeSync(fd);
  }
}

function whyNot(code: string | undefined): Unread {
  switch (code) {
    case 'ENOENT':
      return 'missing';
    // A socket cannot be opened, a link may lead in a circle, and what should be a folder on the way may be none.
    case 'ENXIO':
    case 'ELOOP':
    case 'ENOTDIR':
      return 'other-kind';
    default:
      return 'refused';
  }
}

/** What something is, in words. */
export function kindName(stat: Stats): string {
  if (stat.isFile()) return 'a file';
  if (stat.isDirectory()) return 'a folder';
  if (stat.isSymbolicLink()) return 'a link';
  if (stat.isFIFO()) return 'a named pipe';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

export type Wanted = 'file' | 'folder';

/** Where a person may have put a link of their own, it is followed; the runner's own things are never links. */
export type Links = 'followed' | 'refused';

/** What stands at a path instead of what is wanted there; undefined where it is right or nothing is there. */
export function otherKind(path: string, wanted: Wanted, links: Links = 'refused'): string | undefined {
  const stat = look(path, links);
  if (!stat) return undefined;
  return (wanted === 'file' ? stat.isFile() : stat.isDirectory()) ? undefined : kindName(stat);
}

function look(path: string, links: Links): Stats | undefined {
  try {
    return links === 'followed' ? statSync(path) : lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Says what is there, what should be, and how to continue. `file` is the path as the person may type it. */
export const wrongKind = (file: string, found: string, wanted: Wanted): Failure => ({
  reason: 'wrong-kind',
  message: `this is ${found}, not a ${wanted}`,
  file,
  hint: `Look at it with: ls -ld ${quoted(file)}  Then move it away: mv ${quoted(file)} ${quoted(`${file.replace(/\/+$/, '')}.aside`)}`,
});

/** Takes away what is not of the wanted kind, itself and not what it points to; says what it was. */
export function clearWrongKind(path: string, wanted: Wanted): string | undefined {
  const found = otherKind(path, wanted);
  if (found !== undefined && found !== 'a device') rmSync(path, { recursive: true, force: true });
  return found;
}

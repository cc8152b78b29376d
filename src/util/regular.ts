/** Reads files that another program may have replaced by a pipe that never ends, a device, a folder or a link. Nothing here blocks. */

import { closeSync, constants, fstatSync, openSync, readSync, rmSync, type Stats, statSync } from 'node:fs';
import { attempt, type Failure } from './result.ts';
import { quoted } from './shell-word.ts';
import { lookAt } from './version.ts';

/** The limit for files that are read as a whole. */
const MAX_BYTES = 256 * 1024 * 1024;
// A pipe without a writer opens at once and is detected; a terminal does not become the controlling one.
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Why something is not read: it is missing, it is of another kind, it is too large, or the system refuses. */
export type Unread = 'missing' | 'other-kind' | 'too-large' | 'refused';

/** Opens a regular file; the caller closes it. */
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
    // A socket cannot be opened, a link may be circular, and a parent may not be a folder.
    case 'ENXIO':
    case 'ELOOP':
    case 'ENOTDIR':
      return 'other-kind';
    default:
      return 'refused';
  }
}

/** The kind of an entry, in words. */
export function kindName(stat: Stats): string {
  if (stat.isFile()) return 'a file';
  if (stat.isDirectory()) return 'a folder';
  if (stat.isSymbolicLink()) return 'a link';
  if (stat.isFIFO()) return 'a named pipe';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

export type Wanted = 'file' | 'folder';

/** Links are followed where a person may have made one; the runner's own files are never links. */
export type Links = 'followed' | 'refused';

/** The kind of entry at a path if it is not the wanted kind; undefined if it is, or if nothing is there. */
export function otherKind(path: string, wanted: Wanted, links: Links = 'refused'): string | undefined {
  const stat = links === 'followed' ? attempt(() => statSync(path)) : lookAt(path);
  if (!stat) return undefined;
  return (wanted === 'file' ? stat.isFile() : stat.isDirectory()) ? undefined : kindName(stat);
}

/** Says what is there, what should be there, and what to do. `file` is the path in the form that a person may type. */
export const wrongKind = (file: string, found: string, wanted: Wanted): Failure => ({
  reason: 'wrong-kind',
  message: `this is ${found}, not a ${wanted}`,
  file,
  hint: `Look at it with: ls -ld ${quoted(file)}  Then move it away: mv ${quoted(file)} ${quoted(`${file.replace(/\/+$/, '')}.aside`)}`,
});

/** Removes an entry that is not of the wanted kind, but not its target; returns what it was. */
export function clearWrongKind(path: string, wanted: Wanted): string | undefined {
  const found = otherKind(path, wanted);
  if (found !== undefined && found !== 'a device') rmSync(path, { recursive: true, force: true });
  return found;
}

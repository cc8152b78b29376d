/** Records single files and links, compares them, and restores them or moves them away. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { lookAt, lookAtExactly } from '../util/version.ts';

export type Content = { readonly bytes: Buffer; readonly mode: number } | { readonly link: string };

/** Of larger files only the state is known; if one changes, gates run without it. */
const FILE_BYTES = 256 * 1024;

export function contentOf(file: string): Content | undefined {
  const stat = lookAt(file);
  try {
    if (stat?.isSymbolicLink()) return { link: readlinkSync(file) };
    if (stat?.isFile() && stat.size <= FILE_BYTES) return { bytes: readFileSync(file), mode: stat.mode & 0o777 };
  } catch {
    // A file that cannot be read counts as changed.
  }
  return undefined;
}

export function sameContent(a: Content, b: Content | undefined): boolean {
  if (!b) return false;
  if ('link' in a) return 'link' in b && a.link === b.link;
  return 'bytes' in b && a.mode === b.mode && a.bytes.equals(b.bytes);
}

function write(file: string, content: Content): void {
  mkdirSync(dirname(file), { recursive: true });
  if ('link' in content) return symlinkSync(content.link, file);
  writeFileSync(file, content.bytes, { flag: 'wx' });
  chmodSync(file, content.mode);
}

/** If the change put something else at this path, gates run without the file. */
export function writeIfFree(file: string, content: Content): void {
  try {
    write(file, content);
  } catch {
    // A parent folder is a file now.
  }
}

/** For people only, so a failed copy is ignored. */
export function keepAside(file: string, to: string): void {
  try {
    const stat = lookAt(file);
    mkdirSync(dirname(to), { recursive: true });
    if (movedTo(file, to)) return;
    if (stat?.isSymbolicLink()) symlinkSync(readlinkSync(file), to);
    else if (stat?.isFile()) copyFileSync(file, to);
    else if (stat?.isDirectory()) for (const name of namesIn(file)) keepAside(join(file, name), join(to, name));
  } catch {
    // The file is gone, or the copy of another attempt is already there.
  }
}

export function removeQuietly(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true });
  } catch {
    // A parent folder is not a folder any more.
  }
}

/** Returns false if the target is on another disk. */
function movedTo(file: string, to: string): boolean {
  try {
    if (lookAt(to)) return false;
    renameSync(file, to);
    return true;
  } catch {
    return false;
  }
}

export const stateChangedAt = (file: string): bigint => lookAtExactly(file)?.ctimeNs ?? 0n;

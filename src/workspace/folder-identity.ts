/** Which folder stands under a path. Its number alone does not say: the next folder may be given it as soon as it is free. */
import { lookAtExactly } from '../util/version.ts';

export interface FolderIdentity {
  readonly number: bigint;
  readonly born: bigint;
  /** Where a file system does not keep the birth, the time of the last change stands in its place. */
  readonly knowsBirth: boolean;
}

/** Undefined for what is no folder. */
export function folderIdentity(path: string): FolderIdentity | undefined {
  const stat = lookAtExactly(path);
  if (!stat?.isDirectory()) return undefined;
  const born = stat.birthtimeNs;
  return { number: stat.ino, born, knowsBirth: born > 0n && born < stat.ctimeNs };
}

/** Whether what is there now is the folder that was looked at before. */
export const isSameFolder = (was: FolderIdentity | undefined, now: FolderIdentity | undefined): boolean =>
  was !== undefined && now?.number === was.number && (!was.knowsBirth || now.born === was.born);

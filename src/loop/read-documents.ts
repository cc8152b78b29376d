/** Reads design documents for a brief, each up to a limit, and finds the passages about the item. */
import { closeSync, readSync, statSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { type BriefDocument, passagesNaming } from '../brief/index.ts';
import type { Item, Plan } from '../protocol.ts';
import { openRegular } from '../util/regular.ts';
import { showBytes } from '../util/show.ts';

export interface DocumentsOf {
  /** The root of the work tree. */
  readonly root: string;
  readonly documents: Plan['documents'];
  readonly item: Pick<Item, 'id' | 'refs'>;
}

/** Limits for all documents together and for each. */
const MOST = 60;
const ALL_BYTES = 3 * 1024 ** 2;
const EACH_BYTES = 512 * 1024;

export function readDocuments({ root, documents = [], item }: DocumentsOf): readonly BriefDocument[] {
  const ids = [...new Set([...(item.refs ?? []), ...(isTelling(item.id) ? [item.id] : [])])];
  let room = ALL_BYTES;
  return documents.slice(0, MOST).flatMap(({ path, role, scope }) => {
    const inside = normalize(path);
    if (isAbsolute(inside) || inside.startsWith('..')) return [];
    const document: BriefDocument = { path, role, passages: [] };
    const file = join(root, inside);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return [document];
    if (ids.length === 0 || scope === 'project') return [document];
    if (room <= 0) return [{ ...document, unread: 'not searched' }];
    const start = readStart(file, Math.min(EACH_BYTES, room));
    if (!start) return [{ ...document, unread: 'cannot be read' }];
    room -= start.bytes.length;
    const passages = passagesNaming(start.bytes.toString('utf8'), ids);
    const unread = start.whole ? {} : { unread: `only its first ${showBytes(start.bytes.length)} were searched` };
    return [{ ...document, passages, ...unread }];
  });
}

/** `US-003` and `T012` are unique in a document; a position such as `1.2` is not. */
const isTelling = (id: string): boolean => /^[A-Za-z]+[\w-]*\d/.test(id) && !/\s/.test(id);

function readStart(file: string, most: number): { readonly bytes: Buffer; readonly whole: boolean } | undefined {
  try {
    const opened = openRegular(file);
    if (typeof opened === 'string') return undefined;
    const { fd, size } = opened;
    try {
      const bytes = Buffer.alloc(Math.min(size, most));
      let at = 0;
      for (let got = -1; got !== 0 && at < bytes.length; at += got)
        got = readSync(fd, bytes, at, bytes.length - at, at);
      return { bytes: bytes.subarray(0, at), whole: size <= most };
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

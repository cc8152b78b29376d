/**
 * `.ralph/pin.md`: a person's lookup table of topics, the files they live in and the words they are also called by.
 *
 *     | topic    | files                    | also called      |
 *     | payments | src/pay, src/hooks/*.ts  | billing, invoice |
 *
 * A list does as well: `- payments (billing, invoice): src/pay, src/hooks/*.ts`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { plain } from '../util/show.ts';

export interface PinEntry {
  readonly topic: string;
  readonly also: readonly string[];
  readonly files: readonly string[];
  /** 1-based. */
  readonly line: number;
}

const ENTRIES = 500;
const LIST = /^\s*[-*+]\s+([^:(]+?)\s*(?:\(([^)]*)\))?\s*:\s*(.+)$/;

export function parsePin(text: string): readonly PinEntry[] {
  const entries: PinEntry[] = [];
  for (const [at, line] of plain(text).split('\n').entries()) {
    const entry = tableRow(line) ?? listRow(line);
    if (entry && entries.length < ENTRIES) entries.push({ ...entry, line: at + 1 });
  }
  return entries;
}

export interface DeadLink {
  readonly line: number;
  readonly topic: string;
  readonly path: string;
}

/** Files that the pin names and the repository does not have. Of a glob the part before its first `*` has to be there. */
export function deadLinks(root: string, entries: readonly PinEntry[]): readonly DeadLink[] {
  return entries.flatMap(({ files, line, topic }) =>
    files.filter(path => !existsSync(join(root, firm(path)))).map(path => ({ line, topic, path })),
  );
}

const firm = (path: string): string => {
  const special = path.search(/[*?[{]/);
  if (special < 0) return path.replace(/:\d+(?:-\d+)?$|#.*$/, '');
  return path.slice(0, path.lastIndexOf('/', special) + 1) || '.';
};

function tableRow(line: string): Omit<PinEntry, 'line'> | undefined {
  const cells = /^\s*\|(.+)\|\s*$/.exec(line)?.[1]?.split('|').map(clean);
  if (!cells || cells.length < 2) return undefined;
  const [first = '', files = '', also = ''] = cells;
  const topic = unmarked(first);
  const isHead = /^(?:topics?|:?-+:?)?$/i.test(topic);
  return isHead ? undefined : { topic, files: listOf(files), also: listOf(also) };
}

function listRow(line: string): Omit<PinEntry, 'line'> | undefined {
  const [, topic = '', also = '', files = ''] = LIST.exec(line) ?? [];
  const named = listOf(files);
  // A sentence after a colon is prose, not a lookup.
  if (topic === '' || named.some(file => /\s/.test(file))) return undefined;
  return { topic: unmarked(clean(topic)), files: named, also: listOf(also.replace(/^also(?: called)?:?\s*/i, '')) };
}

// Stars may be a glob's own, so only code marks are taken off.
const clean = (cell: string): string => cell.replaceAll('`', '').trim();

const unmarked = (topic: string): string => topic.replace(/^[*_]+|[*_]+$/g, '');

const listOf = (cell: string): readonly string[] =>
  cell
    .split(/[,;]/)
    .map(clean)
    .filter(part => part !== '' && part !== '-');

/** What an issue of beads waits for: what blocks it, what blocks its parent, and an epic for its parts. */
import { isRecord, type JsonRecord } from '../prd-stories.ts';

export interface Issue {
  readonly id: string;
  readonly value: JsonRecord;
  readonly line: number;
  readonly status: string;
}

const BLOCKING = ['blocks', 'waits-for', 'conditional-blocks'];

/** Ids at the other end of its edges of some types. */
function edges(value: JsonRecord, types: readonly string[]): readonly string[] {
  const list: unknown = value['dependencies'];
  if (!Array.isArray(list)) return [];
  return list.flatMap((edge: unknown) => {
    const isOne = isRecord(edge) && types.includes(String(edge['type'])) && typeof edge['depends_on_id'] === 'string';
    return isOne ? [String(edge['depends_on_id'])] : [];
  });
}

/** `parent-child` stands in the line of the child. */
export const parentOf = (value: JsonRecord): string | undefined => edges(value, ['parent-child'])[0];

/** More parents than anybody nests; a circle ends here, too. */
const MOST_PARENTS = 20;

export function waitsFor(issue: Issue, byId: ReadonlyMap<string, Issue>): readonly string[] {
  const found = new Set<string>();
  let at: Issue | undefined = issue;
  for (let up = 0; at && up < MOST_PARENTS; up++) {
    for (const id of edges(at.value, BLOCKING)) found.add(id);
    at = byId.get(parentOf(at.value) ?? '');
  }
  if (issue.value['issue_type'] === 'epic') for (const id of partsOf(issue.id, byId)) found.add(id);
  return [...found].filter(id => id !== issue.id && byId.has(id) && byId.get(id)?.status !== 'closed');
}

const partsOf = (id: string, byId: ReadonlyMap<string, Issue>): readonly string[] =>
  [...byId.values()]
    .filter(({ id: own, value }) => parentOf(value) === id || own.startsWith(`${id}.`))
    .map(({ id: own }) => own);

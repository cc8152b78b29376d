/** What an issue of beads waits for: what blocks it, what blocks its parent, and its parts. */
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

/** Issues with the parts of each, told by their edges or by their ids: `a.1` and `a.1.2` are parts of `a`. */
export interface Tree {
  readonly byId: ReadonlyMap<string, Issue>;
  readonly partsOf: ReadonlyMap<string, readonly string[]>;
}

export function treeOf(issues: readonly Issue[]): Tree {
  const byId = new Map(issues.map(issue => [issue.id, issue]));
  const partsOf = new Map<string, string[]>();
  for (const { id, value } of issues) {
    const steps = id.split('.');
    const above = steps.slice(1).map((_, depth) => steps.slice(0, depth + 1).join('.'));
    for (const parent of new Set([...above, parentOf(value) ?? ''])) {
      if (parent === id || !byId.has(parent)) continue;
      const parts = partsOf.get(parent);
      if (parts) parts.push(id);
      else partsOf.set(parent, [id]);
    }
  }
  return { byId, partsOf };
}

/** Open issues only: a part that waits for the whole comes after it. */
export function waitsFor(issue: Issue, tree: Tree): readonly string[] {
  const { byId } = tree;
  const found = new Set(blockersOf(issue, byId));
  for (const id of tree.partsOf.get(issue.id) ?? []) if (!isBehind(id, issue.id, byId)) found.add(id);
  return [...found].filter(id => id !== issue.id && byId.has(id) && byId.get(id)?.status !== 'closed');
}

function blockersOf(issue: Issue, byId: ReadonlyMap<string, Issue>): ReadonlySet<string> {
  const found = new Set<string>();
  let at: Issue | undefined = issue;
  for (let up = 0; at && up < MOST_PARENTS; up++) {
    for (const id of edges(at.value, BLOCKING)) found.add(id);
    at = byId.get(parentOf(at.value) ?? '');
  }
  return found;
}

/** Whether what blocks one issue leads to another, however far. */
function isBehind(id: string, other: string, byId: ReadonlyMap<string, Issue>): boolean {
  const seen = new Set([id]);
  for (const at of seen) {
    if (at === other) return true;
    const issue = byId.get(at);
    for (const next of issue ? edges(issue.value, BLOCKING) : []) seen.add(next);
  }
  return false;
}

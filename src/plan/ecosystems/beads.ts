/**
 * beads: .beads/issues.jsonl, one issue per line. The file is only an export of the tool's database, and the next export
 * overwrites it. So the file is only read, and marks stay in the journal. If `bd` is installed, a run updates it at its end.
 */

import { basename, dirname, join } from 'node:path';
import type { Item, ItemStatus, NewItem, Plan, PlanFiles, PlanFormat, Problem } from '../../protocol.ts';
import { isRecord, type JsonRecord, parseJson } from '../../util/json.ts';
import { type Failure, fail, ok } from '../../util/result.ts';
import { conflictMessage, isConflictMarker } from '../conflict.ts';
import { checkDependencies } from '../dependencies.ts';
import { textDocument } from '../document.ts';
import { inOrder, wholePlan } from '../lazy-plan.ts';
import { type TakenIds, uniqueId } from '../unique-id.ts';

/** The format of beads. */
export const beads: PlanFormat = {
  name: 'beads',
  find,
  parse: (text, path) => textDocument(text, words => ({ plan: parse(words, path), mark: () => ok(words), append })),
};

const append = ({ title }: NewItem) =>
  fail<Failure>({
    reason: 'cannot-append',
    message: 'the issues of beads are in its database; none is added here',
    hint: `Add it there: bd create ${JSON.stringify(title)}`,
  });

const NAMES = ['issues.jsonl', 'beads.jsonl'];

function find(path: string, files: PlanFiles): string | undefined {
  if (!files.isFolder(path))
    return NAMES.includes(basename(path)) && basename(dirname(path)) === '.beads' ? path : undefined;
  if (basename(path) !== '.beads') return undefined;
  const name = NAMES.find(each => files.list(path).includes(each));
  return name === undefined ? undefined : join(path, name);
}

function readIssues(text: string, problems: Problem[]): readonly Issue[] {
  const taken: TakenIds = new Map();
  return text.split('\n').flatMap((words, index): readonly Issue[] => {
    const line = index + 1;
    const wrong = (message: string): readonly Issue[] => {
      problems.push({ level: 'error', line, column: 1, message });
      return [];
    };
    if (words.trim() === '') return [];
    if (isConflictMarker(words)) return wrong(conflictMessage);
    const value = parseJson(words);
    if (!isRecord(value) || typeof value['id'] !== 'string' || value['id'] === '')
      return wrong('this line is no issue of beads; write the file again: bd export -o .beads/issues.jsonl');
    const status = typeof value['status'] === 'string' ? value['status'] : 'open';
    if (status === 'tombstone') return [];
    const id = uniqueId(taken, value['id'], '#');
    if (id !== value['id']) {
      const message = `the id "${value['id']}" is used more than once; this one is "${id}"`;
      problems.push({ level: 'warning', line, column: 1, message });
    }
    return [{ id, value, line, status }];
  });
}

function parse(text: string, path: string): Plan {
  const problems: Problem[] = [];
  const issues = readIssues(text, problems);
  const byId = new Map(issues.map(issue => [issue.id, issue]));
  const rank = new Map(issues.toSorted(compare).map((issue, index) => [issue, index]));
  const items = issues.map(issue => {
    const state = stateOf(issue);
    if (state.odd) {
      const message = `${issue.id}: the status "${issue.status}" is not one of bd; it is left alone`;
      problems.push({ level: 'warning', line: issue.line, column: 1, message });
    }
    return itemOf(issue, { state, rank: rank.get(issue) ?? 0, dependsOn: waitsFor(issue, byId) });
  });
  const first = { line: 1, column: 1 };
  if (issues.length === 0) problems.push({ level: 'error', ...first, message: 'there is no issue in this file' });
  const message =
    'this file is an export of the beads database, so nothing is written into it: what is done is in the journal, and bd, if installed, is updated at the end of a run. To close an issue by hand: bd close ID';
  problems.push({ level: 'warning', ...first, message }, ...checkDependencies(items));
  return wholePlan({
    format: 'beads',
    path,
    name: 'beads',
    items,
    problems: inOrder(problems),
    instructions: '',
    repeats: false,
    marks: 'journal',
  });
}

const number = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);
const LOWEST = 4;

/** In the order of `bd ready`: priority 0 first, then the newest, then by id. */
function compare(a: Issue, b: Issue): number {
  const created = ({ value }: Issue) => Date.parse(String(value['created_at'])) || 0;
  return (
    number(a.value['priority'], LOWEST) - number(b.value['priority'], LOWEST) ||
    created(b) - created(a) ||
    (a.id < b.id ? -1 : 1)
  );
}

interface State {
  readonly status: ItemStatus;
  readonly note?: string;
  readonly odd?: true;
}

/** Issue types that bd uses internally. */
const INTERNAL = ['message', 'agent', 'role', 'rig', 'gate', 'molecule', 'event', 'slot', 'merge-request', 'convoy'];

function stateOf({ status, value }: Issue): State {
  if (status === 'closed') return { status: 'done' };
  if (INTERNAL.includes(String(value['issue_type']))) return { status: 'skipped', note: 'bd keeps it for itself' };
  if (value['pinned'] === true) return { status: 'blocked', note: 'pinned' };
  if (status === 'open') return { status: 'pending' };
  // Somebody has claimed it, so it is not offered to anybody else.
  if (status === 'in_progress') return { status: 'blocked', note: 'in progress with somebody' };
  const isKnown = ['blocked', 'deferred', 'pinned', 'hooked'].includes(status);
  return { status: 'blocked', note: `its status is "${status}"`, ...(isKnown ? {} : { odd: true as const }) };
}

/** Briefs and reports must not contain people's e-mail addresses. */
const withoutAddresses = (text: string): string => text.replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]');

const words = (value: unknown): string => (typeof value === 'string' ? withoutAddresses(value).trim() : '');

function itemOf(
  { id, value, line }: Issue,
  { state, rank, dependsOn }: { readonly state: State; readonly rank: number; readonly dependsOn: readonly string[] },
): Item {
  const part = (name: string, heading: string) => {
    const text = words(value[name]);
    return text === '' ? '' : `${heading}\n\n${text}`;
  };
  const parent = parentOf(value);
  return {
    id,
    title: words(value['title']) || id,
    status: state.status,
    priority: number(value['priority'], LOWEST),
    rank,
    dependsOn,
    line,
    body: [words(value['description']), part('design', '## Design'), part('notes', '## Notes')]
      .filter(Boolean)
      .join('\n\n'),
    criteria: words(value['acceptance_criteria'])
      .split('\n')
      .map(each => each.replace(/^\s*(?:[-*+]|\d+[.)])?\s*(?:\[[ xX]\]\s*)?/, '').trim())
      .filter(Boolean),
    verify: [],
    // The work was done in its parts.
    changeOptional: value['issue_type'] === 'epic',
    ...(parent === undefined ? {} : { refs: [parent] }),
    ...(state.note === undefined ? {} : { note: state.note }),
  };
}

/** An issue of beads. It waits for what blocks it and what blocks its parent; an epic also waits for its parts. */
interface Issue {
  readonly id: string;
  readonly value: JsonRecord;
  readonly line: number;
  readonly status: string;
}

const BLOCKING = ['blocks', 'waits-for', 'conditional-blocks'];

/** The issues at the other end of its edges of these types. */
function edges(value: JsonRecord, types: readonly string[]): readonly string[] {
  const list: unknown = value['dependencies'];
  if (!Array.isArray(list)) return [];
  return list.flatMap((edge: unknown) => {
    const isOne = isRecord(edge) && types.includes(String(edge['type'])) && typeof edge['depends_on_id'] === 'string';
    return isOne ? [String(edge['depends_on_id'])] : [];
  });
}

/** The line of the child holds the `parent-child` edge. */
const parentOf = (value: JsonRecord): string | undefined => edges(value, ['parent-child'])[0];

/** Deeper nesting than anybody uses; the limit also ends a cycle of parents. */
const MOST_PARENTS = 20;

function waitsFor(issue: Issue, byId: ReadonlyMap<string, Issue>): readonly string[] {
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

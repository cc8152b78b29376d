/** Writes a group's state in the vocabulary of the state file; every other byte of the file stays as it is. */

import type { Begin, ItemStatus, Mark } from '../protocol.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { applyEdits, type Edit, insertProperties, replaceNode } from './edit.ts';
import { type GroupStates, readStates, scalarOf, valueOf } from './groups-state.ts';
import { unknownItem } from './named-item.ts';
import { statusOfWord } from './prd-state.ts';
import { unreadablePlan } from './unreadable-plan.ts';

type Fields = Readonly<Record<string, string | number | null>>;

const WORDS: Readonly<Record<ItemStatus, string>> = {
  pending: 'pending',
  'in-progress': 'in_progress',
  done: 'complete',
  blocked: 'blocked',
  skipped: 'skipped',
};

/** `2026-03-20T17:33:56Z`: whole seconds, as `date -u` writes them. */
export const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** A new group for the state file. */
export const newGroup = (id: number, title: string) => ({
  id,
  title,
  status: WORDS.pending,
  attempts: 0,
  started_at: null,
  completed_at: null,
});

/** Marks a group in the state file. */
export function markGroup(text: string, { id, to, at, again }: Mark): Result<string> {
  const done = to === 'done';
  return change(text, id, {
    status: WORDS[to],
    ...(to === 'pending' && !again ? { attempts: 0, started_at: null } : {}),
    ...(done && at === undefined ? {} : { completed_at: done && at !== undefined ? stamp(at) : null }),
  });
}

/** Records an attempt in the state file, before the agent starts. */
export function beginGroup(text: string, { id, attempt, at }: Begin): Result<string> {
  return change(text, id, {
    status: WORDS['in-progress'],
    attempts: attempt,
    started_at: stamp(at),
    completed_at: null,
  });
}

function change(text: string, id: string, fields: Fields): Result<string> {
  const states = readStates(text);
  const broken = states.problems.find(({ level }) => level === 'error');
  if (broken) return fail(unreadablePlan(broken));
  const known = states.groups.find(group => String(group.id) === id);
  if (known === undefined) return addGroup(text, { id, fields, states });
  const edits: Edit[] = [];
  const missing: [string, string][] = [];
  for (const [key, value] of Object.entries(fields)) {
    const now = scalarOf(known.object, key);
    const node = valueOf(known.object, key);
    if (node === undefined) {
      if (value !== null) missing.push([key, JSON.stringify(value)]);
    } else if (now !== value && !saysAlready(key, now, value)) edits.push(replaceNode(node, JSON.stringify(value)));
  }
  return ok(applyEdits(text, [...edits, ...insertProperties(text, known.object, missing)]));
}

/** A synonym for the same state is not replaced. */
const saysAlready = (key: string, now: unknown, value: unknown): boolean =>
  key === 'status' &&
  typeof now === 'string' &&
  statusOfWord(now) !== undefined &&
  statusOfWord(now) === statusOfWord(String(value));

interface Addition {
  readonly id: string;
  readonly fields: Fields;
  readonly states: GroupStates;
}

/** Adds a group whose prompt is newer than the state file, in numeric order. */
function addGroup(text: string, { id, fields, states }: Addition): Result<string> {
  const { list, groups } = states;
  if (!/^[1-9]\d{0,8}$/.test(id) || list === undefined) {
    const known = groups.map(group => String(group.id));
    return fail(unknownItem(id, known));
  }
  const group = { ...newGroup(Number(id), `Group ${id}`), ...fields };
  const after = groups.find(other => other.id > Number(id))?.object;
  const indent = indentOf(text, (after ?? list.elements.at(-1) ?? list).start);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const written = (deep: string) => JSON.stringify(group, undefined, 2).replaceAll('\n', `${eol}${deep}`);
  const put = (start: number, end: number, added: string) => ok(applyEdits(text, [{ start, end, text: added }]));
  if (after) return put(after.start, after.start, `${written(indent)},${eol}${indent}`);
  const last = list.elements.at(-1);
  if (last) return put(last.end, last.end, `,${eol}${indent}${written(indent)}`);
  const deep = `${indent}  `;
  return put(list.start + 1, list.end - 1, `${eol}${deep}${written(deep)}${eol}${indent}`);
}

/** The indentation of the line that contains an offset. */
function indentOf(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? '';
}

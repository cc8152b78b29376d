/** The edits to PROGRESS.yaml when a leaf changes: the leaf, its groups, the pointer, the counters. */

import type { Begin, ItemStatus, Mark } from '../../protocol.ts';
import { isClosed } from '../../state.ts';
import { oneLine } from '../../util/show.ts';
import type { Edit } from '../edit.ts';
import type { YamlMap } from './nodes.ts';
import { type MarkedLeaf, type Outline, type Part, pointerTo, type Spot, type States, statesOf } from './outline.ts';
import type { Group, Pointer } from './progress.ts';
import { statusOf, wordFor } from './status.ts';
import { mapOf, nodeOf, pairOf, wordOf } from './yaml.ts';
import { dropField, setField } from './yaml-edit.ts';

const NOTE_CHARS = 300;
/** A new field is added after the first of these that exists. Fields that an edit may remove are not listed. */
const BEHIND = ['status', 'id'];

export function markEdits(outline: Outline, leaf: MarkedLeaf, { to, note, at, again }: Mark): readonly Edit[] {
  const pen = penFor(outline, at);
  const { spot } = leaf;
  pen.set(leaf.map, 'status', wordFor[to]);
  if (to === 'done') pen.time(leaf.map, 'completed-at');
  else pen.drop(leaf.map, 'completed-at');
  if (to === 'pending' && !again) for (const key of ['started-at', 'retry-count']) pen.drop(leaf.map, key);
  const noteKey = to === 'blocked' ? 'error' : to === 'skipped' ? 'reason' : undefined;
  for (const key of ['error', 'reason']) if (key !== noteKey) pen.drop(leaf.map, key);
  if (noteKey && note) pen.set(leaf.map, noteKey, JSON.stringify(oneLine(note, NOTE_CHARS)));
  const now = statesAfter(spot, to);
  const [phase, step] = leaf.groups;
  if (step) settleGroup(pen, step, [now(spot.part)]);
  if (phase) settleGroup(pen, phase, outline.parts.filter(each => each.phase === spot.part.phase).map(now));
  const goesBack = to === 'pending' && isBefore(outline.parts, spot, outline.current);
  settleSprint(pen, { outline: goesBack ? { ...outline, current: undefined } : outline, spot, now });
  return pen.edits;
}

const isBefore = (parts: readonly Part[], spot: Spot, other: Spot | undefined): boolean =>
  other !== undefined &&
  (spot.part === other.part ? spot.index < other.index : parts.indexOf(spot.part) < parts.indexOf(other.part));

/** The states of a part after one leaf was marked. */
function statesAfter({ part, index }: Spot, to: ItemStatus): (each: Part) => States {
  const marked = statesOf(part.states.all.with(index, to));
  return each => (each === part ? marked : each.states);
}

export function beginEdits(outline: Outline, leaf: MarkedLeaf, { attempt, at }: Begin): readonly Edit[] {
  const pen = penFor(outline, at);
  for (const { map } of [...leaf.groups, leaf]) {
    pen.set(map, 'status', 'in-progress');
    pen.drop(map, 'completed-at');
    if (wordOf(map, 'started-at') === '') pen.time(map, 'started-at');
  }
  if (attempt > 1) pen.set(leaf.map, 'retry-count', String(attempt - 1));
  const { root } = outline;
  pen.set(root, 'status', 'in-progress');
  const stats = mapOf(root, 'stats');
  if (stats && wordOf(stats, 'started-at') === '') pen.time(stats, 'started-at');
  point(pen, outline, leaf.spot);
  return pen.edits;
}

/** The edits after a leaf was added: pointer, counters and status words follow the leaves. */
export function addedEdits(outline: Outline): readonly Edit[] {
  const pen = penFor(outline, undefined);
  const stats = mapOf(outline.root, 'stats');
  for (const key of ['total-phases', 'tasks-total']) {
    const total = stats ? wordOf(stats, key) : '';
    if (stats && /^\d+$/.test(total)) pen.set(stats, key, String(Number(total) + 1));
  }
  settleSprint(pen, { outline, spot: undefined, now: part => part.states });
  return pen.edits;
}

interface Pen {
  readonly edits: Edit[];
  set(map: YamlMap, key: string, value: string): void;
  time(map: YamlMap, key: string): void;
  drop(map: YamlMap, key: string): void;
}

function penFor({ text }: Outline, at: number | undefined): Pen {
  const edits: Edit[] = [];
  // Times are quoted as in the rest of the file.
  const first = text.indexOf('-at: ');
  const quote = /-at: *(["'])/.exec(first < 0 ? '' : text.slice(first))?.[1] ?? "'";
  return {
    edits,
    set: (map, key, value) => edits.push(...setField(text, map, { key, value, after: BEHIND })),
    time: (map, key) => {
      if (at === undefined) return;
      const value = `${quote}${new Date(at).toISOString()}${quote}`;
      edits.push(
        ...setField(text, map, { key, value, after: key === 'completed-at' ? ['started-at', ...BEHIND] : BEHIND }),
      );
    },
    drop: (map, key) => edits.push(...dropField(text, map, key)),
  };
}

function settleGroup(pen: Pen, group: Pick<Group, 'map' | 'word'>, now: readonly States[]): void {
  const was = statusOf(group.word);
  if (now.every(each => each.areClosed)) {
    if (was === 'done') return;
    pen.set(group.map, 'status', 'completed');
    pen.time(group.map, 'completed-at');
  } else if (now.every(each => each.arePending)) {
    if (was === 'pending') return;
    pen.set(group.map, 'status', 'pending');
    for (const key of ['started-at', 'completed-at']) pen.drop(group.map, key);
  } else if (was !== 'in-progress') {
    pen.set(group.map, 'status', 'in-progress');
    pen.drop(group.map, 'completed-at');
  }
}

interface Settling {
  readonly outline: Outline;
  readonly spot: Spot | undefined;
  readonly now: (part: Part) => States;
}

function settleSprint(pen: Pen, { outline, spot, now }: Settling): void {
  const { root, parts, current } = outline;
  const stats = mapOf(root, 'stats');
  const here = parts[0]?.kind === 'task' ? undefined : (current ?? spot);
  const ahead = here ? parts.slice(parts.indexOf(here.part)) : parts;
  const left = firstReady(ahead, now);
  if (parts.every(part => now(part).areClosed)) {
    if (statusOf(wordOf(root, 'status')) !== 'done') {
      pen.set(root, 'status', 'completed');
      if (stats) pen.time(stats, 'completed-at');
    }
  } else {
    if (left === undefined) pen.set(root, 'status', 'blocked');
    else if (wordOf(root, 'status') !== 'not-started' || spot) pen.set(root, 'status', 'in-progress');
    if (stats) pen.drop(stats, 'completed-at');
  }
  if (current === undefined || !now(current.part).ready.includes(current.index)) {
    const next = (spot && readyFrom(spot, parts, now)) ?? left ?? stuckAt(parts, now);
    // If only leaves are open that the pointer has passed over, the pointer stays where it is.
    if (next || parts.every(part => now(part).areClosed)) point(pen, outline, next);
  }
  if (stats) count(pen, { outline, now, stats });
}

function firstReady(parts: readonly Part[], now: Settling['now']): Spot | undefined {
  const part = parts.find(each => now(each).ready.length > 0 || isInTheWay(each, now));
  const [index] = part ? now(part).ready : [];
  return part && index !== undefined ? { part, index } : undefined;
}

/** Everything after a blocked leaf waits, unless it is in a list of tasks. */
const isInTheWay = (part: Part, now: Settling['now']): boolean => part.kind !== 'task' && now(part).isBlocked;

/** The blocked leaf where a person has to help; in a list of tasks, the pointer names only leaves that are ready. */
function stuckAt(parts: readonly Part[], now: Settling['now']): Spot | undefined {
  const part = parts.find(each => isInTheWay(each, now));
  return part && { part, index: now(part).all.findIndex(status => !isClosed(status)) };
}

/** The first ready leaf from here on. */
function readyFrom({ part, index }: Spot, parts: readonly Part[], now: Settling['now']): Spot | undefined {
  const here = now(part).ready.find(each => each >= index);
  if (here === undefined && isInTheWay(part, now)) return undefined;
  return here === undefined ? firstReady(parts.slice(parts.indexOf(part) + 1), now) : { part, index: here };
}

/** Moves the pointer if the file has one; past the last phase means that nothing is left. */
function point(pen: Pen, { root, parts }: Outline, spot: Spot | undefined): void {
  if (pairOf(root, 'current-task')) pen.set(root, 'current-task', spot?.part.names[spot.index] ?? 'null');
  const current = mapOf(root, 'current');
  if (!current || parts[0]?.kind === 'task') return;
  const end: Pointer = { phase: (parts.at(-1)?.phase ?? 0) + 1, step: null, subPhase: null };
  const { phase, step, subPhase } = spot ? pointerTo(spot) : end;
  const values = { phase, step, 'sub-phase': subPhase };
  for (const [key, value] of Object.entries(values)) {
    // `null` and a missing value mean the same, so only a real difference is written.
    if (wordOf(current, key) !== (value === null ? '' : String(value))) pen.set(current, key, String(value));
  }
}

function count(
  pen: Pen,
  { outline, now, stats }: Pick<Settling, 'outline' | 'now'> & { readonly stats: YamlMap },
): void {
  const [phases, open] = [new Set<number>(), new Set<number>()];
  let [subPhases, steps, done, blocked] = [0, 0, 0, 0];
  for (const part of outline.parts) {
    const { all, closed, areClosed } = now(part);
    if (part.kind === 'task') {
      if (all[0] === 'done') done++;
      if (all[0] === 'blocked') blocked++;
      continue;
    }
    phases.add(part.phase);
    if (!areClosed) open.add(part.phase);
    if (part.kind === 'sub-phase') subPhases += closed;
    if (part.step !== null && areClosed) steps++;
  }
  // Some tools count only top-level phases, others also sub-phases: the existing total shows which.
  const onlyTop = wordOf(stats, 'total-phases') === String(phases.size);
  const counters: Readonly<Record<string, number>> = {
    'completed-phases': phases.size - open.size + (onlyTop ? 0 : subPhases),
    'completed-steps': steps,
    'tasks-completed': done,
    'tasks-blocked': blocked,
  };
  for (const [key, value] of Object.entries(counters)) {
    if (nodeOf(stats, key)) pen.set(stats, key, String(value));
  }
}

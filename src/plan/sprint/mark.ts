/** What changes in PROGRESS.yaml when a leaf changes: itself, what it is part of, the pointer, the counters. */
import type { Begin, ItemStatus, Mark } from '../../protocol.ts';
import { oneLine } from '../../util/show.ts';
import type { Edit } from '../edit.ts';
import type { YamlMap } from './nodes.ts';
import { type Group, type Leaf, type Progress, waitingLeaves } from './progress.ts';
import { isClosed, isOpen, statusOf, wordFor } from './status.ts';
import { mapOf, nodeOf, pairOf, wordOf } from './yaml.ts';
import { dropField, setField } from './yaml-edit.ts';

const NOTE_CHARS = 300;
/** A new field goes behind the first of these that is there. What an edit may take out is no place to add behind. */
const BEHIND = ['status', 'id'];

export function markEdits(progress: Progress, leaf: Leaf, { to, note, at, again }: Mark): readonly Edit[] {
  const pen = penFor(progress, at);
  pen.set(leaf.map, 'status', wordFor[to]);
  if (to === 'done') pen.time(leaf.map, 'completed-at');
  else pen.drop(leaf.map, 'completed-at');
  if (to === 'pending' && !again) for (const key of ['started-at', 'retry-count']) pen.drop(leaf.map, key);
  const noteKey = to === 'blocked' ? 'error' : to === 'skipped' ? 'reason' : undefined;
  for (const key of ['error', 'reason']) if (key !== noteKey) pen.drop(leaf.map, key);
  if (noteKey && note) pen.set(leaf.map, noteKey, JSON.stringify(oneLine(note, NOTE_CHARS)));
  const status = (other: Leaf): ItemStatus => (other === leaf ? to : other.status);
  for (const group of leaf.groups.toReversed()) settleGroup(pen, group, status);
  settleSprint(pen, { progress, leaf, status });
  return pen.edits;
}

export function beginEdits(progress: Progress, leaf: Leaf, { attempt, at }: Begin): readonly Edit[] {
  const pen = penFor(progress, at);
  for (const { map } of [...leaf.groups, leaf]) {
    pen.set(map, 'status', 'in-progress');
    pen.drop(map, 'completed-at');
    if (wordOf(map, 'started-at') === '') pen.time(map, 'started-at');
  }
  if (attempt > 1) pen.set(leaf.map, 'retry-count', String(attempt - 1));
  const { root } = progress.yaml;
  pen.set(root, 'status', 'in-progress');
  const stats = mapOf(root, 'stats');
  if (stats && wordOf(stats, 'started-at') === '') pen.time(stats, 'started-at');
  point(pen, progress, leaf);
  return pen.edits;
}

/** After a leaf was added: pointer, counters and words as the leaves have them. */
export function addedEdits(progress: Progress): readonly Edit[] {
  const pen = penFor(progress, undefined);
  const stats = mapOf(progress.yaml.root, 'stats');
  for (const key of ['total-phases', 'tasks-total']) {
    const total = stats ? wordOf(stats, key) : '';
    if (stats && /^\d+$/.test(total)) pen.set(stats, key, String(Number(total) + 1));
  }
  settleSprint(pen, { progress, leaf: undefined, status: leaf => leaf.status });
  return pen.edits;
}

interface Pen {
  readonly edits: Edit[];
  set(map: YamlMap, key: string, value: string): void;
  time(map: YamlMap, key: string): void;
  drop(map: YamlMap, key: string): void;
}

function penFor({ yaml }: Progress, at: number | undefined): Pen {
  const edits: Edit[] = [];
  const { text } = yaml;
  // Times are quoted the way this file does it.
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

function settleGroup(pen: Pen, group: Group, status: (leaf: Leaf) => ItemStatus): void {
  const now = group.leaves.map(status);
  const was = statusOf(group.word);
  if (now.every(isClosed)) {
    if (was === 'done') return;
    pen.set(group.map, 'status', 'completed');
    pen.time(group.map, 'completed-at');
  } else if (now.every(each => each === 'pending')) {
    if (was === 'pending') return;
    pen.set(group.map, 'status', 'pending');
    for (const key of ['started-at', 'completed-at']) pen.drop(group.map, key);
  } else if (was !== 'in-progress') {
    pen.set(group.map, 'status', 'in-progress');
    pen.drop(group.map, 'completed-at');
  }
}

interface Settling {
  readonly progress: Progress;
  readonly leaf: Leaf | undefined;
  readonly status: (leaf: Leaf) => ItemStatus;
}

function settleSprint(pen: Pen, { progress, leaf, status }: Settling): void {
  const { leaves, current } = progress;
  const { root } = progress.yaml;
  const stats = mapOf(root, 'stats');
  const waiting = waitingLeaves(leaves, status);
  const canGoOn = (each: Leaf) => isOpen(status(each)) && !waiting.has(each);
  const left = leaves.filter(canGoOn);
  if (leaves.every(each => isClosed(status(each)))) {
    if (statusOf(wordOf(root, 'status')) !== 'done') {
      pen.set(root, 'status', 'completed');
      if (stats) pen.time(stats, 'completed-at');
    }
  } else {
    if (left.length === 0) pen.set(root, 'status', 'blocked');
    else if (wordOf(root, 'status') !== 'not-started' || leaf) pen.set(root, 'status', 'in-progress');
    if (stats) pen.drop(stats, 'completed-at');
  }
  if (current === undefined || !canGoOn(current)) {
    const after = leaves.slice(leaf ? leaves.indexOf(leaf) : 0);
    // Where a person has to help, that is where it stands; a list of tasks names only what can be worked on.
    const stuck = leaves.find(each => each.kind !== 'task' && !isClosed(status(each)));
    point(pen, progress, after.find(canGoOn) ?? left[0] ?? stuck);
  }
  if (stats) count(pen, { progress, status, stats });
}

/** Only a pointer that is there is moved; past the last phase it says that nothing is left. */
function point(pen: Pen, { yaml, leaves }: Progress, leaf: Leaf | undefined): void {
  const { root } = yaml;
  if (pairOf(root, 'current-task')) pen.set(root, 'current-task', leaf ? leaf.name : 'null');
  const current = mapOf(root, 'current');
  if (!current || leaves[0]?.kind === 'task') return;
  const end = { phase: (leaves.at(-1)?.pointer.phase ?? 0) + 1, step: null, subPhase: null };
  const { phase, step, subPhase } = leaf?.pointer ?? end;
  const values = { phase, step, 'sub-phase': subPhase };
  for (const [key, value] of Object.entries(values)) {
    // `null` and a missing value read alike; only a difference is written.
    if (wordOf(current, key) !== (value === null ? '' : String(value))) pen.set(current, key, String(value));
  }
}

function count(
  pen: Pen,
  { progress, status, stats }: Pick<Settling, 'progress' | 'status'> & { readonly stats: YamlMap },
): void {
  const { leaves, groups } = progress;
  const done = (group: Group) => group.leaves.every(each => isClosed(status(each)));
  const [phases, steps] = [
    groups.filter(group => group.kind === 'phase'),
    groups.filter(group => group.kind === 'step'),
  ];
  const top = leaves.filter(leaf => leaf.kind === 'phase');
  const subs = leaves.filter(leaf => leaf.kind === 'sub-phase');
  const closed = (list: readonly Leaf[]) => list.filter(leaf => isClosed(status(leaf))).length;
  const lone = leaves.filter(leaf => leaf.kind === 'step');
  // Some tools count the phases of a sprint alone, others with all sub-phases: the total that is there tells.
  const onlyTop = wordOf(stats, 'total-phases') === String(phases.length + top.length);
  const tasks = leaves.filter(leaf => leaf.kind === 'task');
  const counters: Readonly<Record<string, number>> = {
    'completed-phases': phases.filter(done).length + closed(top) + (onlyTop ? 0 : closed(subs)),
    'completed-steps': steps.filter(done).length + closed(lone),
    'tasks-completed': tasks.filter(task => status(task) === 'done').length,
    'tasks-blocked': tasks.filter(task => status(task) === 'blocked').length,
  };
  for (const [key, value] of Object.entries(counters)) {
    if (nodeOf(stats, key)) pen.set(stats, key, String(value));
  }
}

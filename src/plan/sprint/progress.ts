/** PROGRESS.yaml as a tree: phases, their steps, the steps' sub-phases. A node without parts is a leaf. */

import type { ItemStatus, Problem } from '../../protocol.ts';
import { isOpen } from '../../state.ts';
import { fail, ok, type Result } from '../../util/result.ts';
import { nearest } from '../../util/suggest.ts';
import { type TakenIds, uniqueId } from '../unique-id.ts';
import { isMap, isSeq, type YamlMap, type YamlNode, type YamlSeq } from './nodes.ts';
import { statusOf } from './status.ts';
import { mapOf, nodeOf, plainOf, readYaml, startOf, wordOf, type Yaml } from './yaml.ts';

/** Indices into `phases`, `steps` and the step's `phases`. */
export interface Pointer {
  readonly phase: number;
  readonly step: number | null;
  readonly subPhase: number | null;
}

/** A phase or step that only groups its parts. */
export interface Group {
  readonly kind: 'phase' | 'step';
  readonly name: string;
  readonly map: YamlMap;
  readonly word: string;
  /** Its 1-based position among its siblings, and their number. */
  readonly position: Position;
}

export interface Position {
  readonly at: number;
  readonly of: number;
}

export interface Leaf {
  /** The item's id: the names from the phase down. */
  readonly id: string;
  readonly kind: 'phase' | 'step' | 'sub-phase' | 'task';
  readonly name: string;
  readonly map: YamlMap;
  readonly word: string;
  readonly status: ItemStatus;
  readonly position: Position;
  /** The phase, then the step. */
  readonly groups: readonly Group[];
  readonly pointer: Pointer;
}

export interface Progress {
  readonly yaml: Yaml;
  readonly leaves: readonly Leaf[];
  readonly groups: readonly Group[];
  /** The open leaf that `current` points to. */
  readonly current: Leaf | undefined;
  /** The index of the leaf that `current` points to, open or not; 0 if it points to none. */
  readonly pointedAt: number;
  readonly problems: readonly Problem[];
}

/** Older and less strict sprints keep plain lists of tasks; each list sets the status of an entry that has none. */
const LISTS: readonly (readonly [key: string, status: string])[] = [
  ['dynamic-steps', 'pending'],
  ['queue', 'pending'],
  ['completed', 'completed'],
  ['blocked', 'blocked'],
];

/** Reads every leaf of a sprint's state. */
export function readProgress(text: string): Result<Progress, Problem> {
  const yaml = readYaml(text);
  if (!yaml.ok) return yaml;
  const { root } = yaml.value;
  const walk: Walk = { yaml: yaml.value, taken: new Map(), leaves: [], groups: [], problems: [] };
  const phases = nodeOf(root, 'phases');
  if (isSeq(phases)) readPhases(walk, phases);
  if (walk.leaves.length === 0) for (const [key, status] of LISTS) readList(walk, nodeOf(root, key), status);
  const wrong = (node: YamlNode | undefined, message: string) =>
    fail<Problem>({ level: 'error', ...yaml.value.place(startOf(node)), message });
  const [error] = walk.problems.filter(({ level }) => level === 'error');
  if (error) return fail(error);
  if (walk.leaves.length === 0) {
    if (phases !== undefined && !isSeq(phases)) return wrong(phases, 'phases has to be a list');
    return wrong(phases ?? root, 'the sprint holds no phases');
  }
  const current = currentLeaf(walk, root);
  const pointedAt = current ? walk.leaves.indexOf(current) : closedLeafAt(walk, root);
  return ok({ ...walk, current, pointedAt });
}

interface Walk {
  readonly yaml: Yaml;
  readonly taken: TakenIds;
  readonly leaves: Leaf[];
  readonly groups: Group[];
  readonly problems: Problem[];
}

function readPhases(walk: Walk, phases: YamlSeq): void {
  eachEntry(walk, phases, 'phase', (map, index, position) => {
    const name = nameOf(map) || `phase-${index}`;
    const pointer: Pointer = { phase: index, step: null, subPhase: null };
    const steps = partsOf(walk, map, 'steps');
    if (steps === undefined) addLeaf(walk, { kind: 'phase', name, map, position, groups: [], pointer, above: '' });
    else readSteps(walk, steps, addGroup(walk, { kind: 'phase', name, map, position }), index);
  });
}

function readSteps(walk: Walk, steps: YamlSeq, phase: Group, phaseIndex: number): void {
  eachEntry(walk, steps, 'step', (map, index, position) => {
    const name = nameOf(map) || `step-${index}`;
    const phases = partsOf(walk, map, 'phases') ?? partsOf(walk, map, 'sub-phases');
    if (phases === undefined) {
      const pointer: Pointer = { phase: phaseIndex, step: index, subPhase: null };
      addLeaf(walk, { kind: 'step', name, map, position, groups: [phase], pointer, above: `${phase.name}/` });
      return;
    }
    const groups = [phase, addGroup(walk, { kind: 'step', name, map, position })];
    const above = `${phase.name}/${name}/`;
    eachEntry(walk, phases, 'sub-phase', (sub, subIndex, subPosition) => {
      const pointer: Pointer = { phase: phaseIndex, step: index, subPhase: subIndex };
      const subName = nameOf(sub) || `phase-${subIndex}`;
      addLeaf(walk, { kind: 'sub-phase', name: subName, map: sub, position: subPosition, groups, pointer, above });
    });
  });
}

function readList(walk: Walk, list: YamlNode | undefined, status: string): void {
  if (!isSeq(list)) return;
  eachEntry(walk, list, 'task', (map, index, position) => {
    const pointer = { phase: index, step: null, subPhase: null };
    const name = nameOf(map) || `task-${index}`;
    addLeaf(walk, { kind: 'task', name, map, position, groups: [], pointer, above: '' }, status);
  });
}

function eachEntry(
  walk: Walk,
  list: YamlSeq,
  what: string,
  take: (map: YamlMap, index: number, position: Position) => void,
): void {
  const positions = positionsIn(list.items.length);
  list.items.forEach((item, index) => {
    const position = positions[index];
    if (isMap(item) && position) take(item, index, position);
    else {
      const message = `${what} ${index + 1} is not a mapping with an id and a status`;
      walk.problems.push({ level: 'error', ...walk.yaml.place(startOf(item)), message });
    }
  });
}

const POSITIONS = new Map<number, readonly Position[]>();

/** Cached by length: most lists of a sprint have the same length. */
function positionsIn(of: number): readonly Position[] {
  const known = POSITIONS.get(of) ?? Array.from({ length: of }, (_, index) => ({ at: index + 1, of }));
  POSITIONS.set(of, known);
  return known;
}

/** The parts of a phase or step; undefined if the list is empty, because then it is a leaf itself. */
function partsOf(walk: Walk, map: YamlMap, key: string): YamlSeq | undefined {
  const node = nodeOf(map, key);
  if (isSeq(node)) return node.items.length > 0 ? node : undefined;
  if (node !== undefined && plainOf(node) !== null) {
    walk.problems.push({ level: 'error', ...walk.yaml.place(startOf(node)), message: `${key} has to be a list` });
  }
  return undefined;
}

function nameOf(map: YamlMap): string {
  const id = wordOf(map, 'id').trim();
  return /[\s/]/.test(id) ? id.replaceAll(/[\s/]+/g, '-') : id;
}

function addGroup(walk: Walk, group: Omit<Group, 'word'>): Group {
  const { kind, name, map, position } = group;
  const added = { kind, name, map, word: wordOf(map, 'status'), position };
  walk.groups.push(added);
  return added;
}

interface NewLeaf extends Omit<Leaf, 'id' | 'word' | 'status'> {
  /** The names of its groups, with which its id begins. */
  readonly above: string;
}

function addLeaf(walk: Walk, leaf: NewLeaf, otherwise = ''): void {
  const { kind, name, map, position, groups, pointer, above } = leaf;
  const id = uniqueId(walk.taken, `${above}${name}`, '-');
  const text = wordOf(map, 'status');
  const written = text === '' ? nodeOf(map, 'status') : undefined;
  const word = text || otherwise;
  const status = statusOf(word);
  const noWord = text === '' && written !== undefined && plainOf(written) !== null;
  if (status === undefined || noWord) {
    const near = nearest(word, ['pending', 'in-progress', 'completed', 'blocked', 'skipped', 'failed']);
    const message = `${id}: the status "${word}" is not understood; it counts as pending${near ? ` (did you mean ${near}?)` : ''}`;
    walk.problems.push({ level: 'warning', ...walk.yaml.place(startOf(nodeOf(map, 'status'))), message });
  }
  walk.leaves.push({ id, kind, name, map, word, status: status ?? 'pending', position, groups, pointer });
}

function currentLeaf({ leaves }: Walk, root: YamlMap): Leaf | undefined {
  const task = wordOf(root, 'current-task');
  if (task !== '') return leaves.find(leaf => leaf.name === task && isOpen(leaf.status));
  const isMeant = leaves[0]?.kind === 'task' ? undefined : pointedTo(root);
  return isMeant && leaves.find(({ pointer, status }) => isOpen(status) && isMeant(pointer));
}

/** The index of the leaf that the pointer is at, if no work is left there. */
function closedLeafAt({ leaves }: Walk, root: YamlMap): number {
  const isMeant = leaves[0]?.kind === 'task' ? undefined : pointedTo(root);
  return Math.max(0, isMeant ? leaves.findIndex(({ pointer }) => isMeant(pointer)) : 0);
}

/** A test for the leaves that the pointer means: without a step, it means the first open leaf of its phase. */
function pointedTo(root: YamlMap): ((pointer: Pointer) => boolean) | undefined {
  const current = mapOf(root, 'current');
  if (current === undefined) return undefined;
  const [phase, step, subPhase] = ['phase', 'step', 'sub-phase'].map(key => indexOf(current, key));
  if (phase === undefined) return undefined;
  return pointer =>
    pointer.phase === phase &&
    (step === undefined || pointer.step === null || pointer.step === step) &&
    (subPhase === undefined || pointer.subPhase === null || pointer.subPhase === subPhase);
}

function indexOf(map: YamlMap, key: string): number | undefined {
  const word = wordOf(map, key);
  return /^\d+$/.test(word) ? Number(word) : undefined;
}

/** The states of a sprint's leaves, grouped by step: all that a mark needs to know about the leaves it does not change. */

import type { ItemStatus } from '../../protocol.ts';
import { isClosed, isOpen } from '../../state.ts';
import type { YamlMap } from './nodes.ts';
import { type Group, type Leaf, type Pointer, type Progress } from './progress.ts';

export interface Outline {
  readonly text: string;
  readonly root: YamlMap;
  readonly parts: readonly Part[];
  /** The open leaf that `current` points to. */
  readonly current: Spot | undefined;
}

/** The leaves of one step, or one leaf that belongs to no step. */
export interface Part {
  readonly kind: Leaf['kind'];
  /** Indices into `phases` and its `steps`. */
  readonly phase: number;
  readonly step: number | null;
  readonly names: readonly string[];
  readonly states: States;
}

/** What a mark changes: a leaf and its groups. */
export interface MarkedLeaf {
  readonly spot: Spot;
  readonly map: YamlMap;
  /** The phase, then the step. */
  readonly groups: readonly Pick<Group, 'map' | 'word'>[];
}

export interface Spot {
  readonly part: Part;
  readonly index: number;
}

export interface States {
  readonly all: readonly ItemStatus[];
  readonly closed: number;
  readonly areClosed: boolean;
  readonly arePending: boolean;
  /** The leaves that can be worked on: those after a blocked leaf have to wait. */
  readonly ready: readonly number[];
  readonly isBlocked: boolean;
}

export function statesOf(all: readonly ItemStatus[]): States {
  const closed = all.filter(isClosed).length;
  const blocked = all.indexOf('blocked');
  const ready = all.flatMap((status, index) => (isOpen(status) && (blocked < 0 || index < blocked) ? [index] : []));
  const arePending = all.every(status => status === 'pending');
  return { all, closed, areClosed: closed === all.length, arePending, ready, isBlocked: blocked >= 0 };
}

/** Makes the outline of a sprint. */
export function outlineOf({ yaml, leaves, current }: Progress): Outline {
  const parts: Part[] = [];
  for (let first = 0, next = 0; first < leaves.length; first = next) {
    const { kind, groups, pointer } = leaves[first] as Leaf;
    const step = kind === 'sub-phase' ? groups.at(-1) : undefined;
    next = first + 1;
    while (step !== undefined && leaves[next]?.groups.at(-1) === step) next++;
    const own = leaves.slice(first, next);
    const states = statesOf(own.map(({ status }) => status));
    parts.push({ kind, phase: pointer.phase, step: pointer.step, names: own.map(({ name }) => name), states });
  }
  return { text: yaml.text, root: yaml.root, parts, current: current && spotAt(parts, leaves.indexOf(current)) };
}

/** Finds a leaf by its index among all leaves. */
export function spotAt(parts: readonly Part[], leaf: number): Spot | undefined {
  let index = leaf;
  for (const part of parts) {
    if (index < part.names.length) return { part, index };
    index -= part.names.length;
  }
  return undefined;
}

/** The pointer to a leaf of a phase. */
export const pointerTo = ({ part: { kind, phase, step }, index }: Spot): Pointer => ({
  phase,
  step,
  subPhase: kind === 'sub-phase' ? index : null,
});

/**
 * A sprint at a glance, for a mark on one leaf of thousands. Patterns prove that its phases, steps and sub-phases are
 * written as the compiler writes them; what is around them and the one leaf are read. Whatever is not certainly so is
 * not seen at all: undefined means "read the whole".
 */
import type { ItemStatus } from '../../protocol.ts';
import { readBlockYaml, readEntryAt } from './block-yaml.ts';
import { isMap, isSeq, type YamlMap } from './nodes.ts';
import { currentSpot, type MarkedLeaf, type Outline, type Part, type States, statesOf } from './outline.ts';
import { type Head, headOf, headsIn, phaseAt, type SeenEntry, STEPS, stepAt } from './plain-sprint.ts';
import { statusOf } from './status.ts';
import { keysOf, nodeOf, wordOf } from './yaml.ts';

export interface Glance {
  readonly outline: Outline;
  readonly ids: () => readonly string[];
  readonly leaf: (id: string) => MarkedLeaf | undefined;
}

/** A part of the outline with what the ids of its leaves begin with, and where the entries are that hold it. */
interface SeenPart extends Part {
  readonly above: string;
  readonly phaseEntry: SeenEntry;
  readonly stepEntry: SeenEntry | undefined;
}

const PHASES = 'phases:\n';

export function glanceAtSprint(text: string): Glance | undefined {
  const start = text.indexOf(`\n${PHASES}`) + 1;
  const found = start > 0 ? partsAt(text, start + PHASES.length) : undefined;
  const root = found && rootAround(text, start, found.end);
  if (!found || !root) return undefined;
  const { parts } = found;
  return {
    outline: { text, root, parts, current: currentSpot(parts, root) },
    ids: () => parts.flatMap(({ above, names }) => names.map(name => `${above}${name}`)),
    leaf: id => {
      const above = id.slice(0, id.lastIndexOf('/') + 1);
      const name = id.slice(above.length);
      const part = parts.find(each => each.above === above && each.names.includes(name));
      return part && leafIn(text, part, part.names.indexOf(name));
    },
  };
}

/** What stands around the phases; a key that is given twice is a mistake, and a task is pointed to by its name. */
function rootAround(text: string, start: number, end: number): YamlMap | undefined {
  const head = readBlockYaml(text.slice(0, start));
  const tail = end < text.length ? readBlockYaml(text, end) : undefined;
  if (!head || (!tail && end < text.length)) return undefined;
  const root = { ...head, items: [...head.items, ...(tail?.items ?? [])] };
  const keys = keysOf(root);
  const isOdd = keys.includes('phases') || keys.includes('current-task') || new Set(keys).size < root.items.length;
  return isOdd ? undefined : root;
}

interface PartsFound {
  readonly parts: readonly SeenPart[];
  readonly end: number;
}

/** The parts of all phases. With a name that comes twice in its list, ids are more than names. */
function partsAt(text: string, start: number): PartsFound | undefined {
  const parts: SeenPart[] = [];
  const names = new Set<string>();
  const nextStep = stepsIn(text);
  let end = start;
  for (let entry = phaseAt(text, end); entry; entry = phaseAt(text, end)) {
    const phase = names.size;
    if (names.has(entry.name)) return undefined;
    names.add(entry.name);
    end = entry.end;
    if (text.startsWith(STEPS, end)) {
      const next = addSteps(parts, { nextStep, at: end + STEPS.length, phaseEntry: entry, phase });
      if (next === undefined) return undefined;
      end = next;
    } else {
      const own = { above: '', names: [entry.name], states: loneState(entry) };
      parts.push({ kind: 'phase', phase, step: null, phaseEntry: entry, stepEntry: undefined, ...own });
    }
  }
  return parts.length > 0 ? { parts, end } : undefined;
}

interface StepsInput {
  readonly nextStep: (at: number) => SeenStep | undefined;
  readonly at: number;
  readonly phaseEntry: SeenEntry;
  readonly phase: number;
}

/** Where the steps of a phase end; without a step there would be no list of them. */
function addSteps(parts: SeenPart[], { nextStep, at, phaseEntry, phase }: StepsInput): number | undefined {
  const taken = new Set<string>();
  let end = at;
  for (let found = nextStep(end); found; found = nextStep(end)) {
    const { entry, looks } = found;
    const { name } = entry;
    if (taken.has(name) || looks?.isOdd) return undefined;
    const step = taken.size;
    if (looks) {
      const { names, states } = looks;
      const above = `${phaseEntry.name}/${name}/`;
      parts.push({ kind: 'sub-phase', phase, step, names, states, above, phaseEntry, stepEntry: entry });
    } else {
      const own = { above: `${phaseEntry.name}/`, names: [name], states: loneState(entry) };
      parts.push({ kind: 'step', phase, step, phaseEntry, stepEntry: entry, ...own });
    }
    taken.add(name);
    end = entry.end;
  }
  return taken.size > 0 ? end : undefined;
}

const LONE: Partial<Record<ItemStatus, States>> = {};

function loneState({ word }: SeenEntry): States {
  const status = statusOf(word) ?? 'pending';
  return (LONE[status] ??= statesOf([status]));
}

interface SeenStep {
  readonly entry: SeenEntry;
  /** Of its sub-phases, where it has some. */
  readonly looks: Looks | undefined;
}

/** Names and states of the sub-phases of a step; most steps look like others, whatever their prompts say. */
interface Looks {
  readonly names: readonly string[];
  readonly states: States;
  /** A name comes twice. */
  readonly isOdd: boolean;
}

/** Finds one step after the other. */
function stepsIn(text: string): (at: number) => SeenStep | undefined {
  const known = new Map<string, Looks>();
  return at => {
    const entry = stepAt(text, at);
    return entry && { entry, looks: entry.parts === undefined ? undefined : looksOf(entry.parts, known) };
  };
}

function looksOf(parts: string, known: Map<string, Looks>): Looks {
  const lines = headsIn(parts);
  const key = lines.join('');
  const looks = known.get(key) ?? lookAt(lines.map(headOf));
  known.set(key, looks);
  return looks;
}

function lookAt(heads: readonly Head[]): Looks {
  const names = heads.map(({ name }) => name);
  const states = statesOf(heads.map(({ word }) => statusOf(word) ?? 'pending'));
  return { names, states, isOdd: new Set(names).size < names.length };
}

/** One leaf with what it is part of, taken apart. */
function leafIn(text: string, part: SeenPart, index: number): MarkedLeaf | undefined {
  const { phaseEntry, stepEntry } = part;
  // What is behind its own fields is its steps, which nobody asks for.
  const phase = readEntryAt(text.slice(0, phaseEntry.end), phaseEntry.start);
  const step = stepEntry && readEntryAt(text.slice(0, stepEntry.end), stepEntry.start);
  if (!phase || (stepEntry && !step)) return undefined;
  const spot = { part, index };
  const group = (map: YamlMap) => ({ map, word: wordOf(map, 'status') });
  if (!step) return { spot, map: phase, groups: [] };
  if (part.kind === 'step') return { spot, map: step, groups: [group(phase)] };
  const subPhases = nodeOf(step, 'phases');
  const map = isSeq(subPhases) ? subPhases.items[index] : undefined;
  return isMap(map) ? { spot, map, groups: [group(phase), group(step)] } : undefined;
}

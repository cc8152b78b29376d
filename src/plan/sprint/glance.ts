/**
 * A sprint at a glance, for a mark on one leaf of thousands. Patterns prove that its phases, steps and sub-phases are
 * written as the compiler writes them; what is around them and the one leaf are read. Whatever is not certainly so is
 * not seen at all: undefined means "read the whole".
 */
import type { ItemStatus } from '../../protocol.ts';
import { readBlockYaml, readEntryAt } from './block-yaml.ts';
import { isMap, isSeq, type YamlMap } from './nodes.ts';
import { currentSpot, type MarkedLeaf, type Outline, type Part, type States, statesOf } from './outline.ts';
import { HEADS, type PlainEntry, phaseAt, STEPS, stepAt } from './plain-sprint.ts';
import { statusOf } from './status.ts';
import { keysOf, nodeOf, wordOf } from './yaml.ts';

export interface Glance {
  readonly outline: Outline;
  readonly ids: () => readonly string[];
  readonly leaf: (id: string) => MarkedLeaf | undefined;
}

/** A part of the outline with what the ids of its leaves begin with, and the entries that hold it. */
interface SeenPart extends Part {
  readonly above: string;
  readonly phaseEntry: PlainEntry;
  readonly stepEntry: PlainEntry | undefined;
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
  let end = start;
  for (let entry = phaseAt(text, end); entry; entry = phaseAt(text, end)) {
    const phase = names.size;
    if (names.has(entry.name)) return undefined;
    names.add(entry.name);
    end = entry.end;
    if (text.startsWith(STEPS, end)) {
      const next = addSteps(parts, { text, at: end + STEPS.length, entry, phase });
      if (next === undefined) return undefined;
      end = next;
    } else {
      const own = { above: '', names: [entry.name], states: statesOf([stateFor(entry.word)]) };
      parts.push({ kind: 'phase', phase, step: null, phaseEntry: entry, stepEntry: undefined, ...own });
    }
  }
  return parts.length > 0 ? { parts, end } : undefined;
}

interface Steps {
  readonly text: string;
  readonly at: number;
  /** The phase they belong to. */
  readonly entry: PlainEntry;
  readonly phase: number;
}

/** Where the steps of a phase end; without a step there would be no list of them. */
function addSteps(parts: SeenPart[], { text, at, entry: phaseEntry, phase }: Steps): number | undefined {
  const names = new Set<string>();
  let end = at;
  for (let entry = stepAt(text, end); entry; entry = stepAt(text, end)) {
    const { name, word } = entry;
    const looks = entry.parts === undefined ? undefined : looksOf(entry.parts);
    if (names.has(name) || looks?.isOdd) return undefined;
    const above = looks ? `${phaseEntry.name}/${name}/` : `${phaseEntry.name}/`;
    const own = looks ?? { names: [name], states: statesOf([stateFor(word)]) };
    const kind = looks ? 'sub-phase' : 'step';
    const { names: inner, states } = own;
    parts.push({ kind, phase, step: names.size, names: inner, states, above, phaseEntry, stepEntry: entry });
    names.add(name);
    end = entry.end;
  }
  return names.size > 0 ? end : undefined;
}

/** Names and states of the sub-phases of a step. */
interface Looks {
  readonly names: readonly string[];
  readonly states: States;
  /** A name comes twice. */
  readonly isOdd: boolean;
}

/** Most steps look like others, whatever their prompts say. */
const seen = new Map<string, Looks>();

function looksOf(parts: string): Looks {
  const heads = parts.match(HEADS) ?? [];
  const key = heads.join('');
  const looks = seen.get(key) ?? lookAt(heads);
  seen.set(key, looks);
  return looks;
}

function lookAt(heads: readonly string[]): Looks {
  const words = heads.map(head => head.trim().split(/\s+/));
  const names = words.map(([, , name = '']) => name);
  const states = statesOf(words.map(([, , , , word = '']) => stateFor(word)));
  return { names, states, isOdd: new Set(names).size < names.length };
}

const stateFor = (word: string): ItemStatus => statusOf(word) ?? 'pending';

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

/** Turns the leaves of a sprint into items of a plan. */

import type { Item } from '../../protocol.ts';
import { isOpen } from '../../state.ts';
import { once } from '../../util/once.ts';
import { oneLine } from '../../util/show.ts';
import { isSeq, type YamlMap, type YamlNode } from './nodes.ts';
import type { Leaf, Position, Progress } from './progress.ts';
import { mapOf, nodeOf, scalarText, startOf, wordOf } from './yaml.ts';

const TITLE_CHARS = 72;

/** Why an open item is not picked automatically. */
const PASSED_OVER = 'is open, but the pointer of the sprint has passed it';

/** The items of a sprint. Leaves are done in order: each depends on the one before it. */
export function itemsOf({ yaml, leaves, current, pointedAt }: Progress): readonly Item[] {
  const blocked = leaves.findIndex(leaf => leaf.status === 'blocked');
  return leaves.map((leaf, index) => {
    const { map } = leaf;
    // With a pointer, only the leaf it points to is in progress; one that was begun elsewhere was left unfinished.
    const status = current && leaf !== current && leaf.status === 'in-progress' ? 'pending' : leaf.status;
    const note = status === 'blocked' || status === 'skipped' ? wordOf(map, 'error') || wordOf(map, 'reason') : '';
    const model = wordOf(map, 'model') || leaf.groups.map(group => wordOf(group.map, 'model')).findLast(Boolean) || '';
    const effort = wordOf(map, 'effort');
    // A list of tasks implies no order.
    const before = leaf.kind === 'task' ? undefined : leaves[index - 1];
    // The pointer may have passed over open leaves, but not over a blocked one.
    const isPointedTo = leaf === current && (blocked < 0 || blocked > index);
    // Lazy: of thousands of items only one is usually shown.
    const words = { title: once(() => titleOf(leaf)), body: once(() => bodyOf(leaf)) };
    const allow = liftsAny(leaf) ? allowOf(leaf) : [];
    return {
      id: leaf.id,
      get title() {
        return words.title();
      },
      status,
      ...(leaf === current ? { priority: 0 } : {}),
      dependsOn: before && !isPointedTo ? [before.id] : [],
      ...(index < pointedAt && isOpen(status) && leaf.kind !== 'task' ? { passedOver: PASSED_OVER } : {}),
      get line() {
        return yaml.place(startOf(map)).line;
      },
      get body() {
        return words.body();
      },
      get section() {
        return sectionOf(leaf);
      },
      criteria: [wordOf(map, 'done-when')].filter(Boolean),
      verify: checksOf(map),
      // Most phases of a workflow inspect, plan or check: an empty diff is no sign of failure.
      changeOptional: leaf.kind !== 'task' && wordOf(map, 'changes') !== 'required',
      ...(note ? { note } : {}),
      ...(model ? { model } : {}),
      ...(effort ? { effort } : {}),
      ...(allow.length > 0 ? { allow } : {}),
    };
  });
}

/** The guards lifted for a leaf: by itself, and by the step and the phase it belongs to. */
export const allowOf = ({ map, groups }: Leaf): readonly string[] => [
  ...new Set([...groups.map(group => group.map), map].flatMap(each => wordsOf(nodeOf(each, 'allow')))),
];

/** A cheap test, because nearly no leaf lifts a guard. */
export const liftsAny = ({ map, groups }: Leaf): boolean =>
  nodeOf(map, 'allow') !== undefined || groups.some(group => nodeOf(group.map, 'allow') !== undefined);

/** `Phase development 2/4, step step-0 1/3, sub-phase implement 2/5` */
function positionOf({ kind, name, position, groups }: Leaf): string {
  if (kind === 'task') return '';
  const part = (what: string, called: string, { at, of }: Position) => `${what} ${called} ${at}/${of}`;
  const parts = [...groups.map(group => part(group.kind, group.name, group.position)), part(kind, name, position)];
  const line = parts.join(', ');
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}

function titleOf(leaf: Leaf): string {
  const step = leaf.kind === 'sub-phase' ? leaf.groups.at(-1) : undefined;
  const words = firstLine(step ? promptOf(step.map) : promptOf(leaf.map)) || step?.name || '';
  if (leaf.kind === 'step' || leaf.kind === 'task') return oneLine(words || leaf.name, TITLE_CHARS);
  return oneLine(words ? `${leaf.name}: ${words}` : leaf.name, TITLE_CHARS);
}

function bodyOf(leaf: Leaf): string {
  const own = promptOf(leaf.map);
  const step = leaf.kind === 'sub-phase' ? leaf.groups.at(-1) : undefined;
  const given = step ? promptOf(step.map) : '';
  const carried = own.includes(given) || squeeze(own).includes(squeeze(given));
  return [positionOf(leaf), own, carried ? '' : `The step it belongs to:\n\n${given}`].filter(Boolean).join('\n\n');
}

/** The prompts of the phases around it; the prompt of its step is in its body. */
function sectionOf({ kind, groups }: Leaf): string {
  return groups
    .slice(0, kind === 'sub-phase' ? -1 : undefined)
    .map(({ name, map }) => {
      const words = (wordOf(map, 'prompt') || wordOf(map, 'description')).trim();
      return words === '' ? '' : `## ${name}\n\n${words}`;
    })
    .filter(Boolean)
    .join('\n\n');
}

/** The prompt, or else another field that describes it. */
const promptOf = (map: YamlMap): string =>
  (wordOf(map, 'prompt') || wordOf(map, 'description') || wordOf(map, 'title') || wordOf(map, 'name')).trim();

const firstLine = (text: string): string => /^[\s#*]*(\S.*)$/m.exec(text)?.[1]?.replace(/\*+$/, '') ?? '';

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A field as a list; a single word is a list of one. */
function wordsOf(node: YamlNode | undefined): readonly string[] {
  const words = isSeq(node) ? node.items.map(item => scalarText(item)) : [scalarText(node)];
  return words.map(word => word.trim()).filter(Boolean);
}

/** The commands in `verify` of a phase, and the script of its gate. */
function checksOf(map: YamlMap): readonly string[] {
  const gate = mapOf(map, 'gate');
  return [...wordsOf(nodeOf(map, 'verify')), gate ? wordOf(gate, 'script').trim() : ''].filter(Boolean);
}

/** Kiro and cc-sdd: .kiro/specs/<feature>/tasks.md, numbered boxes; only boxes without parts are items. */
import { basename, dirname, join } from 'node:path';
import type { Item, PlanFiles, Problem } from '../../protocol.ts';
import { once } from '../../util/once.ts';
import { readTaskText } from '../task-text.ts';
import { type Document, markdownIn, present, rootOf } from './beside.ts';
import { idsIn, orderOf, readWaves } from './kiro-order.ts';
import { leavesOf, type Node, NUMBER, PARALLEL, treeOf } from './kiro-tree.ts';
import type { Line } from './lines.ts';
import {
  type DialectReading,
  type Entry,
  entryFrom,
  markdownFormat,
  type ParentBox,
  type Place,
} from './markdown-plan.ts';
import { outlineOf, proseAround } from './outline.ts';
import { strays } from './strays.ts';

/** The format of Kiro. */
export const kiro = markdownFormat({
  name: 'kiro',
  isOne: path => /(?:^|[\\/])\.kiro[\\/]specs[\\/][^\\/]+[\\/]tasks\.md$/.test(path),
  inFolder: ['tasks.md'],
  read,
  nameOf: path => basename(dirname(path)),
  tick: 'x',
  documents,
  empty: 'the file holds no task such as "- [ ] 1.1 do this"',
});

function read(lines: readonly Line[], place: Place): DialectReading {
  const outline = outlineOf(lines, ({ box, hidden }) => box !== undefined && hidden === undefined);
  const problems: Problem[] = [
    ...strays(
      lines.filter(({ box, hidden }) => box !== undefined && hidden !== undefined),
      'inside a code fence or a comment',
    ),
  ];
  const nodes = treeOf(outline.tasks, problems);
  const leaves = nodes.filter(({ parts }) => parts.length === 0);
  const waves = readWaves(lines);
  if (waves.problem) problems.push(waves.problem);
  const order = orderOf({ leaves, nodes, waves: waves.waves, isChained: place !== undefined && isCcSdd(place) });
  if (place) problems.push(...approval(place));
  const entries = leaves.map(node => entryOf(node, order.get(node.id)));
  return { entries, problems, about: outline.about };
}

interface Order {
  readonly dependsOn: readonly string[];
  readonly parallel: boolean;
}

function entryOf(node: Node, order: Order | undefined): Entry {
  const { owned, id, optional } = node;
  const { under, line } = owned;
  const words = readTaskText(line.box?.text ?? '');
  const title = words.title.replace(NUMBER, '').replace(PARALLEL, '').trim() || words.title;
  const section = once(() => sectionOf(node));
  const refs = refsOf(node);
  const parallel = node.parallel || order?.parallel === true;
  const entry = entryFrom({
    owned,
    id,
    // `~` means queued or partly done: there is still work to do.
    marks: { '-': 'in-progress', '~': 'pending' },
    parents: parentsOf(node),
    more: {
      title,
      dependsOn: order?.dependsOn ?? [],
      criteria: pointsIn(under),
      body: proseIn(under),
      // A checkpoint asks for a review, and often there is nothing to change.
      changeOptional: /\bcheckpoint\b/i.test(title),
      get section() {
        return section();
      },
      ...(refs.length > 0 && { refs }),
      ...(parallel && { parallel }),
      ...(optional && { optional }),
    },
  });
  if (!optional || entry.item.status === 'done') return entry;
  const item: Item = Object.defineProperties({} as Item, {
    ...Object.getOwnPropertyDescriptors(entry.item),
    status: { value: 'skipped', enumerable: true },
    note: { value: 'optional', enumerable: true },
  });
  return { ...entry, item };
}

/** Every box above a task, with the parts that have to be done before that box counts as done. */
function parentsOf(node: Node): readonly ParentBox[] {
  const parents: ParentBox[] = [];
  for (let at = node.parent; at; at = at.parent) {
    const leaves = leavesOf(at);
    const required = leaves.filter(({ optional }) => !optional);
    const box = at.owned.line.box;
    if (box) parents.push({ box, parts: (required.length > 0 ? required : leaves).map(({ id }) => id) });
  }
  return parents;
}

/** Its own references, or else those of its parent: a part without any is about the same requirements. */
function refsOf(node: Node): readonly string[] {
  const own = refsIn(node.owned.under);
  return own.length > 0 || !node.parent ? own : refsOf(node.parent);
}

const REFERENCE = /_?\*{0,2}(?:Requirements?|Validates)\*{0,2}:/i;

/** `_Requirements: 1.2, 3.4_` and `**Validates: Requirements 1.2**`. */
function refsIn(under: readonly Line[]): readonly string[] {
  const named = under.filter(({ text }) => REFERENCE.test(text)).map(({ text }) => text.slice(text.search(REFERENCE)));
  return [...new Set(named.flatMap(text => idsIn(text)))];
}

const BULLET = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/;
const isDetail = ({ text }: Line): boolean => BULLET.test(text);

/** `- _Requirements: 1.2_`, `- _Boundary: Cart_`: metadata of the task, not a criterion. */
const isRemark = ({ text }: Line): boolean => /^[ \t]*[-*+][ \t]+_[^_].*_[ \t]*$/.test(text);
const isPoint = (line: Line): boolean => isDetail(line) && !isRemark(line);

/** Its bullets, which are its criteria. */
const pointsIn = (under: readonly Line[]): readonly string[] =>
  under.filter(isPoint).map(({ text }) => text.replace(BULLET, '').trim());

const proseIn = (under: readonly Line[]): string =>
  under
    .filter(line => !isPoint(line))
    .map(line => (isRemark(line) ? `- ${line.text.replace(BULLET, '').trim().slice(1, -1)}` : line.text.trim()))
    .join('\n')
    .trim();

function sectionOf(node: Node): string {
  const above: string[] = [];
  for (let at = node.parent; at; at = at.parent) {
    const { line, under } = at.owned;
    const own = under.filter(({ text }) => text !== '').map(({ text }) => text);
    above.unshift([`Part of: ${line.box?.text ?? ''}`, ...own].join('\n'));
  }
  return [proseAround(node.owned), ...above].filter(Boolean).join('\n\n');
}

const isCcSdd = ({ path, files }: Place): boolean => files.list(dirname(path)).includes('spec.json');

/** cc-sdd does not start before a person has approved the tasks. */
function approval({ path, files }: Place): readonly Problem[] {
  const text = isCcSdd({ path, files }) ? files.read(join(dirname(path), 'spec.json')) : undefined;
  if (text === undefined || !/"tasks"\s*:\s*\{[^}]*"approved"\s*:\s*false/.test(text)) return [];
  const message = 'spec.json says that these tasks are not approved yet; look at them before a run';
  return [{ level: 'warning', line: 1, column: 1, message }];
}

function documents(path: string, files: PlanFiles): readonly Document[] {
  const folder = dirname(path);
  const top = join(folder, '..', '..', '..');
  const steering = markdownIn(join(top, '.kiro', 'steering'), files).filter(file => /\.md$/i.test(file));
  const known = ['requirements.md', 'bugfix.md', 'design.md', 'research.md'];
  return present({ root: rootOf(path, files, top), files }, [
    ...known.map(name => [join(folder, name), name.replace('.md', '')] as const),
    ...steering.map(file => [file, 'steering', 'project'] as const),
  ]);
}

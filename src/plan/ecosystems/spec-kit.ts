/** spec-kit: specs/<feature>/tasks.md, one line `- [ ] T001 [P] [US1] …` per task, in phases. */
import { basename, dirname, join } from 'node:path';
import type { PlanFiles, Problem } from '../../protocol.ts';
import { once } from '../../util/once.ts';
import { readTaskText, slugOf } from '../task-text.ts';
import { type TakenIds, uniqueId } from '../unique-id.ts';
import { type Document, markdownIn, present, rootOf } from './beside.ts';
import { type Line, linesOf } from './lines.ts';
import { type DialectReading, type Entry, entryFrom, markdownFormat, type Place } from './markdown-plan.ts';
import { groupOf, type Owned, outlineOf, proseAround } from './outline.ts';
import { strays } from './strays.ts';

/** The format of spec-kit. */
export const specKit = markdownFormat({
  name: 'spec-kit',
  isOne,
  inFolder: ['tasks.md'],
  read,
  nameOf: path => basename(dirname(path)),
  tick: 'X',
  documents,
  empty: 'the file holds no task such as "- [ ] T001 do this"; make them with the tasks command of spec-kit',
});

const isFeature = (folder: string, files: PlanFiles): boolean => {
  const names = files.list(folder);
  return names.includes('spec.md') || names.includes('plan.md') || files.isFolder(join(folder, '../../.specify'));
};

/** Other tools also use a folder called specs, but theirs has no spec.md and no plan.md. */
function isOne(path: string, files: PlanFiles): boolean {
  const folder = dirname(path);
  return (
    basename(path) === 'tasks.md' &&
    basename(dirname(folder)) === 'specs' &&
    !path.includes('.kiro') &&
    isFeature(folder, files)
  );
}

/** A task starts with an id; FIX-1 is a task that a review added. */
const ID = /^(?:\*\*|`)?(T\d{1,5}[a-z]?|FIX-\d+)\b/;
const TAGS = /^(?:\[[^\]]{1,40}\][ \t]*)+/;
const DEPENDS = /\b(?:depends? on|after|requires)\b[^()\n]*?((?:\bT\d{1,5}[a-z]?\b[^()T\n]*)+)/gi;

function read(lines: readonly Line[], place: Place): DialectReading {
  const boxes = lines.filter(({ box }) => box !== undefined);
  const seen = boxes.filter(({ hidden }) => hidden === undefined);
  // A handwritten file may have no ids at all: then every box is a task.
  const hasIds = seen.some(isNamed);
  const isTask = (line: Line) => line.box !== undefined && line.hidden === undefined && (!hasIds || isNamed(line));
  const outline = outlineOf(lines, isTask);
  const own = outline.tasks.flatMap(({ under }) => under).filter(({ box }) => box !== undefined);
  const left = seen.filter(line => hasIds && !isNamed(line) && !own.includes(line));
  const problems: Problem[] = [
    ...strays(left, 'without an id such as T001, which the others have'),
    ...strays(
      boxes.filter(line => line.hidden !== undefined && isNamed(line)),
      'inside a code fence or a comment',
    ),
    ...openChecklists(place),
  ];
  const taken: TakenIds = new Map();
  const entries = inOrderOfPhases(
    outline.tasks.map(owned => {
      const wanted = idOf(owned.line) ?? slugOf(readTaskText(owned.line.box?.text ?? '').title);
      const id = uniqueId(taken, wanted, '-');
      if (id !== wanted && idOf(owned.line)) {
        const message = `the id "${wanted}" is used more than once; this one is "${id}"`;
        problems.push({ level: 'warning', line: owned.line.number, column: 1, message });
      }
      return { owned, id };
    }),
    hasIds,
  );
  return { entries, problems, about: outline.about };
}

const idOf = ({ box }: Line): string | undefined => ID.exec(box?.text ?? '')?.[1];
const isNamed = (line: Line): boolean => idOf(line) !== undefined;

interface Named {
  readonly owned: Owned;
  readonly id: string;
}

/**
 * A phase starts when the one before it is done. Within a phase, each task waits for the previous one; neighbours marked
 * [P] wait for the task before all of them, and the next task waits for all of them. This holds only if tasks have ids:
 * handwritten lists promise no order.
 */
function inOrderOfPhases(tasks: readonly Named[], isOrdered: boolean): readonly Entry[] {
  const known = new Set(tasks.map(({ id }) => id));
  let phase = tasks[0] && groupOf(tasks[0].owned);
  let before: readonly string[] = [];
  let now: string[] = [];
  let together: string[] = [];
  return tasks.map(({ owned, id }) => {
    const its = groupOf(owned);
    if (its !== phase) {
      if (now.length > 0) before = now;
      [phase, now, together] = [its, [], []];
    }
    const tags = tagsOf(owned.line);
    const parallel = tags.includes('P');
    if (!parallel && together.length > 0) [before, together] = [together, []];
    const order = isOrdered ? before : [];
    const asked = namedIn(owned, id).filter(other => known.has(other));
    now.push(id);
    if (parallel) together.push(id);
    else before = [id];
    const section = once(() => proseAround(owned));
    const refs = tags.filter(tag => /^US\d+$/i.test(tag));
    return entryFrom({
      owned,
      id,
      marks: { '~': 'in-progress', '-': 'skipped' },
      more: {
        title: titleOf(owned.line),
        dependsOn: [...new Set([...order, ...asked])],
        criteria: owned.under.flatMap(({ box }) => (box ? [readTaskText(box.text).title] : [])),
        get section() {
          return section();
        },
        ...(refs.length > 0 && { refs }),
        ...(parallel && { parallel }),
      },
    });
  });
}

/** The text after the id, with its tags. */
function afterId({ box }: Line): string {
  const text = readTaskText(box?.text ?? '').title;
  return text.replace(ID, '').trim();
}

const tagsOf = (line: Line): readonly string[] =>
  [...(TAGS.exec(afterId(line))?.[0] ?? '').matchAll(/\[([^\]]+)\]/g)].map(([, tag = '']) => tag.trim());

/** The title without [P] and [US1], which are parsed separately; any other bracket is part of the title. */
function titleOf(line: Line): string {
  const title = afterId(line)
    .replace(TAGS, tags => tags.replace(/\[(?:P|US\d+)\][ \t]*/gi, ''))
    .trim();
  return title || afterId(line) || (line.box?.text ?? '');
}

function namedIn({ line, under }: Owned, own: string): readonly string[] {
  const words = [line, ...under].map(({ text }) => text).join('\n');
  if (!/depends? on|requires|after/i.test(words)) return [];
  return [...words.matchAll(DEPENDS)].flatMap(([, ids = '']) => rangesOf(ids)).filter(id => id !== own);
}

/** `T012-T014` means three tasks. */
function rangesOf(words: string): readonly string[] {
  return [...words.matchAll(/\bT(\d{1,5})[a-z]?\b(?:[ \t]*(?:-|–|\.\.)[ \t]*T(\d{1,5})\b)?/g)].flatMap(
    ([whole, first = '', last]) => {
      if (last === undefined) return [whole];
      const count = Number(last) - Number(first);
      if (count < 0 || count > 200) return [];
      return Array.from({ length: count + 1 }, (_, n) => `T${String(Number(first) + n).padStart(first.length, '0')}`);
    },
  );
}

/** spec-kit's own command asks a person before it works on a feature with open checklists. */
function openChecklists({ path, files }: Place): readonly Problem[] {
  const folder = join(dirname(path), 'checklists');
  if (!files.isFolder(folder)) return [];
  return files.list(folder).flatMap(name => {
    const text = /\.md$/i.test(name) ? files.read(join(folder, name)) : undefined;
    const open = text === undefined ? 0 : linesOf(text).filter(({ box }) => box?.mark === ' ').length;
    if (open === 0) return [];
    const message = `checklists/${name} has ${open} open ${open === 1 ? 'point' : 'points'}; a person looks at those`;
    return [{ level: 'warning' as const, line: 1, column: 1, message }];
  });
}

function documents(path: string, files: PlanFiles): readonly Document[] {
  const folder = dirname(path);
  const top = join(folder, '..', '..');
  return present({ root: rootOf(path, files, top), files }, [
    [join(folder, 'plan.md'), 'plan'],
    [join(folder, 'spec.md'), 'specification'],
    [join(folder, 'data-model.md'), 'data model'],
    ...markdownIn(join(folder, 'contracts'), files).map(file => [file, 'contract'] as const),
    [join(folder, 'research.md'), 'research'],
    [join(folder, 'quickstart.md'), 'quick start'],
    [join(top, '.specify', 'memory', 'constitution.md'), 'constitution', 'project'],
  ]);
}

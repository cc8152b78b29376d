/** Plans whose tasks are sections, `### Task 3: title`; the boxes of a section are the criteria of its task. */

import { basename, dirname, join } from 'node:path';
import type {
  Item,
  ItemStatus,
  Mark,
  NewItem,
  Plan,
  PlanFiles,
  PlanFormat,
  PlanPlace,
  Problem,
} from '../../protocol.ts';
import { fail, ok, type Result } from '../../util/result.ts';
import { oneLine } from '../../util/show.ts';
import { conflictMessage } from '../conflict.ts';
import { textDocument } from '../document.ts';
import { applyEdits, type Edit } from '../edit.ts';
import { type FrontMatter, readFrontMatter } from '../front-matter.ts';
import { firstError, inOrder, wholePlan } from '../lazy-plan.ts';
import { namedItem, refuseNew } from '../named-item.ts';
import { isPromptName } from '../prompt.ts';
import { readTaskText } from '../task-text.ts';
import { type TakenIds, uniqueId } from '../unique-id.ts';
import { specsBeside } from './beside.ts';
import { type Line, linesBelowSettings, linesOf } from './lines.ts';
import { wordsOf } from './outline.ts';
import { strays } from './strays.ts';

/** The format of plans with one heading per task. */
export const taskHeadings: PlanFormat = {
  name: 'task-headings',
  find,
  parse: (text, path, files) =>
    textDocument(text, words => {
      const reading = read(words);
      return {
        plan: planOf(reading, { path, files }),
        mark: mark => marked(words, reading, mark),
        append: item => appended(words, reading, item),
      };
    }),
};

const HEADING = /^### (?:Task|Iteration) ([^:\s]+):[ \t]*(\S.*)$/;

function find(path: string, files: PlanFiles): string | undefined {
  if (!/\.(?:md|markdown)$/i.test(path) || isPromptName(basename(path)) || files.isFolder(path)) return undefined;
  const text = files.read(path) ?? '';
  return /^### (?:Task|Iteration) /m.test(text) && sectionsOf(linesOf(text)).length > 0 ? path : undefined;
}

interface TaskSection {
  readonly id: string;
  readonly heading: Line;
  readonly title: string;
  /** Lines under its heading, up to the next task or the next higher heading. */
  readonly lines: Line[];
}

function sectionsOf(lines: readonly Line[]): readonly TaskSection[] {
  const sections: TaskSection[] = [];
  const taken: TakenIds = new Map();
  let open: TaskSection | undefined;
  for (const line of lines) {
    const found = line.heading?.depth === 3 ? HEADING.exec(line.text) : null;
    if (found) {
      open = { id: uniqueId(taken, found[1] ?? '', '-'), heading: line, title: found[2] ?? '', lines: [] };
      sections.push(open);
    } else if (line.heading && line.heading.depth < 3) open = undefined;
    else open?.lines.push(line);
  }
  return sections;
}

/** A box whose text contains a box explains the notation and is not a criterion. */
const isPoint = ({ box, hidden }: Line): boolean =>
  box !== undefined && hidden === undefined && !/\[[ xX]\]/.test(box.text);

const isTicked = ({ box }: Line): boolean => box?.mark === 'x' || box?.mark === 'X';

interface Read {
  readonly sections: readonly TaskSection[];
  readonly lines: readonly Line[];
  readonly problems: readonly Problem[];
  /** No task has a box, so no state can be written into the file. */
  readonly isBare: boolean;
  readonly settings: FrontMatter;
}

function read(text: string): Read {
  const lines = linesBelowSettings(text);
  const sections = sectionsOf(lines);
  const points = new Set(sections.flatMap(section => section.lines.filter(isPoint)));
  const isBare = sections.length > 0 && points.size === 0;
  const problems: Problem[] = lines
    .filter(({ conflict }) => conflict)
    .map(({ number }) => ({ level: 'error', line: number, column: 1, message: conflictMessage }));
  const warn = (line: number, message: string) => problems.push({ level: 'warning', line, column: 1, message });
  if (isBare) {
    const message =
      'no task here has a box, so nothing is written into this file: what is done is in the journal alone';
    warn(sections[0]?.heading.number ?? 1, message);
  }
  for (const { id, heading, lines: own } of isBare ? [] : sections) {
    if (!own.some(isPoint)) warn(heading.number, `${id}: it has no boxes as the others have, so it is left out`);
  }
  const left = lines.filter(line => line.box !== undefined && line.hidden === undefined && !points.has(line));
  const headed = new Set(sections.map(({ heading }) => heading.number));
  for (const { heading, number, hidden } of lines) {
    if (
      hidden === undefined &&
      heading?.depth === 3 &&
      !headed.has(number) &&
      /^(?:Task|Iteration)\b/.test(heading.name)
    )
      warn(number, `"${heading.name.slice(0, 60)}" is not read as a task: it has to be "### Task 1: title"`);
  }
  problems.push(...strays(left, 'it is not under a "### Task N:" heading, or has boxes in its text'));
  if (sections.length === 0) {
    problems.push({ level: 'error', line: 1, column: 1, message: 'the plan holds no "### Task 1: title" heading' });
  }
  return { sections, lines, problems: inOrder(problems), isBare, settings: readFrontMatter(text) };
}

function planOf({ sections, lines, problems, isBare, settings }: Read, { path, files }: PlanPlace): Plan {
  const title = lines.find(({ heading }) => heading?.depth === 1)?.heading?.name;
  const before = lines.filter(({ number }) => number < (sections[0]?.heading.number ?? Number.POSITIVE_INFINITY));
  const plan = wholePlan({
    format: 'task-headings',
    path,
    name: title ?? basename(path).replace(/\.[^.]*$/, ''),
    items: sections.map(section => itemOf(section, isBare)),
    problems,
    instructions: files.read(join(dirname(path), 'PROMPT.md')) ?? '',
    repeats: false,
    about: [settings.about, wordsOf(before.filter(({ heading }) => heading?.depth !== 1))].filter(Boolean).join('\n\n'),
    ...(settings.testCommand === '' ? {} : { testCommand: settings.testCommand }),
    ...(isBare ? { marks: 'journal' as const } : {}),
  });
  return { ...plan, documents: specsBeside(path, files) };
}

function itemOf({ id, title, heading, lines }: TaskSection, isBare: boolean): Item {
  const points = lines.filter(isPoint);
  const words = readTaskText(title);
  const stepped = words.markers.find(({ kind }) => kind === 'blocked' || kind === 'skipped');
  const isDone = points.length > 0 && points.every(isTicked);
  const isLeftOut = points.length === 0 && !isBare;
  const status: ItemStatus = isDone
    ? 'done'
    : ((stepped?.kind as ItemStatus | undefined) ?? (isLeftOut ? 'skipped' : 'pending'));
  const note = isDone ? '' : (stepped?.why ?? (isLeftOut ? 'it has no boxes' : ''));
  return {
    id,
    title: words.title,
    status,
    dependsOn: [],
    line: heading.number,
    body: wordsOf(lines.filter(line => !isPoint(line))),
    criteria: points.map(({ box }) => box?.text ?? ''),
    verify: [],
    changeOptional: false,
    ...(note === '' ? {} : { note }),
  };
}

function marked(text: string, { sections, problems }: Read, { id, to, note }: Mark): Result<string> {
  const found = namedItem(sections, id, firstError(problems));
  if (!found.ok) return found;
  const section = found.value;
  const points = section.lines.filter(isPoint);
  const used = sections.flatMap(({ lines }) => lines.filter(isPoint)).find(isTicked)?.box?.mark ?? 'x';
  const changed = points.filter(point =>
    to === 'done' ? !isTicked(point) : to === 'pending' && points.every(isTicked),
  );
  const edits: Edit[] = changed.flatMap(({ box }) =>
    box ? [{ start: box.at, end: box.at + box.mark.length, text: to === 'done' ? used : ' ' }] : [],
  );
  // A task without boxes has no place for a tick, and gets no marker either.
  return ok(
    points.length === 0
      ? text
      : applyEdits(text, [...edits, ...markerEdits(section, { to, ...(note === undefined ? {} : { note }) })]),
  );
}

function markerEdits({ heading, title }: TaskSection, { to, note }: Pick<Mark, 'to' | 'note'>): readonly Edit[] {
  const start = heading.end - title.length;
  const old = readTaskText(title).markers.filter(({ kind }) => kind === 'blocked' || kind === 'skipped');
  const gone = old.map(marker => ({ start: start + marker.start, end: start + marker.end, text: '' }));
  if (to !== 'blocked' && to !== 'skipped') return gone;
  const why = oneLine(note ?? '', 200)
    .replaceAll('[', '(')
    .replaceAll(']', ')');
  const words = ` [${to.toUpperCase()}${why === '' ? '' : `: ${why}`}]`;
  return [...gone, { start: heading.end, end: heading.end, text: words }];
}

/** Adds a section after the last one, with a box for each criterion. */
function appended(text: string, { sections, problems, isBare }: Read, item: NewItem): Result<string> {
  const refused = refuseNew(sections, item, firstError(problems));
  if (refused) return fail(refused);
  const last = sections.at(-1);
  const filled = last?.lines.findLast(line => line.text !== '');
  const end = filled?.end ?? last?.heading.end ?? text.length;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const quoted = item.body === '' ? [] : item.body.split(/\r?\n/).map(line => `> ${line}`.trimEnd());
  const points = [item.title, ...item.criteria].map(point => oneLine(point, 500).replace(/[[\]]/g, '\\$&'));
  const lines = [
    '',
    `### Task ${item.id}: ${oneLine(item.title, 200)}`,
    '',
    ...quoted,
    '',
    ...(isBare ? points.map(point => `- ${point}`) : points.map(point => `- [ ] ${point}`)),
  ];
  return ok(applyEdits(text, [{ start: end, end, text: lines.map(line => eol + line).join('') }]));
}

/** The task boxes of a document to items, with the lines that belong to none of them. */
import { linesUnder, nameTasks, priorityOf, readTasks, scanMarkdown, type Task } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import { places } from '../util/text.ts';
import { type Lost, lostLines } from './lost.ts';
import { priorityInHeading } from './story-heading.ts';

export interface TaskBoxes {
  readonly heading: string;
  readonly description: string;
  readonly items: readonly Item[];
  readonly notCarried: readonly Lost[];
}

const TAG = /(?:^|[ \t])[[(](p\d|(?:critical|high|medium|low)(?: priority)?)[\])]/i;
const DEPENDS =
  /\b(?:depends on|blocked by|requires|after):?[ \t]+((?:[A-Z][A-Z0-9]*-?\d+[\w.]*(?:[ \t]*(?:,|and|&)[ \t]*)?)+)/i;

export function readTaskBoxes(text: string): TaskBoxes {
  const scan = scanMarkdown(text);
  const { tasks } = readTasks(nameTasks(scan.boxes), scan.heading);
  const ids = new Set(tasks.map(({ item }) => item.id));
  const items = tasks.map(({ item, box }): Item => {
    const priority =
      priorityIn(item.title) ?? box.section.map(priorityInHeading).findLast(found => found !== undefined);
    const named =
      DEPENDS.exec(`${item.title}\n${linesUnder(box).join('\n')}`)?.[1]?.match(/[A-Z][A-Z0-9]*-?\d+[\w.]*/gi) ?? [];
    const dependsOn = [...new Set(named)].filter(id => ids.has(id) && id !== item.id);
    return { ...item, ...(priority === undefined ? {} : { priority }), dependsOn };
  });
  return { heading: scan.heading, items, ...around(text, tasks, scan.heading) };
}

const priorityIn = (title: string): number | undefined => priorityOf(TAG.exec(title)?.[1]?.replace(/ priority$/i, ''));

/** What a plan of the tasks alone does not hold: text around them, markers and ticks of parts. */
export function around(
  text: string,
  tasks: readonly Task[],
  heading: string,
): Pick<TaskBoxes, 'description' | 'notCarried'> {
  const place = places(text);
  const lines = text.split('\n');
  const covered = new Set<number>();
  const lost: Lost[] = [];
  for (const { box, text: words, item } of tasks) {
    const end = place(box.end).line;
    for (let line = box.line; line <= end; line++) covered.add(line);
    for (const { kind } of words.markers) {
      if (kind === 'reviewed' || kind === 'needs-fix')
        lost.push({ line: box.line, what: `the marker [${kind.toUpperCase()}]` });
    }
    const ticked = lines.slice(box.line, end).filter(line => /^\s*(?:[-*+]|\d+[.)])\s+\[[xX]\]\s/.test(line)).length;
    if (ticked > 0 && item.status !== 'done') {
      lost.push({ line: box.line, what: `${ticked} of its parts are ticked; the item is open` });
    }
  }
  const sections = new Set(tasks.flatMap(({ box }) => box.section).concat(heading));
  const isCarried = (line: string) => {
    const name = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*\s*$/.exec(line)?.[1]?.replaceAll('**', '').trim();
    return (name !== undefined && sections.has(name)) || /^[-=*_\s]*$/.test(line);
  };
  const intro = introUnder(lines, heading).filter(({ line }) => !covered.has(line));
  for (const { line } of intro) covered.add(line);
  const others = lines
    .map((line, index) => ({ line: index + 1, text: line.trimEnd() }))
    .filter(({ line, text: words }) => !covered.has(line) && (words === '' || !isCarried(words)));
  return {
    description: intro
      .map(({ text: words }) => words)
      .join('\n')
      .trim(),
    notCarried: [...lost, ...lostLines(others)].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  };
}

/** The prose right under the title says what all of it is for. */
function introUnder(lines: readonly string[], heading: string): readonly { line: number; text: string }[] {
  const title = lines.findIndex(line => heading !== '' && line.replace(/^#+|\*\*/g, '').trim() === heading);
  if (title < 0) return [];
  const below = lines.slice(title + 1).map((line, index) => ({ line: title + 2 + index, text: line.trimEnd() }));
  const end = below.findIndex(({ text }) => /^\s*(?:[-*+#>|<`~=]|\d+[.)]|_{3})/.test(text));
  return end < 0 ? [] : below.slice(0, end);
}

/** `ralph lessons` */

import { join } from 'node:path';
import { liveSeats, makeRalphFolder, type Request } from '../journal/index.ts';
import {
  addByHand,
  conflictsIn,
  isByPerson,
  isPlaceholder,
  kindNamed,
  type Lesson,
  type Memory,
  promoteByHand,
  promoted,
  retireByHand,
  searchLessons,
  unifiedDiff,
} from '../memory/index.ts';
import { isAlive } from '../process/index.ts';
import { type Project, rankedLessons, withCounts } from '../start/index.ts';
import { dayOf } from '../util/clock.ts';
import { readText, writeAtomic } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { oneLine, plain, plural } from '../util/show.ts';
import { nearest } from '../util/suggest.ts';
import { askRun } from './ask-run.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { type MemoryHere, memoryHere } from './memory-here.ts';
import { complain, print } from './print.ts';

const ACTIONS = ['list', 'search', 'show', 'add', 'retire', 'promote', 'conflicts'] as const;

const READING: ReadonlySet<string> = new Set(['list', 'search', 'show', 'conflicts']);

export const lessons: Handler = async call => {
  const [what = 'list', words] = call.args;
  const action = ACTIONS.find(name => name === what);
  if (!action) {
    const near = nearest(what, ACTIONS);
    return complain(usage(`ralph lessons has no "${what}"`, near ? `Did you mean: ralph lessons ${near}` : undefined));
  }
  if (action !== 'list' && action !== 'conflicts' && !words?.trim())
    return complain(
      usage(`ralph lessons ${action} needs ${action === 'search' || action === 'add' ? 'words' : 'an id'}`),
    );
  const here = await memoryHere();
  if (!here.ok) return complain(here.error, 4);
  const { memory, project } = here.value;
  // The folder is ignored by git before anything is in it.
  const made = READING.has(action) || makeRalphFolder(project.folder);
  if (made !== true && !made.ok) return complain(made.error, 4);
  switch (action) {
    case 'list':
      return showList(call, memory, rankedLessons(memory));
    case 'search':
      return showList(call, memory, searchLessons(memory, words ?? ''));
    case 'conflicts':
      return showConflicts(call, memory);
    case 'add':
      return add(call, here.value, words ?? '');
    case 'show':
    case 'retire':
    case 'promote': {
      const lesson = lessonNamed(memory, words ?? '');
      if (!lesson.ok) return complain(lesson.error, 1);
      if (action === 'show') return showOne(call, memory, lesson.value);
      return action === 'retire' ? retire(here.value, lesson.value) : promote(call, here.value, lesson.value);
    }
  }
};

const usage = (message: string, hint = 'See: ralph lessons --help'): Failure => ({ reason: 'usage', message, hint });

function showList(call: Call, memory: Memory, found: readonly Lesson[]): number {
  if (switchFlag(call, 'json'))
    print(
      JSON.stringify(
        found.map(lesson => withCounts(memory, lesson)),
        undefined,
        2,
      ),
    );
  else if (found.length === 0) print('No lessons.');
  for (const lesson of switchFlag(call, 'json') ? [] : found) {
    print(`${lesson.id}  ${lesson.kind.padEnd(7)}  ${oneLine(lesson.text, 100)}  (${recordOf(memory, lesson)})`);
  }
  return 0;
}

/** Shows pairs of lessons that contradict each other: briefs contain the first of each. */
function showConflicts(call: Call, memory: Memory): number {
  const found = conflictsIn(memory.lessons, id => memory.countsOf(id));
  if (switchFlag(call, 'json')) {
    const pairs = found.map(({ kept, other }) => ({
      kept: withCounts(memory, kept),
      other: withCounts(memory, other),
    }));
    print(JSON.stringify(pairs, undefined, 2));
    return 0;
  }
  if (found.length === 0) print('No lessons contradict each other.');
  for (const { kept, other } of found) {
    const line = (what: string, lesson: Lesson) =>
      `${what}  ${lesson.id}  ${oneLine(lesson.text, 100)}  (${recordOf(memory, lesson)})`;
    print(`${line('shown   ', kept)}\n${line('left out', other)}`);
    print(`  to settle it: ralph lessons retire ${other.id}, or retire ${kept.id} to have the other shown`);
  }
  return 0;
}

function recordOf(memory: Memory, lesson: Lesson): string {
  const { shown, used, won, lost } = memory.countsOf(lesson.id);
  if (lesson.retired !== undefined) return `retired ${plain(lesson.retired)}`;
  const words =
    shown === 0 ? 'not shown yet' : `shown ${plural(shown, 'time')}, used ${used}, won ${won}, lost ${lost}`;
  return isByPerson(lesson) ? `by a person, ${words}` : words;
}

function showOne(call: Call, memory: Memory, lesson: Lesson): number {
  if (switchFlag(call, 'json')) {
    print(JSON.stringify(withCounts(memory, lesson), undefined, 2));
    return 0;
  }
  const failure =
    lesson.failure === undefined
      ? []
      : [`failure  ${plain(lesson.failure)} (seen ${plural(memory.timesSeen(lesson.failure), 'time')})`];
  const lines = [
    `${lesson.id} ${lesson.kind}: ${plain(lesson.text)}`,
    '',
    ...lesson.from.map(source => `from     ${plain(source)}`),
    ...failure,
    ...(lesson.promoted === undefined ? [] : [`promoted ${plain(lesson.promoted)}`]),
    `record   ${recordOf(memory, lesson)}`,
  ];
  print(lines.join('\n'));
  return 0;
}

async function add(call: Call, { project, memory }: MemoryHere, text: string): Promise<number> {
  const given = textFlag(call, 'kind') ?? 'fact';
  const kind = kindNamed(given);
  if (!kind) return complain(usage(`--kind expects pattern, gotcha or fact, not "${given}"`));
  if (isPlaceholder(text)) return complain(usage('this is a placeholder, not a lesson; say what is to be done'));
  // Nothing can be added to an unreadable file; the reason was already printed.
  if (memory.lessons.problem) return 1;
  const asked = await askRunner(project, { type: 'lesson', act: 'add', kind, text });
  if (asked !== undefined) return asked;
  const { lesson, known } = addByHand(memory, { kind, text, day: today() });
  print(
    known ? `${lesson.id} says the same and has your word now: ${oneLine(lesson.text, 100)}` : `${lesson.id} added`,
  );
  return 0;
}

async function retire({ project, memory }: MemoryHere, lesson: Lesson): Promise<number> {
  const asked = await askRunner(project, { type: 'lesson', act: 'retire', id: lesson.id });
  if (asked !== undefined) return asked;
  retireByHand(memory, { lesson, day: today() });
  print(`${lesson.id} is no longer shown; promote it, or delete its "retired" line, to bring it back`);
  return 0;
}

async function promote(call: Call, { project, memory }: MemoryHere, lesson: Lesson): Promise<number> {
  const file = join(project.repository.root, 'AGENTS.md');
  const before = readText(file) ?? '';
  const after = promoted(before, lesson);
  const diff = unifiedDiff({ path: 'AGENTS.md', before, after });
  print(diff === '' ? 'AGENTS.md has it already.' : plain(diff));
  if (!switchFlag(call, 'yes')) {
    if (diff !== '') print('Nothing was changed. To apply it: add --yes');
    return 0;
  }
  const asked = await askRunner(project, { type: 'lesson', act: 'promote', id: lesson.id });
  if (asked !== undefined && asked !== 0) return asked;
  if (diff !== '') writeAtomic(file, after);
  if (asked === undefined) promoteByHand(memory, { lesson, day: today() });
  return 0;
}

/**
 * While a run is live its runner owns the lessons, and undoes other writes to the file, so the change is requested from it.
 * Returns the exit code; undefined if no run is live.
 */
async function askRunner({ folder, settings }: Project, request: Request): Promise<number | undefined> {
  const [live] = settings.archive ? liveSeats(folder, { isAlive }) : [];
  if (!live) return undefined;
  const { owner } = live;
  const asked = await askRun(folder, owner, request);
  if (!asked.ok) return complain(asked.error.failure, asked.error.exit);
  print(`The live run (pid ${owner.process.pid}) applies it after the current iteration.`);
  return 0;
}

/** Finds a lesson by its id, or by the first digits of it if they are unique. */
function lessonNamed(memory: Memory, given: string): Result<Lesson> {
  const id = given.startsWith('L-') ? given : `L-${given}`;
  const exact = memory.lessons.get(id);
  if (exact) return ok(exact);
  const starting = [...memory.lessons.all()].filter(lesson => lesson.id.startsWith(id));
  if (starting.length === 1 && starting[0]) return ok(starting[0]);
  return fail<Failure>({
    reason: 'no-lesson',
    message: starting.length > 1 ? `${plural(starting.length, 'lesson')} begin with ${id}` : `there is no lesson ${id}`,
    hint: 'See: ralph lessons list',
  });
}

const today = (): string => dayOf(Date.now());

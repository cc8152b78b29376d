/** Groups: shared-context.md and one prompt for each group in docs/ralph, the state in .ralph-tasks.json. */
import { basename, dirname, join } from 'node:path';
import type { Item, Plan, PlanFiles, PlanFormat, Problem } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { allowProblem } from './allow.ts';
import { conflictMessage, findConflict } from './conflict.ts';
import { textDocument } from './document.ts';
import { beginGroup, markGroup, newGroup, stamp } from './groups-edit.ts';
import { type GroupPrompt, hasPrompts, NOTES, PROMPTS, REPORT, readPrompts, SHARED } from './groups-prompts.ts';
import { groupsReport } from './groups-report.ts';
import { type GroupState, readStates } from './groups-state.ts';
import { inOrder, wholePlan } from './lazy-plan.ts';

/** The name of the state file, beside `docs/`. */
const STATE = '.ralph-tasks.json';

/** The format of docs/ralph. */
export const groups: PlanFormat = {
  name: 'groups',
  find,
  parse: (text, path, files) =>
    textDocument(text, state => {
      const plan = parse(state, path, files);
      return {
        plan,
        mark: mark => markGroup(state, mark),
        begin: begin => beginGroup(state, begin),
        append,
        renderings: at => [{ path: REPORT, text: groupsReport(plan, at, files.read(join(dirname(path), REPORT))) }],
      };
    }),
  create,
};

const append = () =>
  fail<Failure>({
    reason: 'cannot-append',
    message: 'a group needs a prompt file, so Ralph cannot add one',
    hint: `Write ${PROMPTS}/group-N.md with the next number.`,
  });

/** Recognises the folder docs/ralph, known files in it, and the state file; the format fixes where both are. */
function find(path: string, files: PlanFiles): string | undefined {
  if (basename(path) === STATE) return files.isFolder(path) ? undefined : path;
  const docs = docsOf(path, files);
  return docs === undefined ? undefined : join(docs, '..', '..', STATE);
}

function docsOf(path: string, files: PlanFiles): string | undefined {
  const name = basename(path);
  if (!files.isFolder(path)) return name === basename(SHARED) && isDocs(dirname(path)) ? dirname(path) : undefined;
  const folder = name === basename(PROMPTS) ? dirname(path) : path;
  if (!isDocs(folder)) return undefined;
  const known = hasPrompts(files.list(join(folder, 'prompts'))) || files.list(folder).includes(basename(SHARED));
  return known ? folder : undefined;
}

const isDocs = (folder: string): boolean => basename(folder) === 'ralph' && basename(dirname(folder)) === 'docs';

function parse(text: string, path: string, files: PlanFiles): Plan {
  const states = readStates(text);
  const found = readPrompts(path, files);
  const shared = files.read(join(dirname(path), SHARED)) ?? '';
  const byId = new Map(states.groups.map(group => [group.id, group]));
  const problems = [...states.problems];
  const add = (level: Problem['level'], message: string, line = 1) =>
    problems.push({ level, line, column: 1, message });

  if (found.prompts.length === 0) add('error', noPrompts(found.strange));
  for (const name of found.strange) {
    add('warning', `${PROMPTS}/${name} is not read: a group's prompt is named group-<number>.md`);
  }
  for (const name of found.unreadable) add('error', `${name} cannot be read as text`);
  for (const { path: name, body } of found.prompts) {
    if (findConflict(body) !== undefined) add('error', `${name}: ${conflictMessage}`);
  }
  if (shared === '') add('warning', `${SHARED} is missing or empty: the groups get no shared context`);
  const gaps = gapsIn(found.prompts);
  if (gaps !== '') add('warning', `${PROMPTS} has no group ${gaps}, but later ones`);
  for (const prompt of found.prompts) problems.push(...promptProblems(prompt, byId.get(prompt.id)));
  problems.push(...titleProblems(found.prompts, id => byId.get(id)));
  const prompted = new Set(found.prompts.map(({ id }) => id));
  for (const { id, line } of states.groups) {
    if (!prompted.has(id))
      add('warning', `group ${id} is in the state file, but ${PROMPTS}/group-${id}.md does not exist`, line);
  }
  return wholePlan({
    format: 'groups',
    path,
    name: nameOf(shared) || basename(dirname(path)).replace(/^\.+$/, '') || 'groups',
    items: found.prompts.map(prompt => itemOf(prompt, byId.get(prompt.id))),
    problems: inOrder(problems),
    instructions: shared,
    repeats: false,
  });
}

function itemOf(prompt: GroupPrompt, state: GroupState | undefined): Item {
  const { id, title, body, path, model, effort, allow, verify = [] } = prompt;
  return {
    id: String(id),
    title,
    status: state?.status ?? 'pending',
    dependsOn: [],
    line: state?.line ?? 1,
    body,
    criteria: [],
    verify,
    changeOptional: false,
    claimAs: `Group ${id}`,
    source: { path, line: 1 },
    attempts: state?.attempts ?? 0,
    notes: { path: NOTES, heading: `## Group ${id}` },
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(allow === undefined ? {} : { allow }),
  };
}

function promptProblems(prompt: GroupPrompt, state: GroupState | undefined): readonly Problem[] {
  const { id, path, headed, body, allow = [] } = prompt;
  const lifted = allow.map(allowProblem).find(problem => problem !== undefined);
  const warn = (message: string): Problem => ({ level: 'warning', line: state?.line ?? 1, column: 1, message });
  return [
    ...(body.trim() === '' ? [{ ...warn(`${path} is empty`), level: 'error' as const }] : []),
    ...(lifted === undefined ? [] : [{ ...warn(`${path}: ${lifted}`), level: 'error' as const }]),
    ...(headed === undefined ? [] : [warn(`${path} is headed "Group ${headed}"; the file's name decides`)]),
    ...(state === undefined ? [warn(`group ${id} is not in the state file; it counts as pending`)] : []),
  ];
}

/** Missing numbers below the highest; the first few are enough for the message. */
function gapsIn(prompts: readonly GroupPrompt[]): string {
  const gaps: (number | string)[] = [];
  let next = 1;
  for (const { id } of prompts) {
    for (; next < id && gaps.length < 5; next++) gaps.push(next);
    if (next < id) return [...gaps, '…'].join(', ');
    next = id + 1;
  }
  return gaps.join(', ');
}

const noPrompts = (strange: readonly string[]): string =>
  strange.length > 0
    ? `there is no ${PROMPTS}/group-<number>.md; ${strange[0] ?? ''} has no such number`
    : `there is no ${PROMPTS}/group-1.md`;

/** Takes the plan's name from a heading such as `# Shop — RALPH Shared Context`: "Shop". */
function nameOf(shared: string): string {
  const heading = /^#[ \t]+(\S.*)$/m.exec(shared)?.[1] ?? '';
  return oneLine(heading.replace(/[\s:–—-]*(?:RALPH[\s:–—-]+)?Shared Context[\s:–—-]*/i, ' '), 80);
}

/** The initial state file, with every group pending. */
function create(path: string, files: PlanFiles, at: number): Result<string> {
  const { prompts, strange } = readPrompts(path, files);
  if (prompts.length === 0) {
    return fail<Failure>({
      reason: 'plan-empty',
      message: noPrompts(strange),
      hint: 'Write one prompt for each group; `ralph init --format groups` makes a first one.',
    });
  }
  const state = { groups: prompts.map(({ id, title }) => newGroup(id, title)), created_at: stamp(at) };
  return ok(`${JSON.stringify(state, undefined, 2)}\n`);
}

/** If no title of several begun groups matches, the state file belongs to another plan: an error. Else a changed title is a warning. */
function titleProblems(
  prompts: readonly GroupPrompt[],
  stateOf: (id: number) => GroupState | undefined,
): readonly Problem[] {
  const begun = prompts.flatMap(prompt => {
    const state = stateOf(prompt.id);
    return state && state.title !== '' && state.status !== 'pending' ? [{ prompt, state }] : [];
  });
  const [first] = begun;
  if (first && begun.length > 1 && begun.every(({ prompt, state }) => !shareWord(prompt.title, state.title))) {
    const message = `this is the state of another plan: group ${first.prompt.id} is "${show(first.state.title)}" here and "${show(first.prompt.title)}" in its prompt, and no other fits either; move the file away to start from the beginning`;
    return [{ level: 'error', line: 1, column: 1, message }];
  }
  return begun
    .filter(({ prompt, state }) => plainWords(prompt.title).join(' ') !== plainWords(state.title).join(' '))
    .map(({ prompt: { id, title }, state }) => ({
      level: 'warning',
      line: state.line,
      column: 1,
      message: `group ${id} was "${show(state.title)}" and is "${show(title)}" now; if that is another group: ralph reset ${id}`,
    }));
}

const show = (title: string): string => oneLine(title, 60);

const plainWords = (title: string): readonly string[] => title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const shareWord = (a: string, b: string): boolean => {
  const words = new Set(plainWords(a));
  return plainWords(b).some(word => words.has(word));
};

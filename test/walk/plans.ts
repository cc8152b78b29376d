/** The plan of a walk in each format, edited as a person would edit its files. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Repo } from '../support/repo.ts';

export interface Entry {
  readonly id: string;
  readonly done: boolean;
}

/** What one format needs: `text` is always that of the file which says what is done. */
export interface PlanKind {
  readonly path: string;
  /** Where git does not have the file: what it says holds for no branch in particular. */
  readonly ignored?: true;
  /** After a crash, items that were added are taken out with the states in the file, into a copy. */
  readonly isEditKept?: true;
  /** How an agent names an item in its claim. */
  readonly claim: string;
  readonly files: Readonly<Record<string, string>>;
  read(text: string): readonly Entry[];
  /** The id that the n-th item gets. */
  id(n: number): string;
  add(repo: Repo, n: number): void;
  reword(repo: Repo, id: string): void;
  remove(repo: Repo, id: string): void;
  turn(repo: Repo): void;
  tick(repo: Repo, id: string): void;
}

const FIRST = [1, 2, 3];

/** Edits the file if it is there. */
function edit(repo: Repo, path: string, change: (text: string) => string): void {
  if (existsSync(join(repo.root, path))) repo.write(path, change(repo.read(path)));
}

interface Story {
  readonly id: string;
  title: string;
  passes: boolean;
}
interface Prd {
  readonly project: string;
  userStories: Story[];
}

const story = (n: number): Story => ({ id: `US-${n}`, title: `Write part ${n}`, passes: false });
const showPrd = (plan: Prd) => `${JSON.stringify(plan, undefined, 2)}\n`;
const editPrd = (repo: Repo, change: (stories: Story[]) => Story[]) =>
  edit(repo, 'prd.json', text => {
    const plan = JSON.parse(text) as Prd;
    return showPrd({ ...plan, userStories: change(plan.userStories) });
  });

const prd: PlanKind = {
  path: 'prd.json',
  claim: '$RALPH_ITEM',
  files: { 'prd.json': showPrd({ project: 'walk', userStories: FIRST.map(story) }) },
  read: text => (JSON.parse(text) as Prd).userStories.map(({ id, passes }) => ({ id, done: passes })),
  id: n => `US-${n}`,
  add: (repo, n) => editPrd(repo, stories => [...stories, story(n)]),
  reword: (repo, id) =>
    editPrd(repo, stories => stories.map(each => (each.id === id ? { ...each, title: `${each.title}, well` } : each))),
  remove: (repo, id) => editPrd(repo, stories => stories.filter(each => each.id !== id)),
  turn: repo => editPrd(repo, stories => stories.toReversed()),
  tick: (repo, id) =>
    editPrd(repo, stories => stories.map(each => (each.id === id ? { ...each, passes: true } : each))),
};

const box = (n: number) => `- [ ] T-${n}: Write part ${n}\n`;
const BOX = /^- \[(.)\] (T-\d+): .*$/;
const isBox = (line: string, id: string) => BOX.exec(line)?.[2] === id;
const editLines = (repo: Repo, change: (lines: string[]) => string[]) =>
  edit(repo, 'TODO.md', text => change(text.trimEnd().split('\n')).join('\n') + '\n');

const checklist: PlanKind = {
  path: 'TODO.md',
  claim: '$RALPH_ITEM',
  files: { 'TODO.md': `# Walk\n\n${FIRST.map(box).join('')}` },
  read: text =>
    text.split('\n').flatMap(line => {
      const [, mark, id] = BOX.exec(line) ?? [];
      return id === undefined ? [] : [{ id, done: mark === 'x' }];
    }),
  id: n => `T-${n}`,
  add: (repo, n) => edit(repo, 'TODO.md', text => text + box(n)),
  reword: (repo, id) => editLines(repo, lines => lines.map(line => (isBox(line, id) ? `${line}, well` : line))),
  remove: (repo, id) => editLines(repo, lines => lines.filter(line => !isBox(line, id))),
  turn: repo =>
    editLines(repo, lines => [
      ...lines.filter(line => !BOX.test(line)),
      ...lines.filter(line => BOX.test(line)).toReversed(),
    ]),
  tick: (repo, id) =>
    editLines(repo, lines => lines.map(line => (isBox(line, id) ? line.replace('[ ]', '[x]') : line))),
};

interface Phase {
  readonly id: string;
  prompt: string;
  status: string;
}
interface Sprint {
  readonly phases: Phase[];
}

const PROGRESS = 'sprints/walk/PROGRESS.yaml';
const phase = (n: number): Phase => ({ id: `phase-${n}`, prompt: `Write part ${n}`, status: 'pending' });
const editPhases = (repo: Repo, change: (phases: Phase[]) => Phase[]) =>
  edit(repo, PROGRESS, text => {
    const plan = parse(text) as Sprint;
    return stringify({ ...plan, phases: change(plan.phases) });
  });

const sprint: PlanKind = {
  path: PROGRESS,
  isEditKept: true,
  claim: '$RALPH_ITEM',
  files: { [PROGRESS]: stringify({ 'sprint-id': 'walk', status: 'in-progress', phases: FIRST.map(phase) }) },
  read: text => (parse(text) as Sprint).phases.map(({ id, status }) => ({ id, done: status === 'completed' })),
  id: n => `phase-${n}`,
  add: (repo, n) => editPhases(repo, phases => [...phases, phase(n)]),
  reword: (repo, id) =>
    editPhases(repo, phases =>
      phases.map(each => (each.id === id ? { ...each, prompt: `${each.prompt}, well` } : each)),
    ),
  remove: (repo, id) => editPhases(repo, phases => phases.filter(each => each.id !== id)),
  turn: repo => editPhases(repo, phases => phases.toReversed()),
  tick: (repo, id) =>
    editPhases(repo, phases => phases.map(each => (each.id === id ? { ...each, status: 'completed' } : each))),
};

interface Groups {
  readonly groups: { readonly id: number; readonly status: string }[];
}

const promptOf = (n: number | string) => `docs/ralph/prompts/group-${n}.md`;
const prompt = (n: number) => `# Group ${n}: Part ${n}\n\nWrite part ${n}.\n`;

const groups: PlanKind = {
  path: '.ralph-tasks.json',
  ignored: true,
  claim: 'Group $RALPH_ITEM',
  files: {
    '.gitignore': '.ralph-tasks.json\n',
    'docs/ralph/shared-context.md': '# Walk\n\nAll parts.\n',
    'docs/ralph/RALPH_NOTES.md': '# Notes\n',
    ...Object.fromEntries(FIRST.map(n => [promptOf(n), prompt(n)])),
  },
  read: text =>
    (JSON.parse(text) as Groups).groups.map(({ id, status }) => ({ id: `${id}`, done: status === 'complete' })),
  id: n => `${n}`,
  add: (repo, n) => repo.write(promptOf(n), prompt(n)),
  reword: (repo, id) => edit(repo, promptOf(id), text => text.replace(/^(# .*)$/m, '$1, well')),
  remove: (repo, id) => rmSync(join(repo.root, promptOf(id)), { force: true }),
  turn: () => undefined,
  tick: (repo, id) =>
    edit(repo, '.ralph-tasks.json', text => {
      const plan = JSON.parse(text) as Groups;
      const ticked = plan.groups.map(each => (`${each.id}` === id ? { ...each, status: 'complete' } : each));
      return `${JSON.stringify({ ...plan, groups: ticked }, undefined, 2)}\n`;
    }),
};

/** The plan beside the one of the walk. */
export const otherPlan: PlanKind = { ...prd, path: 'other.json', id: n => `O-${n}` };

export const KINDS = { prd, checklist, sprint, groups } satisfies Record<string, PlanKind>;
export type KindName = keyof typeof KINDS;

/** Ids that a person sees in the checkout. */
export function idsHere(repo: Repo, kind: PlanKind): readonly string[] {
  if (kind !== groups) return readHere(repo, kind).map(({ id }) => id);
  return Array.from({ length: 12 }, (_, n) => `${n}`).filter(n => existsSync(join(repo.root, promptOf(n))));
}

/** A plan in which a merge left its markers says nothing. */
export const readPlan = (kind: PlanKind, text: string): readonly Entry[] =>
  text.includes('\n<<<<<<< ') ? [] : kind.read(text);

/** The plan in the checkout; nothing where there is none. */
export const readHere = (repo: Repo, kind: PlanKind): readonly Entry[] =>
  existsSync(join(repo.root, kind.path)) ? readPlan(kind, repo.read(kind.path)) : [];

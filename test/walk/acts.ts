/** What a person does: each act is small, and its number chooses among what is there when it comes to it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ended } from '../support/cli.ts';
import { paste } from '../support/paste.ts';
import { idsHere } from './plans.ts';
import { gitIn, ralphIn, type World } from './world.ts';

/** What became of an act; nothing where there was nothing to do or git alone did it. */
export interface Done {
  readonly command: string;
  readonly ended: Ended;
}

type Do = (world: World, n: number) => Promise<Done | undefined>;

const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % from.length];

const call =
  (...args: readonly string[]): Do =>
  async world => ({ command: `ralph ${args.join(' ')}`, ended: await ralphIn(world, args) });

/** A command about one item; `then` notes what the person wanted. */
const about =
  (command: string, then: (world: World, id: string) => void, ...more: readonly string[]): Do =>
  async (world, n) => {
    const id = pick(idsHere(world.repo, world.kind), n);
    if (id === undefined) return undefined;
    then(world, id);
    return await call(command, id, ...more)(world, n);
  };

/** A command about one run, the newest first. */
const ofRun =
  (command: string, ...more: readonly string[]): Do =>
  async (world, n) => {
    const run = pick(world.repo.runs(), n);
    return run === undefined ? undefined : await call(command, run, ...more)(world, n);
  };

/** Something the person does without ralph. */
const byHand =
  (act: (world: World, n: number) => void): Do =>
  (world, n) => {
    act(world, n);
    return Promise.resolve(undefined);
  };

const edits = (change: (world: World, id: string) => void): Do =>
  byHand((world, n) => {
    const id = pick(idsHere(world.repo, world.kind), n);
    if (id !== undefined) change(world, id);
  });

const preload = [fileURLToPath(new URL('../crash/kill-at.mjs', import.meta.url))];
const MOMENTS = [
  'journal before',
  'journal during',
  'journal after',
  'rename before',
  'rename after',
  'git before',
  'git after',
];

const killed =
  (...args: readonly string[]): Do =>
  async (world, n) => {
    const moment = pick(MOMENTS, n) ?? '';
    const far = moment.startsWith('journal') ? 24 : 40;
    const at = `${moment} ${1 + (Math.floor(n / MOMENTS.length) % far)}`;
    const ended = await ralphIn(world, args, { preload, env: { RALPH_TEST_KILL: at } });
    return { command: `ralph ${args.join(' ')} (killed: ${at})`, ended };
  };

const again = ({ takenBack }: World, id: string) => void takenBack.add(id);
const branches = ({ repo }: World) => repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');

function commitAll(world: World): void {
  gitIn(world, 'add', '-A');
  if (gitIn(world, 'commit', '-q', '-m', 'By hand')) world.uncommitted.clear();
}

/** Commands that are printed: on a line of their own, with a comment or not, or at the end of a sentence. */
export const stepsSaid = (text: string): readonly string[] =>
  [...text.matchAll(/(?:^ {2,}|: )((?:ralph|git) [^`()\n]*?)(?: {2,}#.*|\.)?$/gm)].map(([, command = '']) => command);

export async function pasteStep(world: World, step: string): Promise<Done> {
  if (/^ralph (?:reset|retry|revert|discard|answer)/.test(step))
    for (const id of idsHere(world.repo, world.kind)) again(world, id);
  const ended = await paste(world.repo, step);
  if (/^git (?:add|commit|stash)/.test(step) && ended.code === 0) world.uncommitted.clear();
  return { command: step, ended };
}

export const ACTS = {
  run: call('run'),
  once: call('run', '--once'),
  worktree: call('run', '--worktree'),
  worktreeOnce: call('run', '--worktree', '--once'),
  named: async (world, n) => await call('run', world.kind.ignored ? 'docs/ralph' : world.kind.path)(world, n),
  killed: killed('run'),
  killedWorktree: killed('run', '--worktree'),
  done: about('done', ({ calledDone }, id) => void calledDone.add(id)),
  reset: about('reset', again),
  skip: about('skip', again),
  block: about('block', again),
  unblock: about('unblock', again),
  retry: about('retry', again, '--with', 'look again'),
  answer: async (world, n) => await about('answer', again, 'the first')(world, n),
  unblockAll: call('unblock', '--all'),
  revert: about('revert', again, '--with-dependents'),
  add: byHand(world => {
    world.kind.add(world.repo, world.next);
    world.next += 1;
  }),
  reword: edits((world, id) => {
    world.kind.reword(world.repo, id);
    again(world, id);
  }),
  remove: edits((world, id) => {
    if (idsHere(world.repo, world.kind).length === 1) return;
    world.kind.remove(world.repo, id);
    world.removed.add(id);
  }),
  turn: byHand(({ kind, repo }) => kind.turn(repo)),
  tick: edits((world, id) => {
    world.kind.tick(world.repo, id);
    world.calledDone.add(id);
  }),
  write: byHand(({ repo, uncommitted }, n) => {
    const path = n % 2 === 0 ? 'notes.txt' : `mine-${n % 3}.txt`;
    const text = `mine ${n}\n`;
    repo.write(path, text);
    uncommitted.set(path, text);
  }),
  commit: byHand(commitAll),
  commitOther: byHand((world, n) => {
    world.repo.write(`other-${n % 5}.txt`, `other ${n}\n`);
    gitIn(world, 'add', `other-${n % 5}.txt`);
    gitIn(world, 'commit', '-q', '-m', 'Something else', '--', `other-${n % 5}.txt`);
  }),
  toMain: byHand(world => void gitIn(world, 'switch', '-q', 'main')),
  switch: byHand((world, n) => void gitIn(world, 'switch', '-q', pick(branches(world), n) ?? 'main')),
  branchOff: byHand((world, n) => void gitIn(world, 'switch', '-q', '-c', `feature-${n % 3}`)),
  gitMerge: byHand((world, n) => {
    if (!gitIn(world, 'merge', '-q', '--no-edit', pick(branches(world), n) ?? 'main')) gitIn(world, 'merge', '--abort');
  }),
  merge: call('merge'),
  mergeNamed: ofRun('merge'),
  squash: call('merge', '--squash'),
  discard: async (world, n) => {
    for (const id of idsHere(world.repo, world.kind)) again(world, id);
    return await ofRun('discard')(world, n);
  },
  undo: ofRun('discard', '--undo'),
  rmWorktree: byHand(({ repo }, n) => {
    const folder = join(repo.root, '.ralph/worktrees');
    const name = existsSync(folder) ? pick(readdirSync(folder), n) : undefined;
    if (name !== undefined) rmSync(join(folder, name), { recursive: true, force: true });
  }),
  status: call('status'),
  items: call('items'),
  report: call('report'),
  runs: call('runs'),
  review: call('review'),
  check: call('check'),
  doctor: call('doctor'),
  dryRun: call('run', '--dry-run'),
  paste: async (world, n) => {
    const step = pick(stepsSaid(world.said), n);
    return step === undefined ? undefined : await pasteStep(world, step);
  },
} satisfies Record<string, Do>;

export type ActName = keyof typeof ACTS;

export interface Act {
  readonly name: ActName;
  readonly n: number;
}

/** Acts that only look, or that work somewhere else than in the checkout. */
export const LOOKING: ReadonlySet<ActName> = new Set([
  'status',
  'items',
  'report',
  'runs',
  'review',
  'check',
  'doctor',
  'dryRun',
]);

export const showActs = (acts: readonly Act[]): string => acts.map(({ name, n }) => `${name}:${n}`).join(' ');

export const readActs = (text: string): readonly Act[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map(word => {
      const [name = '', n = '0'] = word.split(':');
      if (!(name in ACTS)) throw new Error(`no act is called ${name}`);
      return { name: name as ActName, n: Number(n) };
    });

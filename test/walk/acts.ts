/** What a person does: each act is small, and its number chooses among what is there when it comes to it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { paste } from '../support/paste.ts';
import { about, byHand, call, type Do, type Done, edits, fullDisk, killed, ofRun, pick } from './act-kit.ts';
import { branchesOf, gitActs, noteStashes } from './git-acts.ts';
import { live } from './live-acts.ts';
import { idsHere } from './plans.ts';
import { gitIn, named, OTHER, type World } from './world.ts';

const again = ({ takenBack }: World, id: string) => void takenBack.add(id);
const allAgain = (world: World) => {
  for (const id of [...idsHere(world.repo, world.kind), ...OTHER]) again(world, id);
};

function commitAll(world: World): void {
  gitIn(world, 'add', '-A');
  if (gitIn(world, 'commit', '-q', '-m', 'By hand')) world.uncommitted.clear();
}

/** Commands that are printed: on a line of their own, with a comment or not, or at the end of a sentence. */
export const stepsSaid = (text: string): readonly string[] =>
  [...text.matchAll(/(?:^ {2,}|: )((?:ralph|git) [^`()\n]*?)(?: {2,}#.*|\.)?$/gm)].map(([, command = '']) => command);

export async function pasteStep(world: World, step: string): Promise<Done> {
  if (/^ralph (?:reset|retry|revert|discard|answer)/.test(step)) allAgain(world);
  const ended = await paste(world.repo, step);
  if (/^git (?:add|commit)/.test(step) && ended.code === 0) world.uncommitted.clear();
  noteStashes(world);
  return { command: step, ended };
}

const CALM = {
  run: call('run'),
  once: call('run', '--once'),
  worktree: call('run', '--worktree'),
  worktreeOnce: call('run', '--worktree', '--once'),
  named: async (world, n) => await call('run', named(world.kind))(world, n),
  killed: killed('run'),
  killedWorktree: killed('run', '--worktree'),
  parallel: call('run', '--parallel', '2'),
  killedParallel: killed('run', '--parallel', '2'),
  other: call('run', 'other.json', '--worktree'),
  otherOnce: call('run', 'other.json', '--worktree', '--once'),
  killedOther: killed('run', 'other.json', '--worktree'),
  both: async (world, n) => await call('run', named(world.kind), 'other.json')(world, n),
  fullDisk: fullDisk('run'),
  fullDiskWorktree: fullDisk('run', '--worktree'),
  fullDiskMerge: fullDisk('merge'),
  killedMerge: killed('merge'),
  ...gitActs,
  done: about('done', ({ calledDone }, id) => void calledDone.add(id)),
  reset: about('reset', again),
  skip: about('skip', (world, id) => {
    again(world, id);
    world.skipped.add(id);
  }),
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
  switch: byHand((world, n) => void gitIn(world, 'switch', '-q', pick(branchesOf(world), n) ?? 'main')),
  branchOff: byHand((world, n) => void gitIn(world, 'switch', '-q', '-c', `feature-${n % 3}`)),
  gitMerge: byHand((world, n) => {
    if (!gitIn(world, 'merge', '-q', '--no-edit', pick(branchesOf(world), n) ?? 'main'))
      gitIn(world, 'merge', '--abort');
  }),
  merge: call('merge'),
  mergeNamed: ofRun('merge'),
  squash: call('merge', '--squash'),
  discard: async (world, n) => {
    allAgain(world);
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

const ORDERS: readonly Do[] = [
  call('steer', 'Write well.'),
  call('stop'),
  call('stop', '--now'),
  async (world, n) => {
    const during = await call('pause')(world, n);
    const resumed = await call('resume')(world, n);
    return resumed && { ...resumed, during };
  },
];

/** What does not touch the tree that an agent works in. */
const BESIDE = ['done', 'reset', 'skip', 'block', 'unblock', 'retry', 'answer', 'revert', 'unblockAll'] as const;
const LOOKS = ['status', 'items', 'report', 'review', 'check', 'doctor', 'dryRun'] as const;
const PLAN = ['add', 'add', 'reword', 'remove', 'turn', 'tick'] as const;
const BRANCHES = ['merge', 'mergeNamed', 'discard', 'undo', 'run', 'worktreeOnce', 'otherOnce', 'parallel'] as const;
const CHECKOUT = ['write', 'commit', 'commitOther', 'toMain', 'switch', 'branchOff', 'gitMerge', 'rmWorktree'] as const;
const GIT = Object.keys(gitActs) as (keyof typeof gitActs)[];

const ofThese = (...names: readonly (keyof typeof CALM)[]): readonly Do[] => names.map(name => CALM[name]);
const here = [...ORDERS, ...ofThese(...BESIDE, ...LOOKS, ...PLAN, ...BRANCHES)];
const elsewhere = [...here, ...ofThese(...CHECKOUT, ...GIT)];

export const ACTS = {
  ...CALM,
  live: live(['run'], here),
  liveWorktree: live(['run', '--worktree'], elsewhere),
  liveParallel: live(['run', '--parallel', '2'], elsewhere),
  liveOther: live(['run', 'other.json', '--worktree'], elsewhere),
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

/** What a person does with git and with files, without ralph. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { byHand, pick } from './act-kit.ts';
import { idsHere } from './plans.ts';
import { gitIn, OTHER, type World } from './world.ts';

export const branchesOf = ({ repo }: World): readonly string[] =>
  repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');

const listed = ({ repo }: World): readonly string[] =>
  repo.git('stash', 'list', '--format=%H').split('\n').filter(Boolean);

/** Notes a stash that was made or taken away: what is not committed is in it, or here again. */
export function noteStashes(world: World): void {
  const now = listed(world);
  if (now.length > world.stashes.length) {
    world.stashes = [{ commit: now[0] ?? '', held: new Map(world.uncommitted) }, ...world.stashes];
    world.uncommitted.clear();
  } else if (now.length < world.stashes.length) {
    for (const [path, text] of world.stashes[0]?.held ?? []) world.uncommitted.set(path, text);
    world.stashes = world.stashes.slice(1);
  }
}

/** What was accepted may be gone, and may be done again. */
function rewrite(world: World): void {
  world.rewritten = true;
  for (const id of [...idsHere(world.repo, world.kind), ...OTHER]) world.takenBack.add(id);
}

export const gitActs = {
  stash: byHand((world, n) => {
    gitIn(world, 'stash', 'push', '-q', ...(n % 2 === 0 ? ['--include-untracked'] : []));
    const left = [...world.uncommitted].filter(([path]) => path !== 'notes.txt');
    noteStashes(world);
    if (n % 2 !== 0) for (const [path, text] of left) world.uncommitted.set(path, text);
  }),
  stashPop: byHand(world => {
    // A pop that conflicts is a person's own affair.
    if (world.repo.git('status', '--porcelain') === '' && gitIn(world, 'stash', 'pop', '-q')) noteStashes(world);
  }),
  rebase: byHand((world, n) => {
    const was = world.repo.git('rev-parse', 'HEAD');
    if (!gitIn(world, 'rebase', '-q', pick(branchesOf(world), n) ?? 'main')) gitIn(world, 'rebase', '--abort');
    if (world.repo.git('rev-parse', 'HEAD') !== was) rewrite(world);
  }),
  amend: byHand(world => {
    rewrite(world);
    gitIn(world, 'commit', '-q', '--amend', '-m', 'By hand, amended');
  }),
  resetHard: byHand(world => {
    if (world.uncommitted.size > 0 || !gitIn(world, 'reset', '-q', '--hard', 'HEAD~1')) return;
    rewrite(world);
    for (const id of idsHere(world.repo, world.kind)) world.removed.add(id);
    for (let n = 1; n < world.next; n++) world.removed.add(world.kind.id(n));
  }),
  branchDelete: byHand((world, n) => {
    const branch = pick(branchesOf(world), n);
    if (branch === undefined || branch === 'main' || !gitIn(world, 'branch', '-q', '-D', branch)) return;
    rewrite(world);
    for (let at = 1; at < world.next; at++) world.removed.add(world.kind.id(at));
  }),
  clean: byHand(world => {
    gitIn(world, 'clean', '-fdq');
    for (const path of world.uncommitted.keys()) if (path !== 'notes.txt') world.uncommitted.delete(path);
  }),
  pickOne: byHand((world, n) => {
    if (!gitIn(world, 'cherry-pick', pick(branchesOf(world), n) ?? 'main')) gitIn(world, 'cherry-pick', '--abort');
  }),
  gitRevert: byHand(world => {
    // The first commit taken back is a repository without a plan.
    if (!gitIn(world, 'rev-parse', '-q', '--verify', 'HEAD~1')) return;
    rewrite(world);
    if (!gitIn(world, 'revert', '--no-edit', 'HEAD')) gitIn(world, 'revert', '--abort');
  }),
  detach: byHand(world => void gitIn(world, 'switch', '-q', '--detach')),
  gc: byHand(world => void gitIn(world, 'gc', '-q')),
  prune: byHand(world => void gitIn(world, 'worktree', 'prune')),
  deleteRalph: byHand(world => {
    rewrite(world);
    rmSync(join(world.repo.root, '.ralph'), { recursive: true, force: true });
  }),
};

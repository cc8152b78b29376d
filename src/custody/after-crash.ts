/**
 * Restores the plan and the config that a dead runner's agent may have changed, before anything reads them. Otherwise an agent that lowers
 * the gates and kills its runner would be judged by its own config after the restart.
 */

import { rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CONFIG_NAMES } from '../config/index.ts';
import { iterationFolder, newestAt, type RalphFolder, readRun, readRunFast, reviewFolder } from '../journal/index.ts';
import { comparePlans, openPlan, planFrom } from '../plan/index.ts';
import { openOf, openReviewOf, type RunState, unjudged } from '../state.ts';
import { readBytes, writeAtomic, writeOwn } from '../util/files.ts';
import { pathBelow } from '../util/paths.ts';
import { isIgnored, type Repository } from '../workspace/index.ts';
import { restoreKind } from './owned-file.ts';

interface Place {
  readonly repository: Repository;
  /** The content of the work tree when the agent was started. */
  readonly tree: string;
  /** The folder of the iteration or review that was cut off. */
  readonly folder: string;
  /** The item in work; none during a review. */
  readonly item?: string;
}

/** Whether the newest run at this seat was cut off while an agent worked. */
export function isCutOff(ralph: RalphFolder): boolean {
  const run = newestAt(ralph);
  const read = run === undefined ? undefined : readRunFast(ralph, run);
  return read?.ok === true && unjudged(read.value.state).length > 0;
}

/** Returns what was restored, in words. Only for the owner of the lock, once the agent has exited. */
export async function putBackOwned(repository: Repository, ralph: RalphFolder): Promise<readonly string[]> {
  const run = newestAt(ralph);
  const read = run === undefined ? undefined : readRun(ralph, run);
  if (run === undefined || !read?.ok) return [];
  const { state } = read.value;
  const place = cutOff(state, { repository, ralph, run });
  if (!place) return [];
  const notes: string[] = [];
  for (const path of [...CONFIG_NAMES, ...planIn(repository, state)]) {
    const note = await putBack(place, path);
    if (note !== undefined) notes.push(note);
  }
  return notes;
}

function cutOff(
  state: RunState,
  { repository, ralph, run }: { readonly repository: Repository; readonly ralph: RalphFolder; readonly run: string },
): Place | undefined {
  // In a worktree the agent had copies, so the checkout itself is unaffected.
  if (state.workspace !== '.') return undefined;
  const [open, openReview] = [openOf(state), openReviewOf(state)];
  // Once there is a verdict, everything has already been restored.
  if (open && !open.verdict)
    return { repository, tree: open.tree, folder: iterationFolder(ralph, run, open.iteration), item: open.item };
  return openReview && { repository, tree: openReview.tree, folder: reviewFolder(ralph, run, openReview.review) };
}

function planIn({ root }: Repository, { plan }: RunState): readonly string[] {
  const inside = pathBelow(root, resolve(root, plan.path));
  return inside === undefined ? [] : [inside];
}

async function putBack({ repository, tree, folder, item }: Place, path: string): Promise<string | undefined> {
  const file = join(repository.root, path);
  const now = readBytes(file);
  const known = await entryOf(repository, tree, path);
  const isConfig = CONFIG_NAMES.some(name => name === path);
  // A plan that git does not track has a copy; a link is restored together with the tree.
  if (known === 'unreadable' || known === 'link') return undefined;
  const before = known ?? (isConfig ? undefined : readBytes(join(folder, 'plan.before')));
  if (before === undefined && (now === undefined || (await isIgnored(repository, path)))) return undefined;
  if (before !== undefined && now !== undefined && sameText(before, now)) return undefined;
  if (before !== undefined && item !== undefined && !isConfig && onlyGrew({ file, before, item })) return undefined;
  const found = join(folder, `${path.replaceAll('/', '-')}.edited`);
  if (now) writeOwn(found, now);
  if (before === undefined) rmSync(file);
  else {
    restoreKind(file, undefined);
    writeAtomic(file, before);
  }
  const kept = now ? `; as it was found it is in ${relative(repository.root, found)}` : '';
  return `${path} is again what it was before the agent whose runner died${kept}`;
}

/** A plan in which items were added and nothing else was changed, as is accepted from an agent too. */
function onlyGrew({
  file,
  before,
  item,
}: {
  readonly file: string;
  readonly before: Buffer;
  readonly item: string;
}): boolean {
  const found = openPlan(file);
  if (!found.ok) return false;
  const given = planFrom(found.value, before).plan;
  const { edits, added, markedOwn, reworded } = comparePlans({ given, found: found.value.plan, item });
  return edits.length === 0 && added.length > 0 && !markedOwn && !reworded;
}

async function entryOf(
  { git }: Repository,
  tree: string,
  path: string,
): Promise<Buffer | 'link' | 'unreadable' | undefined> {
  const listed = await git.run({ args: ['ls-tree', '--full-tree', '-z', tree, '--', path] });
  if (!listed.ok) return 'unreadable';
  const [, mode, id] = /^(\d+) blob ([0-9a-f]+)\t/.exec(listed.value.toString('utf8')) ?? [];
  if (id === undefined) return undefined;
  if (mode === '120000') return 'link';
  const blob = await git.run({ args: ['cat-file', 'blob', id] });
  return blob.ok ? blob.value : 'unreadable';
}

/** Git may store other line endings than the work tree has. */
const sameText = (a: Buffer, b: Buffer): boolean =>
  a.equals(b) || a.toString('latin1').replaceAll('\r\n', '\n') === b.toString('latin1').replaceAll('\r\n', '\n');

/**
 * A runner that died left the plan and the config as its agent had them. They are put back before anything is read: an
 * agent that lowers the gates and ends its runner would be judged by its own config on the restart.
 */
import { rmSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { CONFIG_NAMES } from '../config/index.ts';
import { iterationFolder, newestAt, type RalphFolder, readRun, readRunFast, reviewFolder } from '../journal/index.ts';
import { openOf, openReviewOf, type RunState, unjudged } from '../state.ts';
import { readBytes, writeAtomic, writeOwn } from '../util/files.ts';
import { isIgnored, type Repository } from '../workspace/index.ts';
import { restoreKind } from './owned-file.ts';

interface Place {
  readonly repository: Repository;
  /** What the work tree held when the agent was started. */
  readonly tree: string;
  /** Of the iteration or review that was cut off. */
  readonly folder: string;
}

/** Whether the newest run at this seat was left in the middle of an agent's work. */
export function isCutOff(ralph: RalphFolder): boolean {
  const run = newestAt(ralph);
  const read = run === undefined ? undefined : readRunFast(ralph, run);
  return read?.ok === true && unjudged(read.value.state).length > 0;
}

/** What was put back, in words; for the owner of the lock, once the agent is gone. */
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
  // In a worktree the agent had copies, and what it did to them is no concern of the checkout.
  if (state.workspace !== '.') return undefined;
  const [open, openReview] = [openOf(state), openReviewOf(state)];
  // With a verdict everything has been put back already.
  if (open && !open.verdict)
    return { repository, tree: open.tree, folder: iterationFolder(ralph, run, open.iteration) };
  return openReview && { repository, tree: openReview.tree, folder: reviewFolder(ralph, run, openReview.review) };
}

function planIn({ root }: Repository, { plan }: RunState): readonly string[] {
  const inside = relative(root, resolve(root, plan.path));
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? [] : [inside];
}

async function putBack({ repository, tree, folder }: Place, path: string): Promise<string | undefined> {
  const file = join(repository.root, path);
  const now = readBytes(file);
  const known = await entryOf(repository, tree, path);
  // What git does not see has a copy if it is the plan; a link is put back with the tree.
  if (known === 'unreadable' || known === 'link') return undefined;
  const before =
    known ?? (CONFIG_NAMES.some(name => name === path) ? undefined : readBytes(join(folder, 'plan.before')));
  if (before === undefined && (now === undefined || (await isIgnored(repository, path)))) return undefined;
  if (before !== undefined && now !== undefined && sameText(before, now)) return undefined;
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

/** Git may keep other line ends than the work tree has. */
const sameText = (a: Buffer, b: Buffer): boolean =>
  a.equals(b) || a.toString('latin1').replaceAll('\r\n', '\n') === b.toString('latin1').replaceAll('\r\n', '\n');

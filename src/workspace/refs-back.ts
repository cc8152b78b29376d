/** Refs that are not the run's own are where they were before the agent; where it had them is kept under refs of the run. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn, readText } from '../util/files.ts';
import type { Git } from './git.ts';
import { clearStaleLock, clearWayOfRef } from './own-refs.ts';
import type { Refs } from './ref-files.ts';

export interface PutRefsBack {
  readonly git: Git;
  readonly commonDir: string;
  /** Of the run's own checkout. */
  readonly gitDir: string;
  /** The run's branch. */
  readonly own: string;
  readonly was: Refs;
  readonly now: Refs;
  /** The ref under which what was found is kept. */
  readonly found: (name: string) => string;
  /** All refs are missing because the whole git directory was: that is said once. */
  readonly rebuilt: boolean;
  /** Another run of this repository moves it, and looks after it; or a person has put it there. */
  readonly isOthers: (ref: string, now: string | undefined) => boolean;
  /** Other agents of the run are at work: the branch that one of them has checked out is left to it until later. */
  readonly isAmong: boolean;
}

interface Moved {
  readonly ref: string;
  readonly was: string | undefined;
  readonly now: string | undefined;
}

/** Branches of workers' own: each is settled by the worker that has it. */
export const WORKER_BRANCHES = 'refs/heads/ralph-worker/';

export interface RefsBack {
  readonly notes: readonly string[];
  /** What is there now. */
  readonly refs: Refs;
}

export async function putRefsBack(input: PutRefsBack): Promise<RefsBack> {
  const { was, now, own } = input;
  if (was === now) return { notes: [], refs: now };
  const names = new Set([...was.keys(), ...now.keys()]);
  const moved: Moved[] = [];
  const later: Moved[] = [];
  const workers = checkoutsIn(input.commonDir).filter(folder => isWorkers(input, folder));
  for (const ref of names) {
    const difference = { ref, was: was.get(ref), now: now.get(ref) };
    if (difference.was === difference.now || ref.startsWith(WORKER_BRANCHES)) continue;
    if (ref === own && !input.rebuilt) continue;
    // What is new among our own refs harms nobody: a name that is taken gets a suffix.
    if (difference.was === undefined && ref.startsWith('refs/ralph/')) continue;
    if (input.isOthers(ref, difference.now)) continue;
    if (input.isAmong && workers.some(folder => isOn(folder, ref))) later.push(difference);
    else if (!(await isPersonsWork(input, difference))) moved.push(difference);
  }
  const known = later.length === 0 ? now : withBack(now, later);
  if (moved.length === 0) return { notes: [], refs: known };
  const kept = await keepFound(input, moved);
  const failed = await putBack(input, moved);
  if (failed) return { notes: [`refs could not be restored: ${failed}`], refs: was };
  const notes = input.rebuilt ? [] : moved.map(difference => sentence(difference, kept.get(difference.ref)));
  return { notes, refs: withBack(known, moved) };
}

function withBack(now: Refs, moved: readonly Moved[]): Refs {
  const refs = new Map(now);
  for (const { ref, was } of moved) {
    if (was === undefined) refs.delete(ref);
    else refs.set(ref, was);
  }
  return refs;
}

/** A branch that another checkout has, and that moved on there by a commit or a switch: somebody works in it. */
async function isPersonsWork(input: PutRefsBack, { ref, was, now }: Moved): Promise<boolean> {
  const { git, commonDir, gitDir } = input;
  if (now === undefined || !ref.startsWith('refs/heads/')) return false;
  const others = [commonDir, ...checkoutsIn(commonDir)].filter(
    folder => folder !== gitDir && !isWorkers(input, folder),
  );
  const there = others.some(folder => {
    if (!isOn(folder, ref)) return false;
    const last =
      readText(join(folder, 'logs', 'HEAD'))
        ?.trimEnd()
        .split('\n')
        .at(-1) ?? '';
    return last.split(' ')[1] === now;
  });
  if (!there) return false;
  return was === undefined || (await git.text('merge-base', '--is-ancestor', was, now)).ok;
}

const checkoutsIn = (commonDir: string): readonly string[] =>
  namesIn(join(commonDir, 'worktrees')).map(name => join(commonDir, 'worktrees', name));

/** The checkouts of a run's workers are named after its own. */
const isWorkers = ({ gitDir }: PutRefsBack, folder: string): boolean => folder.startsWith(`${gitDir}.`);

const isOn = (folder: string, ref: string): boolean => readText(join(folder, 'HEAD'))?.trim() === `ref: ${ref}`;

const isLink = (value: string | undefined): boolean => value?.startsWith('ref: ') ?? false;

/** One by one: a ref to an object that is not there cannot be kept, and is not worth it. */
async function keepFound(input: PutRefsBack, moved: readonly Moved[]): Promise<ReadonlyMap<string, string>> {
  const kept = new Map<string, string>();
  for (const { ref, now } of moved) {
    if (now === undefined || isLink(now)) continue;
    const name = await freeName(input, input.found(ref.replace(/^refs\//, '')), now);
    const created = await input.git.text('update-ref', '-m', 'ralph', name, now);
    if (created.ok) kept.set(ref, name);
  }
  return kept;
}

async function freeName({ git }: PutRefsBack, wanted: string, value: string): Promise<string> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    const taken = await git.text('rev-parse', '-q', '--verify', name);
    if (!taken.ok || taken.value === value) return name;
  }
}

/** What is too many goes first: `main/x` is in the way of `main`. */
async function putBack({ git, commonDir }: PutRefsBack, moved: readonly Moved[]): Promise<string | undefined> {
  for (const { ref } of moved) clearWayOfRef(commonDir, ref);
  for (const { ref } of moved) rmSync(join(commonDir, `${ref}.lock`), { recursive: true, force: true });
  clearStaleLock(join(commonDir, 'packed-refs.lock'));
  const gone = moved.filter(({ was, now }) => was === undefined || (isLink(now) && !isLink(was)));
  const back = moved.filter(({ was }) => was !== undefined);
  const links = back.filter(({ was }) => isLink(was));
  const plain = back.filter(({ was }) => !isLink(was));
  const lines = [
    gone.map(({ ref }) => `option no-deref\0delete ${ref}\0\0`),
    plain.map(({ ref, was }) => `option no-deref\0update ${ref}\0${was ?? ''}\0\0`),
  ];
  for (const commands of lines) {
    if (commands.length === 0) continue;
    const done = await git.run({ args: ['update-ref', '-m', 'ralph', '-z', '--stdin'], input: commands.join('') });
    if (!done.ok) return done.error.message;
  }
  for (const { ref, was } of links) {
    mkdirSync(dirname(join(commonDir, ref)), { recursive: true });
    writeFileSync(join(commonDir, ref), `${was ?? ''}\n`);
  }
  return undefined;
}

function sentence({ ref, was, now }: Moved, kept: string | undefined): string {
  const where = kept ? `; where it was found is kept under ${kept}` : '';
  if (was === undefined) return `${ref} was made while the agent worked; it was removed${where}`;
  if (now === undefined) return `${ref} was deleted while the agent worked; it was restored`;
  return `${ref} was moved while the agent worked; it was restored${where}`;
}

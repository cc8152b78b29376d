/**
 * Refs of refused attempts are for the run that continues and for the person who looks at it. Once the run is merged or
 * discarded they are in the way of `git log --all`: they go into a bundle in the folder of the run, which git reads, and only
 * then out of the repository. Whoever is killed in between leaves both.
 */
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundlesIn, runFolder, runnerAt } from '../journal/index.ts';
import { isAlive, self } from '../process/index.ts';
import type { Project } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { syncData, syncFolder } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { orSystemFailure } from '../util/system-error.ts';
import { attemptRef } from '../workspace/index.ts';

interface Ref {
  readonly name: string;
  readonly at: string;
}

/** `settled`: what open items would continue from stays where it is. Says what was done; trouble is no reason to fail. */
export async function packAttempts(
  project: Project,
  state: RunState,
  which: 'all' | 'settled',
): Promise<readonly string[]> {
  // A live runner of this repository would take it for the doing of its agent.
  if (runnerAt(project.folder, { me: self(), isAlive })) return [];
  const listed = await refsOf(project, state.run);
  const open = which === 'all' ? [] : [...state.items].flatMap(([id, item]) => (isOpen(item) ? [id] : []));
  const kept = open.map(id => attemptRef(state.run, id, ''));
  const refs = listed.filter(({ name }) => !kept.some(prefix => name.startsWith(prefix)));
  if (refs.length === 0) return [];
  // A branch that an agent made, and committed nothing on: what it names is what the run began with, and stays anyway.
  const begun = new Set((await refsOf(project, state.run, `--merged=${state.firstBase}`)).map(({ name }) => name));
  const empty = refs.filter(({ name }) => begun.has(name));
  const full = refs.filter(({ name }) => !begun.has(name));
  const dropped = await project.repository.git.run({ args: ['update-ref', '--stdin'], input: deleting(empty) });
  if (!dropped.ok) return [`the refs of refused attempts stay where they are: ${dropped.error.message}`];
  if (full.length === 0) return [];
  const packed = await orSystemFailure(() => packInto(project, state, full));
  if (!packed.ok) return [`the refs of refused attempts stay where they are: ${packed.error.message}`];
  return packed.value === 0
    ? []
    : [
        `${plural(packed.value, 'ref')} of refused attempts went into a file; the command that restores them is in: ralph report --run ${state.run}`,
      ];
}

const isOpen = ({ status }: { readonly status: string }): boolean => status !== 'done' && status !== 'skipped';

const deleting = (refs: readonly Ref[]): string => refs.map(({ at, name }) => `delete ${name} ${at}\n`).join('');

async function refsOf(
  { repository: { git } }: Project,
  run: string,
  ...which: readonly string[]
): Promise<readonly Ref[]> {
  const listed = await git.text('for-each-ref', '--format=%(objectname) %(refname)', ...which, `refs/ralph/${run}`);
  return listed.ok ? parseRefs(listed.value) : [];
}

const parseRefs = (text: string): readonly Ref[] =>
  text
    .split('\n')
    .map(line => line.split(' '))
    .flatMap(([at, name]) => (at && name ? [{ at, name }] : []));

/** How many of them are in the file now, and nowhere else. */
async function packInto(
  { repository: { git }, folder }: Project,
  state: RunState,
  refs: readonly Ref[],
): Promise<Result<number>> {
  const its = runFolder(folder, state.run);
  const file = join(its, `attempts${bundlesIn(its).length > 0 ? `-${bundlesIn(its).length + 1}` : ''}.bundle`);
  const temporary = `${file}.tmp`;
  rmSync(temporary, { recursive: true, force: true });
  try {
    const input = [...refs.map(({ name }) => name), `^${state.firstBase}`, ''].join('\n');
    const made = await git.run({ args: ['bundle', 'create', '-q', temporary, '--stdin'], input });
    if (!made.ok) return made;
    const checked = await git.text('bundle', 'verify', '-q', temporary);
    if (!checked.ok) return checked;
    const held = await git.text('bundle', 'list-heads', temporary);
    if (!held.ok) return held;
    const inside = parseRefs(held.value);
    const fd = openSync(temporary, 'r+');
    try {
      syncData(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
    syncFolder(its);
    const gone = await git.run({ args: ['update-ref', '--stdin'], input: deleting(inside) });
    return gone.ok ? ok(inside.length) : gone;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** A run that is wanted back has its refs again, under their names. */
export async function unpackAttempts(project: Project, run: string): Promise<Result<void>> {
  const { git } = project.repository;
  for (const file of bundlesIn(runFolder(project.folder, run))) {
    const read = await git.text('bundle', 'unbundle', file);
    if (!read.ok) return read;
    const there = new Set((await refsOf(project, run)).map(({ name }) => name));
    const refs = parseRefs(read.value).filter(({ name }) => !there.has(name));
    const made = await git.run({
      args: ['update-ref', '--stdin'],
      input: refs.map(({ at, name }) => `create ${name} ${at}\n`).join(''),
    });
    if (!made.ok) return made;
    rmSync(file, { force: true });
  }
  return ok(undefined);
}

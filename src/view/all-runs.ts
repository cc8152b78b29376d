/**
 * Every run of a repository: those of the checkout that is served, and those of its other worktrees. What was read of a
 * run is kept as long as it is looked at, and read on from there.
 */
import { existsSync, lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  journalBytes,
  type LockOwner,
  listRuns,
  type RalphFolder,
  ralphFolder,
  seatOfRun,
  storeOf,
} from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import { openProject, type Project } from '../start/index.ts';
import { keepNewest } from '../util/bounded.ts';
import type { Failure } from '../util/result.ts';
import { checkouts } from '../workspace/index.ts';
import type { Place } from './place.ts';
import { type PlanNow, plansOf } from './plan-now.ts';
import { openRunIndex, type RunFacts, type RunIndex } from './run-index.ts';

export interface Located {
  /** As it is in addresses. */
  readonly id: string;
  readonly run: string;
  readonly place: Place;
}

/** A run, read up to now. */
export interface Look extends Located {
  readonly facts: RunFacts;
  readonly plan: PlanNow;
  /** The folder as its runner sees it: a run in a worktree has a lock, an inbox and a live file of its own. */
  readonly seat: RalphFolder;
  /** Who works on this very run. */
  readonly owner: LockOwner | undefined;
  readonly now: number;
}

export interface Library {
  readonly project: Project;
  /** The last one worked on first. */
  runs(): readonly Located[];
  /** By its id in addresses, and by nothing else. */
  find(id: string): Located | undefined;
  look(located: Located): Look;
  /** The length of its journal: whether it continued. */
  bytesOf(located: Located): number;
  /** Its project, for what is read through its own checkout. */
  projectOf(place: Place): Promise<Project | undefined>;
  /** Looks for worktrees again. */
  survey(): Promise<void>;
}

/** Runs whose rows are kept. */
const KEPT = 6;
/** More are not listed. */
const MOST_RUNS = 500;

export function openLibrary(project: Project): Library {
  const { repository, folder } = project;
  let places: readonly Place[] = [{ name: null, root: repository.root, cwd: project.cwd, folder }];
  const indexes = new Map<string, RunIndex>();
  const plans = plansOf(project);

  const indexOf = ({ id, run, place }: Located): RunIndex => {
    const index = indexes.get(id) ?? openRunIndex(place.folder, run);
    // The last one asked for goes last.
    indexes.delete(id);
    indexes.set(id, index);
    keepNewest(indexes, KEPT);
    return index;
  };
  const runs = (): readonly Located[] =>
    places.flatMap(place =>
      listRuns(place.folder)
        .filter(run => isRunName(run) && isFolder(join(place.folder.runs, run)))
        .slice(0, MOST_RUNS)
        .map(run => ({ id: place.name === null ? run : `${run}@${place.name}`, run, place })),
    );
  return {
    project,
    runs,
    find: id => runs().find(located => located.id === id),
    look: located => {
      const index = indexOf(located);
      index.refresh();
      const { facts } = index;
      const seat = seatOfRun(located.place.folder, facts.state);
      return {
        ...located,
        facts,
        seat,
        owner: ownerOf(seat, facts),
        plan: plans.of(located.place, facts),
        now: Date.now(),
      };
    },
    bytesOf: ({ place, run }) => journalBytes(place.folder, run),
    projectOf: async place => {
      if (place.name === null) return project;
      const opened = await openProject({ cwd: place.root, env: project.env });
      return opened.ok ? opened.value : undefined;
    },
    survey: async () => {
      const found = await checkouts(repository);
      if (!found.ok) return;
      const others = found.value
        .filter(({ path }) => path !== repository.root && existsSync(join(path, '.ralph', 'runs')))
        .map(({ path }) => path)
        .toSorted();
      const [served] = places;
      places = [...(served ? [served] : []), ...namedPlaces(others)];
    },
  };
}

/** By the name of their folder, numbered where two have the same. */
function namedPlaces(roots: readonly string[]): readonly Place[] {
  const taken = new Set<string>();
  return roots.map(root => {
    const base = basename(root).replace(/[^\w.-]+/g, '-') || 'worktree';
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
    taken.add(name);
    return { name, root, cwd: root, folder: ralphFolder(root) };
  });
}

/** A run's folder is the runner's own: what a link in its place leads to is somebody else's. */
const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const isRunName = (name: string): boolean => /^[\w][\w.-]*$/.test(name);

/** The runner whose run this is; another run of the same checkout has it otherwise. */
function ownerOf(seat: RalphFolder, { state }: RunFacts): LockOwner | undefined {
  if (state.finished || state.run === '') return undefined;
  const owner = storeOf(seat).owner({ isAlive });
  return owner && state.runner?.process.pid === owner.process.pid ? owner : undefined;
}

/** Why there is no such run. */
export const noSuchRun = (id: string): Failure => ({
  reason: 'no-run',
  message: `there is no run ${id.slice(0, 80)} here`,
  hint: 'Every run: ralph runs',
});

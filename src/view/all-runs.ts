/**
 * Every run of a repository: those of the served checkout, and those of its other worktrees. What was read of a run is
 * cached while somebody looks at it, and later reads continue from there.
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
  /** Its id in URLs. */
  readonly id: string;
  readonly run: string;
  readonly place: Place;
}

/** A run, read up to now. */
export interface Look extends Located {
  readonly facts: RunFacts;
  readonly plan: PlanNow;
  /** The folder as its runner sees it: a run in a worktree has its own lock, inbox and live file. */
  readonly seat: RalphFolder;
  /** The runner that works on this run. */
  readonly owner: LockOwner | undefined;
  readonly now: number;
}

export interface Library {
  readonly project: Project;
  /** The most recently active first. */
  runs(): readonly Located[];
  /** Finds a run by its id in URLs only. */
  find(id: string): Located | undefined;
  look(located: Located): Look;
  /** The length of its journal, which shows whether the run has continued. */
  bytesOf(located: Located): number;
  /** The project of a checkout, for what has to be read through that checkout. */
  projectOf(place: Place): Promise<Project | undefined>;
  /** Looks for worktrees again. */
  survey(): Promise<void>;
}

/** How many runs stay cached. */
const KEPT = 6;
/** At most this many runs are listed. */
const MOST_RUNS = 500;

export function openLibrary(project: Project): Library {
  const { repository, folder } = project;
  let places: readonly Place[] = [{ name: null, root: repository.root, cwd: project.cwd, folder }];
  const indexes = new Map<string, RunIndex>();
  const plans = plansOf(project);

  const indexOf = ({ id, run, place }: Located): RunIndex => {
    const index = indexes.get(id) ?? openRunIndex(place.folder, run);
    // Moves the entry to the end, so that the least recently used one is evicted.
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

/** Names places by their folder, with a number if two have the same name. */
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

/** A run's folder belongs to the runner: a link in its place may lead to somebody else's data. */
const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const isRunName = (name: string): boolean => /^[\w][\w.-]*$/.test(name);

/** The runner of this run; the lock of the same checkout may be held by another run. */
function ownerOf(seat: RalphFolder, { state }: RunFacts): LockOwner | undefined {
  if (state.finished || state.run === '') return undefined;
  const owner = storeOf(seat).owner({ isAlive });
  return owner && state.runner?.process.pid === owner.process.pid ? owner : undefined;
}

/** The failure for an unknown run. */
export const noSuchRun = (id: string): Failure => ({
  reason: 'no-run',
  message: `there is no run ${id.slice(0, 80)} here`,
  hint: 'Every run: ralph runs',
});

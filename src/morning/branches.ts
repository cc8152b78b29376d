/** The runs of the night with their branches, in the order in which a person is needed. */
import { listRuns } from '../journal/index.ts';
import { type History, history, type Overview, overview, planWord } from '../report/index.ts';
import { type Project, readItemsOfRun, runCommits } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { isContained } from '../workspace/index.ts';
import { type NightRun, readNightRun } from './night-run.ts';

export interface Branch {
  readonly state: RunState;
  /** Its plan as it is typed in a command here. */
  readonly planWord: string;
  readonly isLive: boolean;
  readonly view: Overview;
  readonly past: History;
  readonly commits: number;
  /** What its branch changed, of what is not merged yet or of all if it is; undefined if one of the branches is gone. */
  readonly diff: { readonly files: number; readonly added: number; readonly deleted: number } | undefined;
  /** `continued`: a later run went on with the branch, and what is to be done with it is asked there. */
  readonly place: 'open' | 'merged' | 'gone' | 'continued';
  readonly heir?: string;
}

/** Journals are looked at from the newest on until some are too old. */
const MOST = 200;
const TOO_OLD = 12;

export async function branchesSince(project: Project, since: number): Promise<readonly Branch[]> {
  const branches: Branch[] = [];
  let tooOld = 0;
  for (const run of listRuns(project.folder).slice(0, MOST)) {
    const night = await readNightRun(project, run);
    // What cannot be read is said where it is named.
    if (!night.ok) continue;
    if (night.value.state.lastAt < since && !night.value.isLive) {
      // Runs beside each other end in another order than they began in.
      tooOld += 1;
      if (tooOld > TOO_OLD) break;
      continue;
    }
    branches.push(await branchOf(project, night.value));
  }
  return byNeed(branches);
}

export async function branchOf(project: Project, night: NightRun): Promise<Branch> {
  const { state, records, tip, isLive, heir } = night;
  const items = readItemsOfRun(project, state);
  const view = overview(state, items, { isLive });
  const { git } = project.repository;
  const onto = !state.from ? state.firstBase : `refs/heads/${state.from}`;
  const isMerged = tip !== undefined && (await isContained(git, onto, tip));
  const since = isMerged ? state.firstBase : onto;
  const shown = tip === undefined ? undefined : await git.text('diff', '--shortstat', `${since}...${tip}`);
  const commits = tip === undefined ? undefined : await runCommits(project, state);
  return {
    state,
    planWord: planWord(state, { cwd: project.cwd, root: project.repository.root }),
    isLive,
    view,
    past: history(records),
    commits: commits?.count ?? state.commits,
    diff: shown?.ok ? shortstat(shown.value) : undefined,
    place: placeOf({ tip, heir, isMerged: isMerged && state.commits > 0 && view.done > 0 }),
    ...(heir === undefined ? {} : { heir }),
  };
}

interface Standing {
  readonly tip: string | undefined;
  readonly heir: string | undefined;
  /** With something in it: a branch without changes is in every other one. */
  readonly isMerged: boolean;
}

function placeOf({ tip, heir, isMerged }: Standing): Branch['place'] {
  if (tip === undefined) return 'gone';
  if (isMerged) return 'merged';
  return heir === undefined ? 'open' : 'continued';
}

/** In the order in which a person is needed. */
export const byNeed = (branches: readonly Branch[]): readonly Branch[] =>
  branches.toSorted((a, b) => need(a) - need(b) || b.state.lastAt - a.state.lastAt);

/** 0 where a person is needed first. */
function need({ isLive, view, state, place }: Branch): number {
  if (isLive) return 3;
  if (place !== 'open') return 4;
  if (view.blocked > 0 || (state.finished !== undefined && state.finished.reason !== 'complete')) return 0;
  return state.finished === undefined ? 1 : 2;
}

function shortstat(text: string): { readonly files: number; readonly added: number; readonly deleted: number } {
  const of = (words: RegExp) => Number(words.exec(text)?.[1] ?? 0);
  return { files: of(/(\d+) file/), added: of(/(\d+) insertion/), deleted: of(/(\d+) deletion/) };
}

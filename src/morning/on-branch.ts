/** What a branch brings over another: the items of its run, and those that earlier runs did on it and nobody has merged yet. */
import { earlierRuns, type Project, withEarlier } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { itemsBetween } from '../workspace/index.ts';
import type { NightRun } from './night-run.ts';

export interface Brought {
  /** The run, with these items too. */
  readonly state: RunState;
  /** The earlier runs with commits among what is brought, oldest first. */
  readonly earlier: readonly Pick<NightRun, 'state' | 'records'>[];
}

interface Between {
  readonly state: RunState;
  /** Commits: what it is brought into, and the newest of the branch. */
  readonly onto: string;
  readonly tip: string;
}

export async function broughtBy({ repository, folder }: Project, { state, onto, tip }: Between): Promise<Brought> {
  const between = await itemsBetween(repository.git, { from: onto, to: tip });
  const commits = between.ok ? between.value : [];
  const brought = new Set(commits.map(({ item }) => item));
  const { items } = withEarlier(folder, state);
  const runs = new Set(commits.map(({ run }) => run));
  return {
    state: { ...state, items: new Map([...items].filter(([id]) => state.items.has(id) || brought.has(id))) },
    earlier: [...earlierRuns(folder, state)].filter(each => runs.has(each.state.run)).toReversed(),
  };
}

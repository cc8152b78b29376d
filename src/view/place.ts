/** Where runs are kept, and how a command about one of them is typed. */
import type { RalphFolder } from '../journal/index.ts';
import { planWord, shellWord } from '../report/index.ts';
import type { RunState } from '../state.ts';

/** A checkout that stores runs. */
export interface Place {
  /** Null for the served checkout. */
  readonly name: string | null;
  readonly root: string;
  /** Where a person types commands about its runs. */
  readonly cwd: string;
  readonly folder: RalphFolder;
}

/** A command as it can be pasted where the page was started: a run of another worktree is known only there. */
export const typed = ({ name, cwd }: Place, command: string): string =>
  name === null ? command : `cd ${shellWord(cwd)} && ${command}`;

/** What continues the plan of a run. */
export const goOnCommand = (place: Place, state: RunState): string =>
  typed(place, `ralph run ${planWord(state, place)}`);

/** The flag by which a command about an item means the plan of a run. */
export const planFlag = (place: Place, state: RunState): string => `--plan ${planWord(state, place)}`;

/** The run a looking command looks at, where the command was called. */
import { currentRun as runAt } from '../start/current-run.ts';

export type { CurrentRun } from '../start/current-run.ts';

export const currentRun = (run?: string): ReturnType<typeof runAt> => runAt({ run });

/** The run that a read-only command shows, found from the current folder. */
import { currentRun as runAt } from '../start/index.ts';
import { type Call, textFlag } from './command.ts';
import { note } from './print.ts';

export type { CurrentRun } from '../start/index.ts';

/** Prints a note if other runs are open. */
export async function currentRun(call: Call): ReturnType<typeof runAt> {
  const current = await runAt({ run: textFlag(call, 'run'), plan: textFlag(call, 'plan') });
  if (current.ok) note(current.value.notes);
  return current;
}

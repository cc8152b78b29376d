/** Whether this process may mark items while no run is live: refused if an agent may have left it behind. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newestAt, type RalphFolder, readRunFast } from '../journal/index.ts';
import { isInOlderSession, systemTable } from '../process/index.ts';
import type { ProcessId } from '../protocol.ts';
import { unjudged } from '../state.ts';
import type { Failure } from '../util/result.ts';

/** Why it may not, or undefined. */
export function mayNotMark(folder: RalphFolder): Failure | undefined {
  const { RALPH_RUN: own } = process.env;
  if (own !== undefined && own !== '' && existsSync(join(folder.runs, own))) {
    const message = 'an agent cannot do this: only a person marks items';
    return { reason: 'not-a-person', message, hint: 'Say in your last message what is done, what is blocked and why.' };
  }
  const run = newestAt(folder);
  const read = run === undefined ? undefined : readRunFast(folder, run);
  if (!read?.ok) return undefined;
  const { leftAlive } = read.value.state;
  const boot = systemTable.boot();
  const mayBeOf = (agent: ProcessId | undefined) => agent?.boot === boot && !isInOlderSession(process.pid, agent);
  if (unjudged(read.value.state).some(cutOff => mayBeOf(cutOff.process))) {
    return {
      reason: 'cut-off',
      message: 'the last run was interrupted while an agent worked, and these may be its changes',
      hint: 'Continue with: ralph run. It ends what is left; then repeat this command.',
    };
  }
  if (!mayBeOf(leftAlive) || systemTable.row(process.pid)?.terminal) return undefined;
  return {
    reason: 'not-a-person',
    message:
      'a process that was started while an agent of the last run worked is still running, and this command may come from it: it has no terminal',
    hint: 'Repeat this command in a terminal. What is still running: ralph report',
  };
}

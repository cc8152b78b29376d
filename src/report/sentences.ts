/** The only place where outcomes become sentences and exit codes: one table per kind of reason. */
import type { StopReason } from '../events.ts';
import type { GateResult, ProcessEnd, RejectReason, Verdict } from '../protocol.ts';
import { openAgain, type RunState } from '../state.ts';
import { plural, showDuration } from '../util/show.ts';
import { say } from './style.ts';

const STOPS: Readonly<Record<StopReason, { readonly sentence: string; readonly exit: number }>> = {
  complete: { sentence: 'Complete: every item is done', exit: 0 },
  iterations: { sentence: 'Stopped with work left: the iteration limit is reached', exit: 1 },
  time: { sentence: 'Stopped with work left: the time limit is reached', exit: 1 },
  cost: { sentence: 'Stopped with work left: the cost limit is reached', exit: 1 },
  deadline: { sentence: 'Stopped with work left because of the deadline', exit: 1 },
  fruitless: { sentence: 'A person is needed: nothing is accepted any more', exit: 3 },
  once: { sentence: 'Stopped with work left, as requested', exit: 1 },
  'stop-requested': { sentence: 'Stopped on request', exit: 1 },
  blocked: { sentence: 'A person is needed: nothing is left but blocked items', exit: 3 },
  halted: { sentence: 'A person is needed: the run cannot go on', exit: 3 },
  review: { sentence: 'A person is needed: all else is done, but a review is not settled', exit: 3 },
  'agent-unavailable': { sentence: 'A person is needed: the agent cannot be used', exit: 3 },
  'agent-unusable': { sentence: 'Nothing was done: the agent cannot be used as it is set up', exit: 4 },
  interrupted: { sentence: 'Interrupted: the agent is gone and the state is safe', exit: 130 },
  terminated: { sentence: 'Terminated: the agent is gone and the state is safe', exit: 143 },
  failed: { sentence: 'The run failed', exit: 1 },
};

export function exitCode(reason: StopReason): number {
  return STOPS[reason].exit;
}

export function describeStop(reason: StopReason, why: string): string {
  const detail = say(why, 400);
  const { sentence } = STOPS[reason];
  return detail ? endSentence(`${sentence} (${detail.replace(/\.$/, '')})`) : `${sentence}.`;
}

const REJECTIONS: Readonly<Record<RejectReason, string>> = {
  'gate-red': 'a gate is red',
  guard: 'a guard does not allow the change',
  'no-change': 'nothing was changed',
  'no-claim': 'the agent did not claim the item',
  'agent-failed': 'the agent failed',
  'verify-red': "the item's own checks are red",
  'runner-died': 'the runner died too often',
  merge: 'it does not fit what other workers did meanwhile',
};

const BLOCKS: Readonly<Record<Extract<Verdict, { type: 'blocked' }>['cause'], string>> = {
  claimed: 'the agent says it cannot continue',
  refused: 'the agent refused its input',
  asked: 'the agent asked something',
};

/** The reason of a verdict, in few words. */
export function verdictReason(verdict: Verdict): string {
  const why = say(verdict.why, 400);
  switch (verdict.type) {
    case 'accepted':
      return why || 'the evidence supports the claim';
    case 'progress':
      return why || 'green work kept, not finished yet';
    case 'rejected':
      return why || REJECTIONS[verdict.reason];
    case 'blocked':
      if (verdict.cause === 'asked') return `waits for an answer: ${why}`;
      return why || BLOCKS[verdict.cause];
    case 'retry':
      return why || say(verdict.failure.message, 400) || `trouble of class ${verdict.failure.class}`;
  }
}

/** Facts about an ended process; with the runner's limits the sentence becomes exact. */
export interface EndFacts extends Pick<ProcessEnd, 'reason' | 'code' | 'signal' | 'durationMs'> {
  readonly error?: string | undefined;
}

export interface EndLimits {
  readonly idleMs?: number | undefined;
  readonly iterationMs?: number | undefined;
}

const ENDS: Readonly<Record<ProcessEnd['reason'], (end: EndFacts, limits: EndLimits) => string>> = {
  exited: ({ code, signal, durationMs }) => {
    if (signal !== null) return `Ended by ${say(signal, 20)} after ${showDuration(durationMs)}`;
    if (code === 0) return `Finished in ${showDuration(durationMs)}`;
    return `Exited with code ${code ?? 'unknown'} after ${showDuration(durationMs)}`;
  },
  lingered: ({ durationMs }) => `Finished but did not leave; ended after ${showDuration(durationMs)}`,
  idle: ({ durationMs }, { idleMs }) =>
    idleMs === undefined
      ? `Killed for giving no output, after ${showDuration(durationMs)}`
      : `Killed after ${showLimit(idleMs)} without output`,
  timeout: ({ durationMs }, { iterationMs }) =>
    `Killed after ${showLimit(iterationMs ?? durationMs)}, the time limit of one iteration`,
  stopped: ({ durationMs }) => `Stopped on request after ${showDuration(durationMs)}`,
  'not-started': ({ error }) => `Could not be started${error ? `: ${say(error, 200)}` : ''}`,
};

/** How a process ended, with the cause first. */
export function describeEnd(end: EndFacts, limits: EndLimits = {}): string {
  return ENDS[end.reason](end, limits);
}

const GATES: Readonly<Record<GateResult['status'], (gate: GateResult) => string>> = {
  green: gate => showDuration(gate.durationMs),
  red: gate => `${gate.exit === null ? 'killed' : `exit ${gate.exit}`} after ${showDuration(gate.durationMs)}`,
  timeout: gate => `timed out after ${showDuration(gate.durationMs)}`,
  'not-run': () => 'not run',
};

/** The outcome of a gate without its name. */
export function gateOutcome(gate: GateResult): string {
  if (gate.reused) return 'green before on the same files';
  return `${GATES[gate.status](gate)}${gate.wasRed ? ', as before' : ''}`;
}

/** A limit as people write it: `10m`, not `10m 00s`. */
export function showLimit(ms: number): string {
  return showDuration(ms).replace(/ 00[sm]$|\.0(?=s$)/, '');
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** How it ended, and what became of it since: discarded, or open again because items were reverted, reset or added to its plan. */
export function howItEnded(
  state: RunState,
  {
    why = state.finished?.why ?? '',
    pending = openAgain(state).length,
  }: {
    readonly why?: string;
    /** Items that are open now, where the plan is known; otherwise those that a person made pending. */
    readonly pending?: number;
  } = {},
): string {
  const { finished, discarded } = state;
  if (discarded) return 'Discarded: its branch is gone.';
  if (finished?.reason === 'complete' && pending > 0)
    return `It was complete; ${plural(pending, 'item')} ${pending === 1 ? 'is' : 'are'} open now.`;
  const again = openAgain(state).length;
  if (finished?.reason === 'blocked' && again > 0)
    return `Only blocked items were left; ${plural(again, 'item')} ${again === 1 ? 'is' : 'are'} open again now.`;
  return finished ? describeStop(finished.reason, why) : '';
}

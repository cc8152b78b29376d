/** Starts an agent, feeds it its brief, and listens until it is gone. */
import { join } from 'node:path';
import { agentEnvironment } from '../agents/index.ts';
import { openSignalLog, type SignalLog } from '../journal/signals.ts';
import { type SuperviseOptions, supervise, superviseInside } from '../process/supervise.ts';
import type { Agent, AgentOptions, AgentOutcome, Item, ProcessEnd, ProcessId } from '../protocol.ts';
import { containAgent, sandboxFailure } from './contain-agent.ts';
import { timeLeft } from './limits.ts';
import { finishOthers } from './remember.ts';
import type { Session } from './session.ts';

export interface AgentStart {
  readonly iteration: number;
  readonly item: string;
  readonly attempt: number;
  readonly tries: number;
  readonly lease: string;
  readonly briefFile: string;
  /** What the item itself asks for, over the configured agent. */
  readonly wishes: Pick<Item, 'model' | 'effort'>;
}

const TOO_DEAR = 'the cost limit was reached while it worked';

export async function startAgent(session: Session, start: AgentStart): Promise<Heard> {
  const { agent, agentOptions } = session.options;
  const { iteration, item } = start;
  const { model, effort } = start.wishes;
  return await hearOut(session, {
    agent,
    options: { ...agentOptions, ...(model ? { model } : {}), ...(effort ? { effort } : {}) },
    folder: session.folderOf(iteration),
    briefFile: start.briefFile,
    lease: start.lease,
    timeoutMs: session.settings.limits.iterationMs,
    env: {
      RALPH_ROLE: 'work',
      RALPH_ITEM: item,
      RALPH_ITERATION: String(iteration),
      RALPH_ATTEMPT: String(start.attempt),
      RALPH_TRY: String(start.tries),
    },
    place: { iteration },
    onStarted: process => {
      session.record({ type: 'agent.started', iteration, item, process });
    },
  });
}

export interface AgentCall {
  readonly agent: Agent;
  readonly options: AgentOptions;
  /** Where its output is kept. */
  readonly folder: string;
  readonly briefFile: string;
  readonly lease: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string>>;
  /** Whose words these are, for whoever watches. */
  readonly place: { readonly iteration: number; readonly review?: number };
  readonly onStarted: (process: ProcessId) => void;
}

export interface Heard {
  readonly end: ProcessEnd;
  readonly outcome: AgentOutcome;
}

/** Starts an agent's process, whatever its part, and listens until it is gone with all it started. */
export async function hearOut(session: Session, call: AgentCall): Promise<Heard> {
  const { env, folder } = session.options;
  const command = call.agent.command(call.options);
  const reader = call.agent.read();
  let events: SignalLog | undefined;
  const tooDear = new AbortController();
  const purse = session.settings.limits.costUsd - session.state.costUsd;
  const isolated = session.settings.workspace === 'worktree';
  const refused: unknown[] = [];
  const noted = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      refused.push(error);
      throw error;
    }
  };
  const given = { ...command.env, RALPH_RUN: session.state.run, ...call.env, RALPH_BRIEF: call.briefFile };
  const outside = { argv: command.argv, env: agentEnvironment(env, given) };
  const contained = containAgent(session, { ...outside, given, agent: call.agent, role: call.env.RALPH_ROLE ?? '' });
  const watched: Omit<SuperviseOptions, 'argv' | 'env'> = {
    cwd: session.workspace.root,
    stdin: { file: call.briefFile },
    idleMs: session.settings.limits.idleMs,
    timeoutMs: Math.min(call.timeoutMs, timeLeft(session)),
    log: { path: join(call.folder, 'output.log') },
    lease: call.lease,
    workspace: isolated ? session.workspace.root : folder.root.replace(/\/\.ralph$/, ''),
    killSuspects: isolated,
    signal: AbortSignal.any([session.options.stopper.signal, tooDear.signal]),
    onStarted: process =>
      noted(() => {
        session.firstAgent ??= process;
        call.onStarted(process);
        // Made and loaded while the agent starts and not before: what comes before it, it waits for.
        events = openSignalLog(join(call.folder, 'events.jsonl'));
        finishOthers(session);
        void import('./guarding.ts');
      }),
    onOutput: () => session.show({ type: 'agent.output', ...call.place }),
    onLine: line =>
      noted(() => {
        let word: 'finished' | 'hopeless' | undefined;
        let over = false;
        for (const signal of reader.line(line)) {
          events?.write(signal, session.clock.now());
          session.show({ type: 'agent.signal', ...call.place, signal });
          if (signal.type === 'finished') word ??= 'finished';
          if (signal.type === 'retrying' && signal.hopeless) word = 'hopeless';
          if (signal.type === 'usage' && (signal.costUsd ?? 0) >= purse) over = true;
        }
        // One that is finished has nothing more to spend; its work is looked at.
        if (over && word === undefined) tooDear.abort();
        return word;
      }),
  };
  const end = await (contained ? superviseInside(watched, contained) : supervise({ ...watched, ...outside }));
  events?.close();
  // Its end is our doing, a full disk for one: the agent is gone, and nobody is to judge what it did not finish.
  if (refused.length > 0) throw refused[0];
  const unstarted = contained && sandboxFailure(end);
  const read = reader.end(end);
  const outcome = unstarted ? { ...read, failure: unstarted } : read;
  if (!tooDear.signal.aborted) return { end, outcome };
  return { end, outcome: { ...outcome, failure: { class: 'timeout', message: TOO_DEAR } } };
}

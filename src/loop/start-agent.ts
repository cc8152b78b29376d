/** Starts the agent of one iteration, feeds it the brief, and listens until it is gone. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { agentEnvironment } from '../agents/index.ts';
import { supervise } from '../process/supervise.ts';
import type { AgentOutcome, AgentSignal, Item, ProcessEnd } from '../protocol.ts';
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

const EVENTS_BYTES = 4 * 1024 * 1024;

export async function startAgent(
  session: Session,
  start: AgentStart,
): Promise<{ readonly end: ProcessEnd; readonly outcome: AgentOutcome }> {
  const { agent, agentOptions, env, folder } = session.options;
  const { limits } = session.settings;
  const { iteration, item } = start;
  const { model, effort } = start.wishes;
  const command = agent.command({ ...agentOptions, ...(model ? { model } : {}), ...(effort ? { effort } : {}) });
  const reader = agent.read();
  let events: EventLog | undefined;
  const isolated = session.settings.workspace === 'worktree';
  const end = await supervise({
    argv: command.argv,
    cwd: session.workspace.root,
    env: agentEnvironment(env, {
      ...command.env,
      RALPH_RUN: session.state.run,
      RALPH_ITEM: item,
      RALPH_ITERATION: String(iteration),
      RALPH_ATTEMPT: String(start.attempt),
      RALPH_TRY: String(start.tries),
      RALPH_BRIEF: start.briefFile,
    }),
    stdin: { file: start.briefFile },
    idleMs: limits.idleMs,
    timeoutMs: Math.min(limits.iterationMs, remaining(session)),
    log: { path: session.fileOf(iteration, 'output.log') },
    lease: start.lease,
    workspace: isolated ? session.workspace.root : folder.root.replace(/\/\.ralph$/, ''),
    killSuspects: isolated,
    signal: session.options.stopper.signal,
    onStarted: process => {
      session.record({ type: 'agent.started', iteration, item, process });
      // Made and loaded while the agent starts and not before: what comes before it, it waits for.
      events = eventLog(session.fileOf(iteration, 'events.jsonl'));
      void import('./guarding.ts');
    },
    onOutput: () => session.show({ type: 'agent.output', iteration }),
    onLine: line => {
      let finished = false;
      for (const signal of reader.line(line)) {
        events?.write(signal);
        session.show({ type: 'agent.signal', iteration, signal });
        finished ||= signal.type === 'finished';
      }
      return finished ? 'finished' : undefined;
    },
  });
  events?.close();
  return { end, outcome: reader.end(end) };
}

/** The whole run's time is a limit for each agent too. */
function remaining(session: Session): number {
  const spent = session.clock.monotonic() - session.startedAt;
  return Math.max(1000, session.settings.limits.timeMs - spent);
}

interface EventLog {
  write(signal: AgentSignal): void;
  close(): void;
}

/** The agent's structured signals, one per line, bounded. */
function eventLog(file: string): EventLog {
  const fd = openSync(file, 'w');
  let left = EVENTS_BYTES;
  return {
    write: signal => {
      const line = `${JSON.stringify(signal)}\n`;
      left -= line.length;
      if (left > 0) writeSync(fd, line);
    },
    close: () => closeSync(fd),
  };
}

/** Starts an agent, passes it its brief, and reads its output until it exits. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentProcess, runAgentProcess } from '../agent-process/index.ts';
import { toolQuestion } from '../agents/index.ts';
import { openSignalLog } from '../journal/index.ts';
import { nothingSaid, type Said } from '../mcp/index.ts';
import type { Agent, AgentOptions, AgentOutcome, AgentSignal, Item, ProcessEnd, ProcessId } from '../protocol.ts';
import { anySignal } from '../util/any-signal.ts';
import { ownFolder } from '../util/own-folder.ts';
import { emptyInbox, inboxOf } from './inbox.ts';
import { timeLeft } from './limits.ts';
import { openPurse } from './purse.ts';
import { readArchivesBeside } from './remember.ts';
import type { Session } from './session.ts';
import { sharedAccount, type Worker } from './workers.ts';

export interface AgentStart {
  readonly iteration: number;
  readonly item: string;
  readonly attempt: number;
  readonly tries: number;
  readonly lease: string;
  readonly briefFile: string;
  /** The item's own model and effort, which override the configured ones. */
  readonly wishes: Pick<Item, 'model' | 'effort'>;
  readonly worker: Worker;
  /** The agent's MCP server. */
  readonly mcp?: AgentOptions['mcp'];
  /** Called while the agent works. */
  readonly meanwhile: () => void;
}

const TOO_DEAR = 'the cost limit was reached while it worked';

export async function startAgent(session: Session, start: AgentStart): Promise<Heard> {
  const { agent, options } = start.worker;
  const { iteration, item } = start;
  const { model, effort } = start.wishes;
  return await hearOut(session, {
    agent,
    options: {
      ...options,
      ...(model ? { model } : {}),
      ...(effort ? { effort } : {}),
      ...(start.mcp ? { mcp: start.mcp } : {}),
    },
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
      ...(start.mcp ? { RALPH_MCP_CONFIG: start.mcp.config } : {}),
    },
    place: { iteration },
    onStarted: process => {
      session.record({ type: 'agent.started', iteration, item, process });
      start.meanwhile();
    },
  });
}

export interface AgentCall {
  readonly agent: Agent;
  readonly options: AgentOptions;
  /** The folder for the agent's output. */
  readonly folder: string;
  readonly briefFile: string;
  readonly lease: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string>>;
  /** The iteration or review that the signals belong to. */
  readonly place: { readonly iteration: number; readonly review?: number };
  readonly onStarted: (process: ProcessId) => void;
}

export interface Heard {
  readonly end: ProcessEnd;
  /** With the cost that the agent reported, or the cost of its tokens from the price table. */
  readonly outcome: AgentOutcome;
  readonly priced?: true;
  /** A question that the agent asked through a tool before it ended; empty if it asked none. */
  readonly asked: string;
  /** What the agent said through the runner's own tools. */
  readonly byTool: Said;
}

/** Runs an agent, for work or review: its signals are recorded and shown, and its cost is counted. */
export async function hearOut(session: Session, call: AgentCall): Promise<Heard> {
  const { env, folder, sandbox, stopper } = session.options;
  const { root } = session.workspace;
  const { mcp } = call.options;
  const reader = call.agent.read();
  const question = toolQuestion();
  // Opened before the agent runs, because the agent could replace its folder by a link.
  const events = openSignalLog(join(call.folder, 'events.jsonl'));
  const purse = openPurse(session, {
    agent: call.agent.name,
    model: () => reader.model?.() ?? call.options.model,
    briefChars: statSync(call.briefFile).size,
  });
  const ended = anySignal([stopper.signal, purse.signal]);
  const account = sharedAccount(call, session);
  const isolated = root !== dirname(folder.root);
  let byTool: Said = nothingSaid;
  const { end, outcome } = await runAgentProcess({
    agent: call.agent,
    options: call.options,
    reader,
    env,
    given: { RALPH_RUN: session.state.run, ...call.env, RALPH_BRIEF: call.briefFile },
    root,
    briefFile: call.briefFile,
    log: join(call.folder, 'output.log'),
    ...(sandbox ? { sandbox, inside: insideOf(session, call) } : {}),
    watch: {
      idleMs: session.settings.limits.idleMs,
      timeoutMs: Math.min(call.timeoutMs, timeLeft(session)),
      lease: call.lease,
      ...(isolated ? {} : { except: folder.worktrees }),
      killSuspects: isolated,
      signal: ended.signal,
      onOutput: () => session.show({ type: 'agent.output', ...call.place }),
    },
    onStarted: process => {
      session.firstAgent ??= process;
      call.onStarted(process);
      // While the agent starts, so that its start is not delayed.
      readArchivesBeside(session);
    },
    onSignal: heard => {
      const signal = purse.see(heard);
      question.see(signal);
      events.write(signal, session.clock.now());
      session.show({ type: 'agent.signal', ...call.place, signal });
      if (isAnswer(signal)) freeLimit(session, account);
    },
    // Not called for a finished agent: it spends nothing more, and its work is judged.
    onLine: () => purse.enforce(),
    onRefused: message => session.notice('warn', message),
  }).finally(() => {
    ended.letGo();
    events.close();
    byTool = emptyInbox(session, call.lease, { isRead: mcp !== undefined });
  });
  const cost = purse.settle(outcome);
  const failure = purse.signal.aborted ? { failure: { class: 'timeout' as const, message: TOO_DEAR } } : {};
  return {
    end,
    outcome: { ...outcome, costUsd: cost.costUsd, ...failure },
    asked: question.asked(),
    byTool,
    ...(cost.priced ? { priced: true } : {}),
  };
}

/** What the agent can reach in the sandbox besides the work tree. */
function insideOf(session: Session, { lease, env, options: { mcp } }: AgentCall): AgentProcess['inside'] {
  const inbox = inboxOf(session, lease);
  ownFolder(session.options.folder.root, inbox);
  return {
    inbox,
    // A reviewer has nothing to commit.
    ...(env.RALPH_ROLE === 'review' ? {} : { branch: session.workspace.branch }),
    ...(mcp ? { also: [mcp.command, ...mcp.args] } : {}),
  };
}

/** Only output of a model shows that the account works again. */
const isAnswer = (signal: AgentSignal): boolean =>
  signal.type === 'tool' || signal.type === 'text' || (signal.type === 'usage' && signal.usage.outputTokens > 0);

/** The first answer wakes runs that wait for the same limit; they need not wait for the end of a long item. */
function freeLimit({ options: { limits }, clock }: Session, account: string | undefined): void {
  if (account === undefined || !limits) return;
  const limit = limits.look(account);
  if (limit && limit.until <= clock.now()) limits.free(account);
}

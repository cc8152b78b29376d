/** Starts an agent, feeds it its brief, and listens until it is gone. */
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
  /** What the item itself asks for, over the configured agent. */
  readonly wishes: Pick<Item, 'model' | 'effort'>;
  readonly worker: Worker;
  /** The server of tools it gets. */
  readonly mcp?: AgentOptions['mcp'];
  /** Done while it works. */
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
  /** Its cost is what it told, or else what its tokens cost by the table. */
  readonly outcome: AgentOutcome;
  readonly priced?: true;
  /** What it asked by a tool for questions before it ended; empty where it asked nothing. */
  readonly asked: string;
  /** What it said by the tools of the runner. */
  readonly byTool: Said;
}

/** An agent of this run, whatever its part: what it says is recorded and shown, and what it costs is counted. */
export async function hearOut(session: Session, call: AgentCall): Promise<Heard> {
  const { env, folder, sandbox, stopper } = session.options;
  const { root } = session.workspace;
  const { mcp } = call.options;
  const reader = call.agent.read();
  const question = toolQuestion();
  // Before the agent runs, which could put a link in the place of its folder.
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
      // While the agent starts and not before: what comes before it, it waits for.
      readArchivesBeside(session);
    },
    onSignal: heard => {
      const signal = purse.see(heard);
      question.see(signal);
      events.write(signal, session.clock.now());
      session.show({ type: 'agent.signal', ...call.place, signal });
      if (isAnswer(signal)) freeLimit(session, account);
    },
    // One that is finished has nothing more to spend; its work is looked at.
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

/** What the sandbox lets it reach beside the work tree. */
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

/** Only a model's own doing shows that the account can be used again. */
const isAnswer = (signal: AgentSignal): boolean =>
  signal.type === 'tool' || signal.type === 'text' || (signal.type === 'usage' && signal.usage.outputTokens > 0);

/** Whoever waits for the same limit is woken by the first answer, not by the end of a long item. */
function freeLimit({ options: { limits }, clock }: Session, account: string | undefined): void {
  if (account === undefined || !limits) return;
  const limit = limits.look(account);
  if (limit && limit.until <= clock.now()) limits.free(account);
}

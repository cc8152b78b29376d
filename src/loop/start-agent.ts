/** Starts an agent, feeds it its brief, and listens until it is gone. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentEnvironment, toolQuestion } from '../agents/index.ts';
import { openSignalLog } from '../journal/index.ts';
import type { Said } from '../mcp/index.ts';
import { type SuperviseOptions, supervise, superviseInside } from '../process/index.ts';
import type { Agent, AgentOptions, AgentOutcome, AgentSignal, Item, ProcessEnd, ProcessId } from '../protocol.ts';
import { type Gateway, openGateway } from '../sandbox/index.ts';
import { oneLine } from '../util/show.ts';
import { containAgent, sandboxFailure } from './contain-agent.ts';
import { emptyInbox } from './inbox.ts';
import { timeLeft } from './limits.ts';
import { openPurse } from './purse.ts';
import { finishOthers, readArchivesBeside } from './remember.ts';
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

/** Starts an agent's process, whatever its part, and listens until it is gone with all it started. */
export async function hearOut(session: Session, call: AgentCall): Promise<Heard> {
  const { env, folder } = session.options;
  const command = call.agent.command(call.options);
  const reader = call.agent.read();
  const question = toolQuestion();
  // Before the agent runs, which could put a link in the place of its folder.
  const events = openSignalLog(join(call.folder, 'events.jsonl'));
  const purse = openPurse(session, {
    agent: call.agent.name,
    model: () => reader.model?.() ?? call.options.model,
    briefChars: statSync(call.briefFile).size,
  });
  const account = sharedAccount(call, session);
  const top = dirname(folder.root);
  const isolated = session.workspace.root !== top;
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
  const { mcp } = call.options;
  const gateway = await gatewayFor(session, { ...call, env: outside.env });
  const contained = containAgent(session, {
    ...outside,
    given,
    agent: call.agent,
    role: call.env.RALPH_ROLE ?? '',
    lease: call.lease,
    ...(gateway ? { gateway } : {}),
    ...(mcp ? { also: [mcp.command, ...mcp.args] } : {}),
  });
  const watched: Omit<SuperviseOptions, 'argv' | 'env'> = {
    cwd: session.workspace.root,
    stdin: { file: call.briefFile },
    idleMs: session.settings.limits.idleMs,
    timeoutMs: Math.min(call.timeoutMs, timeLeft(session)),
    log: { path: join(call.folder, 'output.log') },
    lease: call.lease,
    workspace: session.workspace.root,
    ...(isolated ? {} : { except: folder.worktrees }),
    killSuspects: isolated,
    signal: AbortSignal.any([session.options.stopper.signal, purse.signal]),
    onStarted: process =>
      noted(() => {
        session.firstAgent ??= process;
        call.onStarted(process);
        // Loaded while the agent starts and not before: what comes before it, it waits for.
        finishOthers(session);
        readArchivesBeside(session);
        void import('./guarding.ts');
      }),
    onOutput: () => session.show({ type: 'agent.output', ...call.place }),
    onLine: line =>
      noted(() => {
        let word: 'finished' | 'hopeless' | undefined;
        for (const heard of reader.line(line)) {
          const signal = purse.see(heard);
          question.see(signal);
          events.write(signal, session.clock.now());
          session.show({ type: 'agent.signal', ...call.place, signal });
          if (signal.type === 'finished') word ??= 'finished';
          if (signal.type === 'retrying' && signal.hopeless) word = 'hopeless';
          if (isAnswer(signal)) freeLimit(session, account);
        }
        // One that is finished has nothing more to spend; its work is looked at.
        if (word === undefined) purse.enforce();
        return word;
      }),
  };
  const end = await (contained ? superviseInside(watched, contained) : supervise({ ...watched, ...outside }));
  events.close();
  gateway?.close();
  const byTool = emptyInbox(session, call.lease, { isRead: mcp !== undefined });
  // Its end is our doing, a full disk for one: the agent is gone, and nobody is to judge what it did not finish.
  if (refused.length > 0) throw refused[0];
  const unstarted = contained && sandboxFailure(end);
  const read = reader.end(end);
  const outcome = unstarted ? { ...read, failure: unstarted } : read;
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

/** Where the network is a list of hosts; what it refuses is said, because the agent's own words seldom do. */
async function gatewayFor(
  session: Session,
  { agent, env }: { readonly agent: Agent; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Gateway | undefined> {
  const { hosts } = session.options.sandbox ?? {};
  if (!hosts) return undefined;
  const onRefused = (host: string) =>
    session.notice('warn', `the sandbox refused a connection to ${oneLine(host, 100)}: it is not in sandbox.network`);
  return await openGateway({ hosts, needs: agent.abilities?.needs, env, onRefused });
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

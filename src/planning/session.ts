/** One agent process that plans: started, read, and gone when this returns. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAgentProcess } from '../agent-process/index.ts';
import type { Limits } from '../config/index.ts';
import { endLeftovers } from '../process/index.ts';
import type { Agent, AgentOptions, AgentOutcome, AgentSignal, Leftover, ProcessEnd, ProcessId } from '../protocol.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { readText, writeAtomic } from '../util/files.ts';
import { jsonFields } from '../util/json.ts';

/** What the agent's environment calls the work it is on; scenarios of the scripted agent use it, too. */
const ITEM = 'plan';
const GRACE_MS = 3_000;

export interface SessionRequest {
  readonly agent: Agent;
  readonly agentOptions: AgentOptions;
  readonly env: NodeJS.ProcessEnv;
  readonly sandbox?: Sandbox | undefined;
  readonly root: string;
  /** Where brief and log go. */
  readonly folder: string;
  readonly round: number;
  readonly brief: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly onSignal: (signal: AgentSignal) => void;
}

export async function runSession(
  request: SessionRequest,
): Promise<{ readonly end: ProcessEnd; readonly outcome: AgentOutcome }> {
  const { agent, agentOptions, env, root, folder, round, limits } = request;
  mkdirSync(folder, { recursive: true });
  const briefFile = join(folder, `brief-${round}.md`);
  writeFileSync(briefFile, request.brief);
  const lease = randomBytes(8).toString('hex');
  const number = String(round);
  // Without a branch: a planner has nothing to commit.
  const { end, outcome } = await runAgentProcess({
    agent,
    options: agentOptions,
    reader: agent.read(),
    env,
    given: {
      RALPH_RUN: ITEM,
      RALPH_ITEM: ITEM,
      RALPH_ITERATION: number,
      RALPH_ATTEMPT: number,
      RALPH_TRY: number,
      RALPH_BRIEF: briefFile,
    },
    root,
    briefFile,
    log: join(folder, `output-${round}.log`),
    sandbox: request.sandbox,
    watch: {
      idleMs: limits.idleMs,
      timeoutMs: Math.min(limits.iterationMs, limits.timeMs),
      lease,
      signal: request.signal,
    },
    onStarted: process => writeAtomic(leaseFile(folder), JSON.stringify({ lease, process })),
    onSignal: request.onSignal,
    onRefused: text => request.onSignal({ type: 'error', text }),
  }).finally(() => rmSync(leaseFile(folder), { force: true }));
  return { end, outcome };
}

const leaseFile = (folder: string): string => join(folder, 'agent.json');

/** Ends the agent of a planning session whose runner died; undefined when there was none. */
export async function endLastAgent(folder: string, root: string): Promise<readonly Leftover[] | undefined> {
  const text = readText(leaseFile(folder));
  if (text === undefined) return undefined;
  const { lease, process } = leaseOf(text);
  const ended = lease
    ? await endLeftovers({ ...(process ? { process } : {}), lease, workspace: root, graceMs: GRACE_MS })
    : [];
  rmSync(leaseFile(folder), { force: true });
  return ended;
}

const leaseOf = (text: string): { readonly lease?: string; readonly process?: ProcessId } => jsonFields(text);

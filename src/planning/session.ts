/** One agent process that plans: started, listened to, and gone when this returns. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentEnvironment, findOnPath } from '../agents/index.ts';
import type { Limits } from '../config/index.ts';
import { endLeftovers, type SuperviseOptions, supervise, superviseInside } from '../process/index.ts';
import type { Agent, AgentOptions, AgentOutcome, AgentSignal, Leftover, ProcessEnd, ProcessId } from '../protocol.ts';
import { openGateway, type Sandbox } from '../sandbox/index.ts';
import { readText, writeAtomic } from '../util/files.ts';

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
  const command = agent.command(agentOptions);
  const reader = agent.read();
  const lease = randomBytes(8).toString('hex');
  const number = String(round);
  const given = {
    ...command.env,
    RALPH_RUN: ITEM,
    RALPH_ITEM: ITEM,
    RALPH_ITERATION: number,
    RALPH_ATTEMPT: number,
    RALPH_TRY: number,
    RALPH_BRIEF: briefFile,
  };
  const outside = { argv: command.argv, env: agentEnvironment(env, given) };
  const { hosts } = request.sandbox ?? {};
  const onRefused = (host: string) =>
    request.onSignal({
      type: 'error',
      text: `the sandbox refused a connection to ${host}: it is not in sandbox.network`,
    });
  const gateway = hosts
    ? await openGateway({ hosts, needs: agent.abilities?.needs, env: outside.env, onRefused })
    : undefined;
  // Without a branch: a planner has nothing to commit.
  const contained = request.sandbox?.agent({
    ...outside,
    program: findOnPath(command.argv[0], outside.env) ?? command.argv[0],
    ...(agent.abilities && agent.abilities.needs.state.length > 0 ? { needs: agent.abilities.needs.state } : {}),
    cwd: root,
    ...(gateway ? { gateway } : {}),
    given,
  });
  const watched: Omit<SuperviseOptions, 'argv' | 'env'> = {
    cwd: root,
    stdin: { file: briefFile },
    idleMs: limits.idleMs,
    timeoutMs: Math.min(limits.iterationMs, limits.timeMs),
    log: { path: join(folder, `output-${round}.log`) },
    lease,
    workspace: root,
    signal: request.signal,
    onStarted: process => writeAtomic(leaseFile(folder), JSON.stringify({ lease, process })),
    onLine: line => {
      let finished = false;
      for (const signal of reader.line(line)) {
        request.onSignal(signal);
        finished ||= signal.type === 'finished';
      }
      return finished ? 'finished' : undefined;
    },
  };
  const end = await (contained ? superviseInside(watched, contained) : supervise({ ...watched, ...outside }));
  gateway?.close();
  rmSync(leaseFile(folder), { force: true });
  return { end, outcome: reader.end(end) };
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

function leaseOf(text: string): { readonly lease?: string; readonly process?: ProcessId } {
  try {
    return JSON.parse(text) as { lease?: string; process?: ProcessId };
  } catch {
    return {};
  }
}

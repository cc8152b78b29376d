/** Starts an agent's process and reads its output until it and everything it started have exited. */
import { agentEnvironment, findOnPath } from '../agents/index.ts';
import { type SuperviseOptions, supervise, superviseInside } from '../process/index.ts';
import type {
  Agent,
  AgentFailure,
  AgentOptions,
  AgentOutcome,
  AgentSignal,
  ProcessEnd,
  ProcessId,
} from '../protocol.ts';
import { openGateway, type Sandbox } from '../sandbox/index.ts';
import { oneLine } from '../util/show.ts';

/** Time limits, the stop signal, and how leftover processes are found. */
type Watch = Pick<
  SuperviseOptions,
  'idleMs' | 'timeoutMs' | 'lease' | 'signal' | 'except' | 'killSuspects' | 'onOutput'
>;

/** The sandbox settings that differ between the loop, reviews and planning. */
type Inside = Partial<Pick<Parameters<Sandbox['agent']>[0], 'branch' | 'inbox' | 'also'>>;

export interface AgentProcess {
  readonly agent: Agent;
  readonly options: AgentOptions;
  /** Parses the agent's output. */
  readonly reader: ReturnType<Agent['read']>;
  /** The runner's environment; the agent gets a filtered copy. */
  readonly env: NodeJS.ProcessEnv;
  /** Variables set for this agent. */
  readonly given: Readonly<Record<string, string>>;
  /** The work tree that the agent starts in. */
  readonly root: string;
  /** The agent's standard input. */
  readonly briefFile: string;
  /** The file that stores the agent's output. */
  readonly log: string;
  readonly sandbox?: Sandbox | undefined;
  readonly inside?: Inside | undefined;
  readonly watch: Watch;
  /** Called before any output is read. */
  readonly onStarted: (process: ProcessId) => void;
  readonly onSignal: (signal: AgentSignal) => void;
  /** Called after each line whose signals did not end the agent. */
  readonly onLine?: () => void;
  /** Called when the sandbox refuses a host, because the agent's own error messages seldom say so. */
  readonly onRefused: (message: string) => void;
}

export interface AgentProcessEnd {
  readonly end: ProcessEnd;
  readonly outcome: AgentOutcome;
}

/** Rethrows what a callback threw, once the agent has exited, so that unfinished work is never judged. */
export async function runAgentProcess(call: AgentProcess): Promise<AgentProcessEnd> {
  const { agent, options, reader, env, root, sandbox } = call;
  const command = agent.command(options);
  const given = { ...command.env, ...call.given };
  const outside = { argv: command.argv, env: agentEnvironment(env, given) };
  const { hosts } = sandbox ?? {};
  const { state: needs = [] } = agent.abilities?.needs ?? {};
  const onRefused = (host: string) =>
    call.onRefused(`the sandbox refused a connection to ${oneLine(host, 100)}: it is not in sandbox.network`);
  const gateway = hosts && (await openGateway({ hosts, needs: agent.abilities?.needs, env: outside.env, onRefused }));
  const { inbox } = call.inside ?? {};
  const contained = sandbox?.agent({
    ...outside,
    program: findOnPath(command.argv[0], outside.env) ?? command.argv[0],
    // If the agent declares no needs, the sandbox derives them from the program's name.
    ...(needs.length > 0 ? { needs } : {}),
    cwd: root,
    ...call.inside,
    ...(gateway ? { gateway } : {}),
    given: inbox === undefined ? given : { ...given, RALPH_INBOX: inbox },
  });
  const thrown: unknown[] = [];
  const noting = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      thrown.push(error);
      throw error;
    }
  };
  const watched: Omit<SuperviseOptions, 'argv' | 'env'> = {
    ...call.watch,
    cwd: root,
    workspace: root,
    stdin: { file: call.briefFile },
    log: { path: call.log },
    onStarted: process => noting(() => call.onStarted(process)),
    onLine: line =>
      noting(() => {
        let word: 'finished' | 'hopeless' | undefined;
        for (const heard of reader.line(line)) {
          call.onSignal(heard);
          if (heard.type === 'finished') word ??= 'finished';
          if (heard.type === 'retrying' && heard.hopeless) word = 'hopeless';
        }
        if (word === undefined) call.onLine?.();
        return word;
      }),
  };
  const end = await (contained ? superviseInside(watched, contained) : supervise({ ...watched, ...outside }));
  gateway?.close();
  if (thrown.length > 0) throw thrown[0];
  const unstarted = contained && sandboxFailure(end);
  const read = reader.end(end);
  return { end, outcome: unstarted ? { ...read, failure: unstarted } : read };
}

/** Recognizes a bubblewrap error before the agent started: not the agent's failure, so no attempt is charged. */
export function sandboxFailure({ code, outputBytes, stderr = '' }: ProcessEnd): AgentFailure | undefined {
  const isIts = code === 1 && /^bwrap: .+\n?$/.test(stderr) && outputBytes <= Buffer.byteLength(stderr) + 1;
  if (!isIts) return undefined;
  return { class: 'setup', message: `the sandbox did not start (ralph doctor --sandbox): ${oneLine(stderr, 300)}` };
}

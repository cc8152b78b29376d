/** Starts an agent's process, whatever its part, and listens until it is gone with all it started. */
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

/** How long it may take, what ends it, and what it leaves behind is looked for. */
type Watch = Pick<
  SuperviseOptions,
  'idleMs' | 'timeoutMs' | 'lease' | 'signal' | 'except' | 'killSuspects' | 'onOutput'
>;

/** What of the sandbox differs between those who start agents. */
type Inside = Partial<Pick<Parameters<Sandbox['agent']>[0], 'branch' | 'inbox' | 'also'>>;

export interface AgentProcess {
  readonly agent: Agent;
  readonly options: AgentOptions;
  /** What understands its output. */
  readonly reader: ReturnType<Agent['read']>;
  /** The environment of the runner; the agent gets what is meant for it. */
  readonly env: NodeJS.ProcessEnv;
  /** Variables that are made for this agent. */
  readonly given: Readonly<Record<string, string>>;
  /** The work tree it is started in. */
  readonly root: string;
  /** Its standard input. */
  readonly briefFile: string;
  /** Where its output is kept. */
  readonly log: string;
  readonly sandbox?: Sandbox | undefined;
  readonly inside?: Inside | undefined;
  readonly watch: Watch;
  /** Before a byte of it is read. */
  readonly onStarted: (process: ProcessId) => void;
  readonly onSignal: (signal: AgentSignal) => void;
  /** After a line whose signals did not end it. */
  readonly onLine?: () => void;
  /** A host that the sandbox keeps it from; its own words seldom say so. */
  readonly onRefused: (message: string) => void;
}

export interface AgentProcessEnd {
  readonly end: ProcessEnd;
  readonly outcome: AgentOutcome;
}

/** Throws what a callback threw, once the agent is gone: nobody is to judge what it did not finish. */
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
    // Of an agent that declares none, the name of its program tells.
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

/** What bubblewrap says where it did not come to starting the agent: not the agent's failure, and no attempt of its. */
export function sandboxFailure({ code, outputBytes, stderr = '' }: ProcessEnd): AgentFailure | undefined {
  const isIts = code === 1 && /^bwrap: .+\n?$/.test(stderr) && outputBytes <= Buffer.byteLength(stderr) + 1;
  if (!isIts) return undefined;
  return { class: 'setup', message: `the sandbox did not start (ralph doctor --sandbox): ${oneLine(stderr, 300)}` };
}

/** An agent's command put into the run's sandbox, if it has one. */
import { findOnPath } from '../agents/index.ts';
import type { Agent, AgentFailure, ProcessEnd } from '../protocol.ts';
import type { Argv, Contained, Gateway } from '../sandbox/index.ts';
import { ownFolder } from '../util/own-folder.ts';
import { oneLine } from '../util/show.ts';
import { inboxOf } from './inbox.ts';
import type { Session } from './session.ts';

export interface Uncontained {
  readonly agent: Agent;
  readonly argv: Argv;
  readonly env: Readonly<Record<string, string>>;
  /** What of the environment is meant for the agent. */
  readonly given: Readonly<Record<string, string>>;
  readonly role: string;
  readonly lease: string;
  readonly gateway?: Gateway;
  /** Programs that its own program starts for the runner. */
  readonly also?: readonly string[];
}

/** Of an agent that declares none, the name of its program tells. */
function stateOf({ abilities }: Agent): { readonly needs?: readonly string[] } {
  const state = abilities?.needs.state ?? [];
  return state.length > 0 ? { needs: state } : {};
}

export function containAgent(session: Session, call: Uncontained): Contained | undefined {
  const { sandbox, folder } = session.options;
  if (!sandbox) return undefined;
  const inbox = inboxOf(session, call.lease);
  ownFolder(folder.root, inbox);
  const { root, branch } = session.workspace;
  return sandbox.agent({
    argv: call.argv,
    program: findOnPath(call.argv[0], call.env) ?? call.argv[0],
    ...stateOf(call.agent),
    cwd: root,
    // A reviewer has nothing to commit.
    ...(call.role === 'review' ? {} : { branch }),
    inbox,
    ...(call.also ? { also: call.also } : {}),
    ...(call.gateway ? { gateway: call.gateway } : {}),
    env: call.env,
    given: { ...call.given, RALPH_INBOX: inbox },
  });
}

/** What bubblewrap says where it did not come to starting the agent: not the agent's failure, and no attempt of its. */
export function sandboxFailure({ code, outputBytes, stderr = '' }: ProcessEnd): AgentFailure | undefined {
  const isIts = code === 1 && /^bwrap: .+\n?$/.test(stderr) && outputBytes <= Buffer.byteLength(stderr) + 1;
  if (!isIts) return undefined;
  return { class: 'setup', message: `the sandbox did not start (ralph doctor --sandbox): ${oneLine(stderr, 300)}` };
}

/** Which sandbox keeps a run inside: the configured one if it works here, or the one this machine has. */
import { existsSync } from 'node:fs';
import { findOnPath } from '../agents/index.ts';
import { PACKAGE_FOLDERS } from '../custody/index.ts';
import { capture } from '../process/index.ts';
import {
  type Argv,
  agentPolicy,
  bwrapArgv,
  type Facts,
  type Found,
  type Sandbox,
  sandboxOf,
  type Tier,
} from '../sandbox/index.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { type Project, type Refusal, refuse } from './project.ts';

export interface ChosenSandbox {
  readonly tier: Tier;
  /** Absent where there is none. */
  readonly sandbox?: Sandbox;
  readonly found?: Found;
  /** Why there is none, for people. */
  readonly why: string;
}

export interface Occupants {
  /** The names of the agents that will be started. */
  readonly agents: readonly string[];
  /** The run continues without one, as it was started. */
  readonly consented: boolean;
}

/** A machine that is a sandbox itself, such as a container for one job, says so for every repository in it. */
const SANDBOX_VARIABLE = 'RALPH_SANDBOX';

const WITHOUT =
  'Or let the agent do whatever you can do: ralph run --no-sandbox (for this run), or sandbox: none in the config.';

export async function chooseSandbox(project: Project, who: Occupants): Promise<Result<ChosenSandbox, Refusal>> {
  const chosen = await chooseTier(project, who);
  const { network } = project.settings.sandbox;
  if (!chosen.ok || typeof network === 'string' || chosen.value.tier === 'bwrap') return chosen;
  // It reaches nothing by itself.
  if (isScripted(who)) return chosen;
  return refuse(4, {
    reason: 'no-sandbox',
    message: `sandbox.network is a list of hosts, which only bwrap can enforce; here it is ${chosen.value.tier}`,
    hint: 'Use bwrap (sandbox: {tier: bwrap, network: [...]}), or say who has a network: agent, all or none.',
  });
}

async function chooseTier(project: Project, who: Occupants): Promise<Result<ChosenSandbox, Refusal>> {
  const { sandbox } = project.settings;
  switch (sandbox.tier) {
    case 'none':
      return ok({ tier: 'none', why: 'switched off' });
    case 'auto':
      return await whatThereIs(project, who);
    case 'bwrap': {
      const found = await findBwrap(project);
      return found.ok ? chosen(project, found.value) : refuse(4, found.error);
    }
    case 'docker':
      return await container(project);
    case 'seatbelt':
      return existsSync('/usr/bin/sandbox-exec')
        ? chosen(project, { tier: 'seatbelt' })
        : refuse(4, noTier('sandbox-exec was not found: it is part of macOS', 'Choose another: sandbox: auto.'));
  }
}

async function whatThereIs(project: Project, who: Occupants): Promise<Result<ChosenSandbox, Refusal>> {
  if (project.env[SANDBOX_VARIABLE] === 'none') return ok({ tier: 'none', why: `${SANDBOX_VARIABLE}=none` });
  // It is this program itself, and does what its scenario says.
  if (isScripted(who)) return ok({ tier: 'none', why: NEEDS_NONE });
  const found = await findBwrap(project);
  if (found.ok) return chosen(project, found.value);
  return who.consented ? ok({ tier: 'none', why: 'the run was started without one' }) : refuse(4, found.error);
}

export const NEEDS_NONE = 'the scripted agent needs none';

/** Where no agent was found, nobody knows yet who will be inside. */
const isScripted = ({ agents }: Occupants): boolean => agents.length > 0 && agents.every(name => name === 'script');

const chosen = (project: Project, found: Found): Result<ChosenSandbox, never> =>
  ok({ tier: found.tier, found, sandbox: sandboxOf(found, factsOf(project)), why: '' });

export const factsOf = ({ repository, folder, env, settings }: Project): Facts => ({
  repository: repository.root,
  state: folder.root,
  env,
  allow: settings.sandbox.allow,
  network: settings.sandbox.network,
  packages: PACKAGE_FOLDERS,
});

const PROBE = { maxBytes: 64 * 1024, timeoutMs: 20_000 };

/** There and working: user namespaces are refused on some machines, and in most containers. */
async function findBwrap(project: Project): Promise<Result<Extract<Found, { tier: 'bwrap' }>>> {
  const { env } = project;
  if (process.platform !== 'linux') {
    return fail(
      noTier('no sandbox was ever tested on this system', 'On macOS there is one that was not: sandbox: seatbelt.'),
    );
  }
  const program = findOnPath('bwrap', env);
  if (program === undefined) {
    return fail(
      noTier(
        'there is no sandbox here: bwrap (bubblewrap) was not found',
        'Install it: apt install bubblewrap (dnf, pacman and apk: the same name).',
      ),
    );
  }
  // With the mounts of an agent, which can fail on their own.
  const shell: Argv = ['/bin/sh', '-c', 'exit 0'];
  const facts = { ...factsOf(project), network: 'none' } as const;
  const cwd = project.repository.root;
  const inside = { argv: shell, program: shell[0], cwd, env, given: {} };
  const argv = bwrapArgv(program, agentPolicy(facts, inside), shell);
  const tried = await capture({ argv, cwd: '/', env, ...PROBE });
  if (tried.code === 0) return ok({ tier: 'bwrap', program });
  const words = oneLine(tried.stderr, 300) || `exit ${String(tried.code)}`;
  return fail(noTier(`the sandbox does not start here: ${words}`, namespaceHint()));
}

/** What usually refuses, as far as the kernel says. */
function namespaceHint(): string {
  if (existsSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')) {
    return 'User namespaces are restricted by AppArmor: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for /usr/bin/bwrap.';
  }
  if (existsSync('/proc/sys/kernel/unprivileged_userns_clone')) {
    return 'User namespaces may be switched off: sudo sysctl kernel.unprivileged_userns_clone=1';
  }
  return 'User namespaces seem to be refused here, as in most containers: the container may be sandbox enough.';
}

async function container(project: Project): Promise<Result<ChosenSandbox, Refusal>> {
  const { image } = project.settings.sandbox;
  if (image === undefined) {
    return refuse(2, {
      reason: 'sandbox-incomplete',
      message: 'sandbox: docker needs an image that has the agent and your tools in it',
      hint: 'For example: sandbox: {tier: docker, image: "my-agents:latest"}',
    });
  }
  const programs = ['docker', 'podman'].flatMap(name => findOnPath(name, project.env) ?? []);
  let refused: Failure | undefined;
  // The client of one may be there without its engine, beside the other.
  for (const program of programs) {
    const argv: Argv = [program, 'image', 'inspect', '--format', 'ok', image];
    const asked = await capture({ argv, cwd: '/', env: project.env, ...PROBE });
    if (asked.code === 0) return chosen(project, { tier: 'docker', program, image });
    refused ??= noContainer(oneLine(asked.stderr, 300) || `exit ${String(asked.code)}`, `${program} pull ${image}`);
  }
  return refuse(
    4,
    refused ?? noTier('docker and podman were not found', 'Install one, or choose another: sandbox: auto.'),
  );
}

function noContainer(words: string, pull: string): Failure {
  const hint = /no such image|image not known/i.test(words)
    ? `Get it: ${pull}`
    : 'Start it: sudo systemctl start docker (and see whether you may use it: docker info)';
  return noTier(`the container cannot be started: ${words}`, hint);
}

const noTier = (message: string, how: string): Failure => ({
  reason: 'no-sandbox',
  message,
  hint: `${how}\n${WITHOUT}`,
});

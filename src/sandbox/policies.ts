/** What an agent and what gates get: two policies made from the same few facts. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { realPath } from '../util/paths.ts';
import { agentEnv, withOwnTemp } from './environment.ts';
import { type Gateway, proxyInside } from './gateway.ts';
import { gitMounts, gitReadOnly } from './git-mounts.ts';
import {
  commandPaths,
  keptPaths,
  linkedPackages,
  packagePaths,
  registryPaths,
  secretPaths,
  statePaths,
  toolPaths,
} from './home.ts';
import { isWithin, kindOf, placeOf, there } from './paths.ts';
import { hiddenFiles, hiddenFolders, kernelSettings, neededFolders } from './places.ts';
import type { Argv, Mount, Policy } from './policy.ts';

/** What a person lets in besides. */
export interface Allowed {
  /** Absolute, or below HOME with `~/`. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Names of variables; a prefix ends in `*`. */
  readonly env: readonly string[];
}

/** Known at the start of a run and the same for all of it. */
export interface Facts {
  /** Top of the person's checkout. */
  readonly repository: string;
  /** The runner's own folder in there. */
  readonly state: string;
  readonly env: NodeJS.ProcessEnv;
  readonly allow: Allowed;
  /** Who has a network: the agent alone, everybody, nobody; or the agent, to these hosts. */
  readonly network: 'agent' | 'all' | 'none' | readonly string[];
  /** Folders of packages below a tree. */
  readonly packages: readonly string[];
}

export interface AgentInside {
  readonly argv: Argv;
  /** The file of its program. */
  readonly program: string;
  /** Below HOME, as the agent's adapter says; absent: by the name of the program. */
  readonly needs?: readonly string[];
  readonly cwd: string;
  /** Absent where it may not commit. */
  readonly branch?: string;
  /** Other programs that it starts, with their arguments. */
  readonly also?: readonly string[];
  /** The way to the hosts on the list; without it a list means no network. */
  readonly gateway?: Gateway;
  /** The one place in the runner's folder that is the agent's. */
  readonly inbox?: string;
  /** The whole environment, and what of it was given on purpose. */
  readonly env: NodeJS.ProcessEnv;
  readonly given: Readonly<Record<string, string>>;
}

export interface GatesInside {
  readonly cwd: string;
  /** Where packages are used from, if that is not the folder they run in. */
  readonly tree: string;
  readonly env: NodeJS.ProcessEnv;
  /** They install packages: with a network, and with what the person's package managers know. */
  readonly installs: boolean;
}

export function agentPolicy(facts: Facts, agent: AgentInside): Policy {
  const home = homeOf(facts.env);
  const { state } = facts;
  const { cwd, inbox, branch, gateway } = agent;
  const beside = gateway ? [proxyInside()] : [];
  const shown = [
    ...shownToAll(facts, home),
    ...commandPaths(home, [...agent.argv, ...(agent.also ?? []), ...beside], agent.program),
    ...linkedPackages(cwd, facts.packages),
  ];
  const own = statePaths(home, facts.env, {
    program: agent.program,
    ...(agent.needs ? { needs: agent.needs } : {}),
  });
  const mounts = [
    ...common(facts, home, shown),
    ...write([...own, ...letIn(home, facts.allow.write)]),
    ...read(keptPaths(home).filter(path => !letIn(home, facts.allow.write).includes(path))),
    ...nested([...write([cwd]), ...read([state]), ...write(inbox === undefined ? [] : [inbox])]),
    ...gitMounts({ tree: cwd, ...(branch === undefined ? {} : { branch }) }),
    ...read(gateway ? [gateway.folder] : []),
  ];
  return {
    mounts: [...mounts, ...stillSecret(mounts, home, [...lets(facts, home), ...own])],
    network: facts.network === 'agent' || facts.network === 'all' ? 'full' : 'none',
    env: agentEnv(agent.env, { given: agent.given, allow: facts.allow.env }),
    cwd,
    home,
  };
}

export function gatesPolicy(facts: Facts, gates: GatesInside): Policy {
  const home = homeOf(facts.env);
  const { state } = facts;
  const { cwd, tree, installs } = gates;
  const registries = installs ? registryPaths(home) : [];
  const shown = [
    ...shownToAll(facts, home),
    ...packagePaths(home),
    ...registries,
    ...linkedPackages(tree, facts.packages),
  ];
  const elsewhere = cwd === tree ? [] : facts.packages.map(name => join(tree, name));
  const mounts = [
    ...common(facts, home, shown),
    ...write(letIn(home, facts.allow.write)),
    ...nested([...read(cwd === tree ? [] : [tree]), ...read([state]), ...write([...elsewhere, cwd])]),
    ...gitReadOnly(cwd),
  ];
  return {
    mounts: [...mounts, ...stillSecret(mounts, home, [...lets(facts, home), ...registries])],
    network: facts.network === 'all' || (installs && facts.network !== 'none') ? 'full' : 'none',
    env: withOwnTemp({ ...gates.env, PATH: fixedPath(gates.env.PATH) }),
    cwd,
    home,
  };
}

const homeOf = (env: NodeJS.ProcessEnv): string => realPath(env.HOME || homedir());

/** The repository itself is read by everybody: a worktree uses what is installed in the folders above it. */
const shownToAll = (facts: Facts, home: string): readonly string[] => [
  ...neededFolders(),
  ...toolPaths(home, facts.env),
  placeOf(process.execPath),
  ...letIn(home, facts.allow.read),
];

function common(facts: Facts, home: string, shown: readonly string[]): readonly Mount[] {
  const places = { home, repository: facts.repository, isRoot: process.getuid?.() === 0 };
  const hidden = hiddenFolders(places);
  const isHidden = (path: string) => hidden.some(folder => isWithin(path, folder));
  // A path that is not hidden can be read anyway.
  const again = [...new Set([...shown, facts.repository])].filter(isHidden);
  return [
    ...hidden.map(path => ({ as: 'empty', path }) as const),
    ...hiddenFiles(places).map(path => ({ as: 'blank', path }) as const),
    // A home below a hidden folder is gone with it; programs expect it to be there.
    ...(isHidden(home) && !hidden.includes(home) ? [{ as: 'empty', path: home } as const] : []),
    ...read([...kernelSettings(places), ...outermost(again)]),
  ];
}

/** Outer folders first: a worktree lies below the runner's folder, and elsewhere that lies below the tree. */
const nested = (mounts: readonly Mount[]): readonly Mount[] =>
  mounts.toSorted((one, other) => one.path.length - other.path.length);

/** Where a home is the repository, or much of it was let in: what is secret is shown empty all the same. */
function stillSecret(mounts: readonly Mount[], home: string, wanted: readonly string[]): readonly Mount[] {
  const shown = mounts.filter(({ as }) => as === 'read' || as === 'write');
  return secretPaths(home)
    .filter(path => shown.some(mount => isWithin(path, mount.path)))
    .filter(path => !wanted.some(each => isWithin(each, path)))
    .map(path => ({ as: kindOf(path) === 'folder' ? 'empty' : 'blank', path }) as const);
}

const lets = ({ allow }: Facts, home: string): readonly string[] => letIn(home, [...allow.read, ...allow.write]);

function letIn(home: string, paths: readonly string[]): readonly string[] {
  return paths
    .map(path => (path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path))
    .filter(isAbsolute)
    .map(placeOf);
}

const read = (paths: readonly string[]): readonly Mount[] => there(paths).map(path => ({ as: 'read', path }));
const write = (paths: readonly string[]): readonly Mount[] => there(paths).map(path => ({ as: 'write', path }));

/** A folder shows everything below it. */
function outermost(paths: readonly string[]): readonly string[] {
  const sorted = [...new Set(paths)].toSorted();
  return sorted.filter(path => !sorted.some(other => other !== path && isWithin(path, other)));
}

/** Entries that depend on where one stands would be the agent's to choose. */
const fixedPath = (path = '/usr/local/bin:/usr/bin:/bin'): string =>
  path
    .split(':')
    .filter(folder => isAbsolute(folder))
    .join(':');

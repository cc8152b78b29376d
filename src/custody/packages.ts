/**
 * Installed packages, which gates run with and no diff shows. Where an agent changed them, they are taken away and installed
 * again from the lockfile that it left; the attempt is judged with those, or with none.
 *
 * No thing that is held (`hold.ts`): what they are to be is not how they were, but what the lockfile of the change says, and
 * whether they are worth installing is known only once the change was seen. That they changed is found with the ignored files.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RalphFolder } from '../journal/index.ts';
import type { Gate } from '../protocol.ts';
import { readBytes, readText, writeAtomic } from '../util/files.ts';
import { jsonFields } from '../util/json.ts';
import { ignoredKind } from './ignored-kinds.ts';

/** How packages are installed here: the commands of the config, or else those of the lockfiles, and who runs them. */
export interface Installer {
  readonly setup: readonly Gate[];
  readonly install: (commands: readonly Gate[]) => Promise<boolean>;
}

export interface ChangedPackages {
  /** Files of packages that changed. */
  readonly changed: readonly string[];
  /** Lockfiles and manifests of the change: the packages are theirs from now on. */
  readonly lockfiles: readonly string[];
  /** Where some of what had changed is kept. */
  readonly aside: string;
  /** The attempt is refused already, so that nothing is worth installing for it. */
  readonly refused: boolean;
}

export type PackagesFound =
  | { readonly type: 'installed'; readonly how: string }
  /** They are installed before the next agent starts. */
  | { readonly type: 'later' }
  | { readonly type: 'failed'; readonly how: string }
  /** Nothing says how: a person is needed. */
  | { readonly type: 'no-command' };

export class InstalledPackages {
  readonly #root: string;
  readonly #place: Place | undefined;
  #from: InstalledFrom | undefined;

  /** Without a place nothing is remembered: a worker's checkout is made anew, and set up again, by the next start. */
  constructor({ root, place }: { readonly root: string; readonly place?: Place | undefined }) {
    this.#root = root;
    this.#place = place;
    this.#from = place && readInstalled(place);
  }

  /** After an agent that changed them. */
  async installAgain({ changed, lockfiles, aside, refused }: ChangedPackages, by: Installer): Promise<PackagesFound> {
    const folders = foldersOf(changed);
    const commands = this.#commandsFor(folders, by);
    removeTools(this.#root, changed, aside);
    if (!commands) return { type: 'no-command' };
    const from = { paths: lockfiles, key: refused ? '' : contentKey(this.#root, lockfiles), folders };
    this.#remember(from);
    if (refused) return { type: 'later' };
    const how = howOf(commands);
    if (await by.install(commands)) return { type: 'installed', how };
    this.#remember({ ...from, key: '' });
    return { type: 'failed', how };
  }

  /** After an iteration that was cut off: the next agent, in this process or another, finds packages installed anew. */
  afterCrash(
    changed: readonly string[],
    { aside, setup }: { readonly aside: string; readonly setup: readonly Gate[] },
  ) {
    const folders = foldersOf(changed);
    const isKnown = this.#commandsFor(folders, { setup }) !== undefined;
    if (isKnown) this.#remember({ paths: [], key: '', folders });
    else removeTools(this.#root, changed, aside);
    return { type: isKnown ? 'later' : 'no-command' } satisfies PackagesFound;
  }

  /** Before an agent, or gates: packages of a lockfile that is not in the tree any more are installed again. */
  async ready(by: Installer): Promise<Extract<PackagesFound, { readonly type: 'installed' | 'failed' }> | undefined> {
    const from = this.#from;
    if (!from || (from.key !== '' && from.key === contentKey(this.#root, from.paths))) return undefined;
    const commands = this.#commandsFor(from.folders, by) ?? [];
    removeTools(this.#root, from.folders, '');
    this.#remember(undefined);
    return { type: (await by.install(commands)) ? 'installed' : 'failed', how: howOf(commands) };
  }

  #commandsFor(folders: readonly string[], { setup }: Pick<Installer, 'setup'>): readonly Gate[] | undefined {
    return setup.length > 0 ? setup : installOf(this.#root, folders);
  }

  /** On disk, because a stop may come before they are installed again. */
  #remember(from: InstalledFrom | undefined): void {
    this.#from = from;
    if (this.#place) writeInstalled(this.#place, from);
  }
}

const howOf = (commands: readonly Gate[]): string => commands.map(({ run }) => run).join(' && ');

const foldersOf = (files: readonly string[]): readonly string[] => [...new Set(files.map(toolsFolderOf))];

/** The folder of packages that a path is in. */
function toolsFolderOf(path: string): string {
  return (
    /^(?:.*?\/)?(?:node_modules|\.?venv|vendor\/bundle|vendor|\.bundle|Pods|\.yarn|\.pnpm-store|\.tox|\.nox)(?=\/|$)/.exec(
      path,
    )?.[0] ?? path
  );
}

/** Enough for a look at what was done. */
const KEPT = 50;

/** Takes whole folders of packages away; some of what had changed in them is kept. */
function removeTools(root: string, files: readonly string[], aside: string): void {
  for (const path of files.slice(0, KEPT)) {
    // A pipe has no content to keep, and would never end.
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (!stat?.isFile() && !stat?.isSymbolicLink()) continue;
    try {
      mkdirSync(dirname(join(aside, path)), { recursive: true });
      cpSync(join(root, path), join(aside, path), { verbatimSymlinks: true });
    } catch {
      // Gone meanwhile.
    }
  }
  for (const folder of foldersOf(files)) rmSync(join(root, folder), { recursive: true, force: true });
}

const INSTALL_TIMEOUT = 15 * 60_000;

interface Manager {
  readonly lockfile: string;
  readonly folders: RegExp;
  readonly command: string;
}

/** The first whose lockfile is there; each installs what its lockfile says and changes nothing in it. */
const MANAGERS: readonly Manager[] = [
  { lockfile: 'package-lock.json', folders: /(^|\/)node_modules$/, command: 'npm ci --no-audit --no-fund' },
  { lockfile: 'npm-shrinkwrap.json', folders: /(^|\/)node_modules$/, command: 'npm ci --no-audit --no-fund' },
  { lockfile: 'pnpm-lock.yaml', folders: /(^|\/)node_modules$/, command: 'pnpm install --frozen-lockfile' },
  {
    lockfile: 'yarn.lock',
    folders: /(^|\/)(?:node_modules|\.yarn)$/,
    command: 'if test -e .yarnrc.yml; then yarn install --immutable; else yarn install --frozen-lockfile; fi',
  },
  { lockfile: 'bun.lock', folders: /(^|\/)node_modules$/, command: 'bun install --frozen-lockfile' },
  { lockfile: 'bun.lockb', folders: /(^|\/)node_modules$/, command: 'bun install --frozen-lockfile' },
  { lockfile: 'uv.lock', folders: /(^|\/)\.venv$/, command: 'uv sync --frozen' },
  { lockfile: 'poetry.lock', folders: /(^|\/)\.?venv$/, command: 'poetry install --no-interaction' },
  { lockfile: 'Gemfile.lock', folders: /(^|\/)vendor\/bundle$/, command: 'BUNDLE_FROZEN=true bundle install' },
  { lockfile: 'composer.lock', folders: /(^|\/)vendor$/, command: 'composer install --no-interaction' },
];

/** How these folders are installed from what the repository holds; undefined where one of them cannot be. */
function installOf(root: string, folders: readonly string[]): readonly Gate[] | undefined {
  const commands = new Set<string>();
  for (const folder of folders) {
    const manager = MANAGERS.find(each => each.folders.test(folder) && existsSync(join(root, each.lockfile)));
    if (!manager) return undefined;
    commands.add(manager.command);
  }
  return [...commands].map(run => ({ name: `install: ${run}`, run, timeoutMs: INSTALL_TIMEOUT }));
}

/** What files hold now, as one key. */
function contentKey(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.toSorted())
    hash
      .update(`${path}\0`)
      .update(readBytes(join(root, path)) ?? '-')
      .update('\0');
  return hash.digest('hex');
}

/** What the packages were last installed from, where that was what an agent had left. */
interface InstalledFrom {
  readonly paths: readonly string[];
  /** Of what the paths held; empty where they are to be installed again in any case. */
  readonly key: string;
  readonly folders: readonly string[];
}

type Place = Pick<RalphFolder, 'root' | 'runs' | 'seat'>;

/** A worktree has packages of its own. */
const fileIn = ({ root, runs, seat }: Place): string =>
  join(seat === undefined ? root : join(runs, seat), 'packages.json');

function readInstalled(folder: Place): InstalledFrom | undefined {
  const from = jsonFields(readText(fileIn(folder)));
  const { paths, folders, key } = from;
  if (!isPaths(paths) || !isPaths(folders) || typeof key !== 'string') return undefined;
  // An agent can write here too: only folders of packages in this tree are ever removed.
  return { ...from, paths, key, folders: folders.filter(each => ignoredKind(each) === 'tools') };
}

const isPaths = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.every(path => typeof path === 'string' && !path.startsWith('/') && !path.split('/').includes('..'));

function writeInstalled(folder: Place, from: InstalledFrom | undefined): void {
  if (from) writeAtomic(fileIn(folder), JSON.stringify(from));
  else rmSync(fileIn(folder), { force: true });
}

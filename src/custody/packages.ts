/**
 * Installed packages, which gates run with and no diff shows. If an agent changed them, they are removed and installed again from the
 * lockfile in the agent's tree; the attempt is judged with those packages, or without any.
 *
 * Not a thing for `hold.ts`: the wanted state is not the one before the agent but the one in the changed lockfile, and whether an
 * installation is worthwhile is known only after looking at the change. `ignored-files.ts` finds out that packages changed.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RalphFolder } from '../journal/index.ts';
import type { Gate } from '../protocol.ts';
import { readBytes, readText, writeAtomic } from '../util/files.ts';
import { jsonFields } from '../util/json.ts';
import { removeAll } from '../util/remove-all.ts';
import { ignoredKind } from './ignored-kinds.ts';

/** How packages are installed: by the config's commands, otherwise by those for the lockfiles; `install` runs them. */
export interface Installer {
  readonly setup: readonly Gate[];
  readonly install: (commands: readonly Gate[]) => Promise<boolean>;
}

export interface ChangedPackages {
  /** Changed files of packages. */
  readonly changed: readonly string[];
  /** Changed lockfiles and manifests, from which the packages are installed now. */
  readonly lockfiles: readonly string[];
  /** The folder that keeps some of the changed files. */
  readonly aside: string;
  /** The attempt is already rejected, so an installation is not worthwhile. */
  readonly refused: boolean;
}

export type PackagesFound =
  | { readonly type: 'installed'; readonly how: string }
  /** They will be installed before the next agent starts. */
  | { readonly type: 'later' }
  | { readonly type: 'failed'; readonly how: string }
  /** No install command is known: a person is needed. */
  | { readonly type: 'no-command' };

export class InstalledPackages {
  readonly #root: string;
  readonly #place: Place | undefined;
  #from: InstalledFrom | undefined;

  /** Without a place nothing is stored: the next start creates a worker's checkout anew and sets it up again. */
  constructor({ root, place }: { readonly root: string; readonly place?: Place | undefined }) {
    this.#root = root;
    this.#place = place;
    this.#from = place && readInstalled(place);
  }

  /** Called after an agent that changed packages. */
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

  /** After an iteration that was cut off: the packages are reinstalled before the next agent, in this process or another. */
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

  /** Before an agent or gates: reinstalls packages if the lockfile they came from is no longer in the tree. */
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

  /** Stored on disk, because a stop may come before they are reinstalled. */
  #remember(from: InstalledFrom | undefined): void {
    this.#from = from;
    if (this.#place) writeInstalled(this.#place, from);
  }
}

const howOf = (commands: readonly Gate[]): string => commands.map(({ run }) => run).join(' && ');

const foldersOf = (files: readonly string[]): readonly string[] => [...new Set(files.map(toolsFolderOf))];

/** The package folder that contains a path. */
function toolsFolderOf(path: string): string {
  return (
    /^(?:.*?\/)?(?:node_modules|\.?venv|vendor\/bundle|vendor|\.bundle|Pods|\.yarn|\.pnpm-store|\.tox|\.nox)(?=\/|$)/.exec(
      path,
    )?.[0] ?? path
  );
}

/** Enough to see what was done. */
const KEPT = 50;

/** Removes whole package folders, and keeps some of the changed files. */
function removeTools(root: string, files: readonly string[], aside: string): void {
  for (const path of files.slice(0, KEPT)) {
    // A pipe has no content to keep, and reading it would block.
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (!stat?.isFile() && !stat?.isSymbolicLink()) continue;
    try {
      mkdirSync(dirname(join(aside, path)), { recursive: true });
      cpSync(join(root, path), join(aside, path), { verbatimSymlinks: true });
    } catch {
      // The file is gone.
    }
  }
  for (const folder of foldersOf(files)) removeAll(join(root, folder));
}

const INSTALL_TIMEOUT = 15 * 60_000;

interface Manager {
  readonly lockfile: string;
  readonly folders: RegExp;
  readonly command: string;
}

/** The first one with a lockfile is used; each installs exactly what the lockfile says. */
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

/** The commands that install these folders; undefined if there is none for one of them. */
function installOf(root: string, folders: readonly string[]): readonly Gate[] | undefined {
  const commands = new Set<string>();
  for (const folder of folders) {
    const manager = MANAGERS.find(each => each.folders.test(folder) && existsSync(join(root, each.lockfile)));
    if (!manager) return undefined;
    commands.add(manager.command);
  }
  return [...commands].map(run => ({ name: `install: ${run}`, run, timeoutMs: INSTALL_TIMEOUT }));
}

/** A hash of the files' content. */
function contentKey(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.toSorted())
    hash
      .update(`${path}\0`)
      .update(readBytes(join(root, path)) ?? '-')
      .update('\0');
  return hash.digest('hex');
}

/** What the packages were last installed from, if that was an agent's lockfile. */
interface InstalledFrom {
  readonly paths: readonly string[];
  /** Hash of the files at `paths`; empty if the packages have to be reinstalled in any case. */
  readonly key: string;
  readonly folders: readonly string[];
}

type Place = Pick<RalphFolder, 'root' | 'runs' | 'seat'>;

/** A worktree has its own packages. */
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

/** Installed packages: where they are, how they are installed again, and what they were installed from. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ignoredKind } from '../custody/index.ts';
import type { RalphFolder } from '../journal/index.ts';
import type { Gate } from '../protocol.ts';
import { readBytes, readText, writeAtomic } from '../util/files.ts';

/** The folder of packages that a path is in. */
export function toolsFolderOf(path: string): string {
  return (
    /^(?:.*?\/)?(?:node_modules|\.?venv|vendor\/bundle|vendor|\.bundle|Pods|\.yarn|\.pnpm-store|\.tox|\.nox)(?=\/|$)/.exec(
      path,
    )?.[0] ?? path
  );
}

/** Enough for a look at what was done. */
const KEPT = 50;

/** Takes whole folders of packages away; some of what had changed in them is kept. */
export function removeTools(root: string, files: readonly string[], aside: string): void {
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
  for (const folder of new Set(files.map(toolsFolderOf))) {
    rmSync(join(root, folder), { recursive: true, force: true });
  }
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
export function installOf(root: string, folders: readonly string[]): readonly Gate[] | undefined {
  const commands = new Set<string>();
  for (const folder of folders) {
    const manager = MANAGERS.find(each => each.folders.test(folder) && existsSync(join(root, each.lockfile)));
    if (!manager) return undefined;
    commands.add(manager.command);
  }
  return [...commands].map(run => ({ name: `install: ${run}`, run, timeoutMs: INSTALL_TIMEOUT }));
}

/** What files hold now, as one key. */
export function contentKey(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.toSorted())
    hash
      .update(`${path}\0`)
      .update(readBytes(join(root, path)) ?? '-')
      .update('\0');
  return hash.digest('hex');
}

/** What the packages were last installed from, where that was what an agent had left. */
export interface InstalledFrom {
  readonly paths: readonly string[];
  /** Of what the paths held; empty where they are to be installed again in any case. */
  readonly key: string;
  readonly folders: readonly string[];
}

type Place = Pick<RalphFolder, 'root' | 'runs' | 'seat'>;

/** A worktree has packages of its own. */
const fileIn = ({ root, runs, seat }: Place): string =>
  join(seat === undefined ? root : join(runs, seat), 'packages.json');

export function readInstalled(folder: Place): InstalledFrom | undefined {
  try {
    const from = JSON.parse(readText(fileIn(folder)) ?? 'null') as InstalledFrom | null;
    if (!from || !isPaths(from.paths) || !isPaths(from.folders) || typeof from.key !== 'string') return undefined;
    // An agent can write here too: nothing but folders of packages in this tree is ever taken away.
    return { ...from, folders: from.folders.filter(folder => ignoredKind(folder) === 'tools') };
  } catch {
    return undefined;
  }
}

const isPaths = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.every(path => typeof path === 'string' && !path.startsWith('/') && !path.split('/').includes('..'));

export function writeInstalled(folder: Place, from: InstalledFrom | undefined): void {
  if (from) writeAtomic(fileIn(folder), JSON.stringify(from));
  else rmSync(fileIn(folder), { force: true });
}

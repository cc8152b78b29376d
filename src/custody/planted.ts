/**
 * Finds links, pipes and devices that other programs put in the place of the runner's own files and folders. They are removed before the
 * runner writes again, so that nothing is written through them. Only the entry itself is removed, never its target.
 */
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { RalphFolder } from '../journal/index.ts';
import { linkAt, pathBelow, realPath } from '../util/paths.ts';
import { clearWrongKind, kindName } from '../util/regular.ts';
import { lookAt } from '../util/version.ts';

export interface OwnPlaces {
  /** The repository; messages name paths relative to it. */
  readonly repository: string;
  readonly folder: RalphFolder;
  /** Folders outside `.ralph` that the runner writes to; each has to stay where it is, including links that a person made. */
  readonly folders: readonly string[];
  /** A person's files that the runner writes through a link of theirs. */
  readonly files: readonly string[];
}

/** Created once, before any agent runs. */
export class Planted {
  readonly #places: OwnPlaces;
  /** Links that existed before: a person's own. */
  readonly #links: ReadonlyMap<string, string>;
  readonly #folders: readonly (readonly [string, string | undefined])[];
  readonly #targets: readonly string[];

  constructor(places: OwnPlaces) {
    const { folder, folders, files, repository } = places;
    this.#places = places;
    this.#links = new Map(oddIn(folder.root).map(path => [path, linkAt(path) ?? '']));
    this.#targets = files.filter(file => linkAt(file) !== undefined).map(realPath);
    const chains = [...folders, ...[...files, ...this.#targets].map(file => dirname(file))];
    const below = new Set(chains.flatMap(path => between(repository, path)));
    // A person's file in the place of a folder was there first; the code that needs the folder reports it.
    this.#folders = [...below].filter(mayBeFolder).map(path => [path, linkAt(path)] as const);
  }

  /** Removes what does not belong there, and returns what it was. `inRun` are the folders of the run that are written to now. */
  clear(inRun: readonly string[]): readonly string[] {
    const { folder } = this.#places;
    const found = new Map<string, string>();
    const wanted = (path: string, kind: 'file' | 'folder') => {
      const odd = clearWrongKind(path, kind);
      if (odd !== undefined) found.set(path, odd);
    };
    const deep = inRun.flatMap(path => between(folder.root, path));
    const folders = [folder.root, folder.runs, folder.control, folder.templates, folder.worktrees, ...deep];
    for (const path of new Set(folders)) wanted(path, 'folder');
    for (const path of [folder.progress, ...['lessons.md', 'runs.list'].map(name => join(folder.root, name))])
      wanted(path, 'file');
    for (const path of [folder.root, ...inRun].flatMap(oddIn)) {
      // The journal's writer restores it, and keeps what replaced it.
      if (this.#links.get(path) === (linkAt(path) ?? '') || path.endsWith(`${sep}journal.jsonl`)) continue;
      found.set(path, takeAway(path));
    }
    for (const [path, link] of this.#folders) {
      const odd = putFolderBack(path, link);
      if (odd !== undefined) found.set(path, odd);
    }
    for (const path of this.#targets) wanted(path, 'file');
    return [...found].map(([path, kind]) => `${this.#name(path)} was replaced by ${kind}`);
  }

  #name(path: string): string {
    return pathBelow(this.#places.repository, path) ?? path;
  }
}

/** All folders below `top` on the way to `path`, including `path`; empty if `path` is elsewhere. */
function between(top: string, path: string): readonly string[] {
  const parts = pathBelow(top, path)?.split(sep) ?? [];
  return parts.map((_, at) => join(top, ...parts.slice(0, at + 1)));
}

function mayBeFolder(path: string): boolean {
  const stat = lookAt(path);
  return !stat || stat.isDirectory() || stat.isSymbolicLink();
}

/** Entries that are neither files nor folders. */
function oddIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap(entry => (entry.isFile() || entry.isDirectory() ? [] : [join(folder, entry.name)]));
  } catch {
    return [];
  }
}

function takeAway(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  rmSync(path, { force: true });
  return stat ? kindName(stat) : 'a link';
}

function putFolderBack(path: string, link: string | undefined): string | undefined {
  const stat = lookAt(path);
  if (!stat || stat.isDirectory() || (stat.isSymbolicLink() && linkAt(path) === link)) return undefined;
  rmSync(path, { force: true });
  if (link === undefined) mkdirSync(path);
  else symlinkSync(link, path);
  return kindName(stat);
}

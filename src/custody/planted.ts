/**
 * What somebody else's code put in the place of the runner's own files and folders: links that lead elsewhere, pipes,
 * devices. Taken away before the runner writes again, so that nothing is written through them. Only the thing itself is
 * removed, never what it points to.
 */
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { RalphFolder } from '../journal/index.ts';
import { linkAt, realPath } from '../util/paths.ts';
import { clearWrongKind, kindName } from '../util/regular.ts';
import { lookAt } from '../util/version.ts';

export interface OwnPlaces {
  /** The repository: what is said names paths in it. */
  readonly repository: string;
  readonly folder: RalphFolder;
  /** Folders outside `.ralph` that are written into; each has to stay where it is, links of a person's included. */
  readonly folders: readonly string[];
  /** Files of a person's that are written through a link of theirs. */
  readonly files: readonly string[];
}

/** Noted once, before anything of an agent's runs. */
export class Planted {
  readonly #places: OwnPlaces;
  /** Links that were there before: a person's own. */
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
    // A file of a person's in the place of a folder was there first: whoever wants the folder says that it cannot be made.
    this.#folders = [...below].filter(mayBeFolder).map(path => [path, linkAt(path)] as const);
  }

  /** Takes away what does not belong there; says what it was. `inRun` are the folders of the run that are written into now. */
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
      // The journal is put back by whoever writes it, and what took its place is kept.
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
    const inside = relative(this.#places.repository, path);
    return inside.startsWith('..') ? path : inside;
  }
}

/** Folders below one, down to another, the other included; none where it lies elsewhere. */
function between(top: string, path: string): readonly string[] {
  const inside = relative(top, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return [];
  const parts = inside.split(sep);
  return parts.map((_, at) => join(top, ...parts.slice(0, at + 1)));
}

function mayBeFolder(path: string): boolean {
  const stat = lookAt(path);
  return !stat || stat.isDirectory() || stat.isSymbolicLink();
}

/** What is neither file nor folder. */
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

/**
 * Protects ignored files around an agent. No tree contains them and no diff shows them, but gates read them: a fragment that a Makefile
 * includes, compiled code beside its source, settings. Gates see such a file only as it was before the agent: changed and deleted files
 * are restored, new ones are moved away.
 */
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Changed, changedSince, countEntries } from '../process/index.ts';
import { namesIn } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { lookAt, versionOf } from '../util/version.ts';
import {
  type Content,
  contentOf,
  keepAside,
  removeQuietly,
  sameContent,
  stateChangedAt,
  writeIfFree,
} from './file-content.ts';
import { isGarbled, takeOutGarbled } from './garbled-names.ts';
import { type IgnoredKind, ignoredKind, isCacheName, isInCache } from './ignored-kinds.ts';

interface Known {
  version: string;
  /** An agent wrote the file, and its original content is unknown. */
  tainted?: true;
  /** Undefined if the file is too large to keep, or neither a file nor a link. */
  content: Content | undefined;
}

export interface IgnoredFilesOptions {
  readonly root: string;
  /** Everything in the work tree that is not in the last snapshot; folders that are not in it at all end in `/`. */
  readonly list: () => Promise<Result<readonly string[]>>;
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  readonly kind: IgnoredKind;
}

export interface Settled {
  /** Restored files. */
  readonly back: readonly string[];
  /** Files that were moved to `aside`. */
  readonly out: readonly string[];
  /** Files that should have been, and that the system did not let go of. */
  readonly stuck: readonly string[];
  /** Changed files of installed packages; these are left as they are. */
  readonly tools: readonly string[];
}

const ALL_BYTES = 4 * 1024 * 1024;
const ALL_FILES = 2_000;

export class IgnoredFiles {
  readonly #root: string;
  readonly #list: () => Promise<Result<readonly Entry[]>>;
  readonly #known = new Map<string, Known>();
  /** Number of entries in each folder of installed packages, without caches. */
  #counts: Map<string, number> | undefined;
  #bytes = 0;
  /** The folders of installed packages, and the pending search for changes in them. */
  #tools: readonly string[] = [];
  #looking: Promise<readonly Changed[]> | undefined;
  #listing: Promise<Result<readonly Entry[]>> | undefined;
  /** Files too large to be kept in memory: moved away while gates run, and moved back afterwards. */
  readonly #lent = new Map<string, string>();

  constructor({ root, list }: IgnoredFilesOptions) {
    this.#root = root;
    this.#list = async () => {
      const ignored = await list();
      return ignored.ok ? ok(ignored.value.map(entryOf)) : ignored;
    };
  }

  /** Records the files as gates should see them. Must be called while no code of an agent is running. */
  async note(): Promise<Result<void>> {
    for (const path of [...this.#known.keys()]) this.#remember(path);
    if (this.#counts) return ok(undefined);
    const entries = await this.#entries();
    if (!entries.ok) return entries;
    for (const { path, isFolder, kind } of entries.value) {
      if (kind !== 'other') continue;
      if (isFolder) this.#rememberBelow(path);
      else this.#remember(path);
    }
    await this.#countTools(entries.value);
    return ok(undefined);
  }

  /** Records packages after an authorized installation. */
  async noteTools(): Promise<void> {
    const entries = await this.#entries();
    await this.#countTools(entries.ok ? entries.value : []);
  }

  async #countTools(entries: readonly Entry[]): Promise<void> {
    const folders = entries.filter(({ kind }) => kind === 'tools').map(({ path }) => path);
    this.#tools = folders;
    this.#counts = await countEntries({ root: this.#root, folders, without: isCacheName });
  }

  /** Starts to list the files, in parallel with other work between the snapshot and `settle`. */
  list(): void {
    this.#listing = this.#list();
  }

  /** Starts the slowest part of the search, in parallel with other work after an agent. */
  look(since: bigint): void {
    this.#looking = changedSince({ root: this.#root, folders: this.#tools, since });
  }

  /** Undoes the changes of an agent that was started at `since`. New files go to `aside`, except for caches. */
  async settle({ since, aside }: { readonly since: bigint; readonly aside: string }): Promise<Result<Settled>> {
    const entries = await this.#entries();
    if (!entries.ok) return entries;
    const folders = entries.value.filter(({ isFolder, kind }) => isFolder || kind === 'tools');
    const known = this.#looking ? this.#tools : [];
    const others = folders.map(({ path }) => path).filter(path => !known.includes(path));
    const seen = (await this.#looking) ?? [];
    this.#looking = undefined;
    const changed = [...seen, ...(await changedSince({ root: this.#root, folders: others, since }))];
    const files = entries.value.filter(({ isFolder, kind }) => !isFolder && kind !== 'tools');
    const settled = { back: [] as string[], out: [] as string[], stuck: [] as string[], tools: [] as string[] };
    for (const { path, kind } of files) {
      const isOld = !isGarbled(path) && stateChangedAt(join(this.#root, path)) < since;
      if (this.#known.has(path) || isOld) continue;
      await this.#takeOut(path, { since, aside: kind === 'made' ? undefined : aside, settled });
    }
    for (const { path, kind } of folders) await this.#settleFolder({ path, kind, changed, since, aside, settled });
    const names = new Set(entries.value.map(({ path }) => path));
    const tops = folders.map(({ path }) => `${path}/`);
    for (const path of [...this.#known.keys()]) {
      const isIgnored = names.has(path) || tops.some(top => path.startsWith(top));
      // A file that is there and no longer ignored is part of the change, and judged as such.
      if (!isIgnored && lookAt(join(this.#root, path))) this.#known.delete(path);
      else if (this.#putBack(path, { since, aside })) settled.back.push(path);
    }
    return ok(settled);
  }

  async #settleFolder(input: {
    readonly path: string;
    readonly kind: IgnoredKind;
    readonly changed: readonly Changed[];
    readonly since: bigint;
    readonly aside: string;
    readonly settled: Taken & { readonly tools: string[] };
  }): Promise<void> {
    const { path: top, kind, since, aside, settled } = input;
    if (isGarbled(top)) return await this.#takeOut(top, { since, aside, settled });
    const changed = input.changed.filter(({ path }) => path === top || path.startsWith(`${top}/`));
    const parents = new Set(changed.map(({ path }) => dirname(path)));
    for (const { path, isFolder } of changed) {
      if (this.#known.has(path)) continue;
      // A changed entry explains why its folder changed. Otherwise the folder was moved here, or something in it was deleted.
      const explained = isFolder && parents.has(path);
      if (kind === 'tools' && !isInCache(path)) {
        if (isFolder && (this.#counts?.get(path) ?? 0) === this.#countNow(path)) continue;
        settled.tools.push(path);
        continue;
      }
      if (explained || (isFolder && path === top && kind === 'other')) continue;
      const isMade = kind !== 'other' || isInCache(path);
      if (isFolder && !isMade && [...this.#known.keys()].some(known => known.startsWith(`${path}/`))) continue;
      await this.#takeOut(path, { since, aside: isMade ? undefined : aside, settled });
    }
  }

  async #entries(): Promise<Result<readonly Entry[]>> {
    const listing = this.#listing ?? this.#list();
    this.#listing = undefined;
    const listed = await listing;
    if (!listed.ok) return listed;
    return ok(listed.value.filter(({ kind }) => kind !== 'not-ground'));
  }

  #countNow(folder: string): number {
    try {
      return readdirSync(join(this.#root, folder)).filter(name => !isCacheName.test(name)).length;
    } catch {
      return -1;
    }
  }

  #rememberBelow(folder: string): void {
    if (this.#known.size >= ALL_FILES) return;
    for (const name of namesIn(join(this.#root, folder))) {
      const path = `${folder}/${name}`;
      if (lookAt(join(this.#root, path))?.isDirectory()) {
        if (!isInCache(path)) this.#rememberBelow(path);
      } else this.#remember(path);
    }
  }

  #remember(path: string): void {
    const file = join(this.#root, path);
    const stat = lookAt(file);
    const version = versionOf(stat);
    const before = this.#known.get(path);
    if (before && version !== '' && before.version === version) return;
    // It stays hidden from the gates.
    if (before?.tainted && stat) return;
    if (before) this.#bytes -= sizeOf(before);
    this.#known.delete(path);
    // Deleted between two agents, so by a person or a gate, who may do so.
    if (!stat || this.#known.size >= ALL_FILES) return;
    const content = this.#bytes + stat.size <= ALL_BYTES ? contentOf(file) : undefined;
    const known = { version, content };
    this.#bytes += sizeOf(known);
    this.#known.set(path, known);
  }

  /** Returns whether the file had changed. */
  #putBack(path: string, { since, aside }: { readonly since: bigint; readonly aside: string }): boolean {
    const known = this.#known.get(path);
    const file = join(this.#root, path);
    const version = versionOf(lookAt(file));
    if (!known) return false;
    // The file was recorded within a clock tick of its last change: another change in that tick shows only in its content.
    const isRacy = known.version === '' && known.content !== undefined;
    if (!known.tainted && !isRacy && version !== 'missing' && stateChangedAt(file) < since) return false;
    if (known.content && sameContent(known.content, contentOf(file))) {
      known.version = version;
      return false;
    }
    if (version !== 'missing') keepAside(file, join(aside, path));
    removeQuietly(file);
    if (known.content) writeIfFree(file, known.content);
    else if (version !== 'missing') {
      this.#lent.set(file, join(aside, path));
      known.tainted = true;
    }
    known.version = '';
    return true;
  }

  /** After the gates: moves files back that were too large to be restored, such as a database. */
  giveBack(): void {
    for (const [file, from] of this.#lent) if (!lookAt(file)) keepAside(from, file);
    this.#lent.clear();
  }

  /** Without `aside`: something that tools make again, which is not worth a word. */
  async #takeOut(
    path: string,
    { since, aside, settled }: { readonly since: bigint; readonly aside: string | undefined; readonly settled: Taken },
  ): Promise<void> {
    const file = join(this.#root, path);
    const to = aside && join(aside, path);
    let isGone: boolean;
    if (isGarbled(path)) {
      const done = takeOutGarbled(this.#root, path, { since, to });
      if (done === 'nothing') return;
      isGone = done === 'gone';
    } else {
      if (to !== undefined) keepAside(file, to);
      await rm(file, { recursive: true, force: true }).catch(() => undefined);
      isGone = !lookAt(file);
    }
    if (!isGone) settled.stuck.push(path);
    else if (aside !== undefined) settled.out.push(path);
  }
}

interface Taken {
  readonly out: string[];
  readonly stuck: string[];
}

function entryOf(name: string): Entry {
  const isFolder = name.endsWith('/');
  const path = isFolder ? name.slice(0, -1) : name;
  return { path, isFolder, kind: ignoredKind(path) };
}

const sizeOf = ({ content }: Known): number => (content && 'bytes' in content ? content.bytes.length : 0);

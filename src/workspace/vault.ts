/**
 * What an agent must not change for good, kept where its changes do not reach: git's settings and refs in memory, objects
 * under second names in a git directory of our own. Before anybody else's code runs everything is noted, afterwards it is
 * put back, and only then does the runner call git again.
 *
 * The git directory lies in the folder of the runs, which makes that folder a repository inside the repository: `git
 * clean -fdx` leaves those alone, and with it the journals. One long file, because the order in which things are noted and
 * put back is what makes it hold.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemTable } from '../process/index.ts';
import { namesIn, readText, writeWhole } from '../util/files.ts';
import { pathBelow } from '../util/paths.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import { lookAt } from '../util/version.ts';
import { BelievedObjects } from './believed-objects.ts';
import type { Git } from './git.ts';
import { GitDirectory } from './git-directory.ts';
import { changedKeys } from './global-config.ts';
import { Heads } from './heads.ts';
import { type Difference, KeptFiles } from './kept-files.ts';
import { keepCommit } from './linked-commit.ts';
import { LinkedObjects, linkTree, type Mending, type Stores } from './linked-copy.ts';
import { PackedByRun } from './pack-added.ts';
import { packLoose } from './pack-loose.ts';
import { namesThatDiffer, RefFiles, type Refs } from './ref-files.ts';
import { type PutRefsBack, putRefsBack } from './refs-back.ts';
import { acceptRepacked } from './repacked.ts';
import { dropBroken } from './repair.ts';
import type { Repository } from './repository.ts';
import { SETTINGS, StoredRepository } from './stored-repository.ts';
import { vaultIn } from './vault-place.ts';

export interface VaultOptions {
  readonly repository: Repository;
  /** With the user's settings as they were at the start. */
  readonly git: Git;
  /** Where the agent works, and the git directory of that checkout. */
  readonly root: string;
  readonly gitDir: string;
  /** The run's own branch: what becomes of it is settled elsewhere. */
  readonly ref: string;
  /** `.ralph` */
  readonly state: string;
  /** Where what was found is kept. */
  readonly aside: string;
  /** More files that are to stay as they are, and folders in which all are. */
  readonly keep: readonly string[];
  /** Whether a ref is one that another run of this repository, or a person with a command of ours, has moved since a moment. */
  readonly othersRefs?: (since: number) => PutRefsBack['isOthers'];
  readonly keepFolders: readonly string[];
}

/** Of `.ralph`: what has a keeper of its own, or is not worth keeping. */
const NOT_BESIDE =
  /^(?:runs|worktrees|control|inbox|archives|templates|lock.*|live\.jsonl|\.gitignore|.*-index\.json|.*\.tmp)$/;
/** What a file system's clock may be behind. */
const CLOCK_MS = 1_000;

/** More than this many are packed. */
const LOOSE_REFS = 300;

export class Vault {
  readonly #options: VaultOptions;
  readonly #folder: string;
  readonly #settings: KeptFiles;
  readonly #stash: KeptFiles;
  readonly #refFiles: RefFiles;
  readonly #stores: Stores;
  readonly #objects: LinkedObjects;
  readonly #believed: BelievedObjects;
  /** What is older is not looked at: after a death the damage may be of before this process. */
  #since = Date.now();
  readonly #gitDirectory: GitDirectory;
  readonly #stored: StoredRepository;
  readonly #heads: Heads;
  #refs: Refs = new Map();
  #notedAt = 0;
  #looseRefs = LOOSE_REFS;
  readonly #packed: PackedByRun;
  #lost: Failure | undefined;

  constructor(options: VaultOptions) {
    const { repository, root, gitDir, ref, state, keep, keepFolders } = options;
    const { commonDir } = repository;
    this.#options = options;
    this.#folder = vaultIn(join(state, 'runs'));
    const own = gitDir === commonDir ? [] : ['gitdir', 'commondir', 'config.worktree'].map(name => join(gitDir, name));
    const pointers = [root, repository.root]
      .map(top => join(top, '.git'))
      .filter(path => lookAt(path)?.isDirectory() === false);
    this.#settings = new KeptFiles({
      paths: [
        ...SETTINGS.map(name => join(commonDir, name)),
        join(commonDir, 'objects', 'info', 'alternates'),
        ...own,
        ...pointers,
        ...keep,
      ],
      folders: [join(commonDir, 'hooks'), ...keepFolders],
    });
    this.#stash = new KeptFiles({ paths: [join(commonDir, 'logs', 'refs', 'stash')] });
    this.#refFiles = new RefFiles(commonDir);
    this.#stores = { from: join(commonDir, 'objects'), to: join(this.#folder, 'objects') };
    this.#objects = new LinkedObjects(this.#stores);
    this.#believed = new BelievedObjects(this.#stores);
    this.#packed = new PackedByRun({ stores: this.#stores, git: options.git, since: this.#since - CLOCK_MS });
    this.#gitDirectory = new GitDirectory(commonDir, join(this.#folder, 'beside'));
    this.#stored = new StoredRepository({ folder: this.#folder, state, ref, commonDir, settings: this.#settings });
    this.#heads = new Heads({ own: gitDir, others: [commonDir, repository.gitDir], ref });
  }

  /**
   * Once, before anything of an agent's runs. After a death only what the dead runner had noted is believed; so it is beside
   * runners that are alive, whose agents may be at it right now.
   */
  async open(how: { readonly died: boolean; readonly beside?: boolean }): Promise<readonly string[]> {
    const { died, beside = false } = how;
    this.#checkAfterBoot();
    if (died) this.#since = 0;
    else if (!beside) this.#forgetWhatIsGone();
    this.#settings.note();
    if (died || beside) this.#stored.believe();
    const back = died ? this.#putSettingsBack() : [];
    this.#gitDirectory.keep();
    linkTree(this.#options.state, join(this.#folder, 'ralph'), {
      replace: true,
      skip: name => /^(?:runs|worktrees|control|lock.*|live\.jsonl|\.gitignore)$/.test(name),
    });
    await this.#noteNow();
    this.#believed.asTheyAre();
    return back;
  }

  /** Copies are not waited for, so a power cut may have left them empty: once a boot, those that are not whole go. */
  #checkAfterBoot(): void {
    const file = join(this.#folder, 'boot');
    const boot = systemTable.boot();
    if (readText(file) === boot) return;
    dropBroken(join(this.#folder, 'objects'), 0);
    writeWhole(file, boot);
  }

  /** Once a run is over: many small files of the repository become a pack, and so do ours. */
  async pack(onStart: () => void): Promise<Result<void>> {
    const { git } = this.#options;
    const packed = await packLoose({ objects: this.#stores.from, git, onStart });
    if (!packed.ok) return packed;
    if (packed.value) await acceptRepacked(this.#stores, git, 'us');
    return ok(undefined);
  }

  /** The same for what this run added, where it goes on and nobody else's code runs. */
  async packBetween(onStart: () => void): Promise<Result<void>> {
    const packed = await this.#packed.packIfMany(since => this.#believed.looseSince(since), onStart);
    if (packed.ok && packed.value) this.#objects.look();
    return packed.ok ? ok(undefined) : packed;
  }

  /** Takes what a commit added before `note` asks for it; what cannot be had this way, `note` finds. */
  keep(commit: string): void {
    this.#packed.wereAdded(keepCommit(this.#stores, commit) ?? 0);
  }

  /** Before somebody else's code runs. */
  async note(): Promise<void> {
    if (!this.#objects.looksTheSame) await acceptRepacked(this.#stores, this.#options.git);
    await this.#noteNow();
    this.#believed.asTheyAre();
    if (this.#refFiles.looseCount > this.#looseRefs) await this.#packRefs();
  }

  /** As `git gc` does it: each ref that is a file of its own is looked at around every agent and every gate. */
  async #packRefs(): Promise<void> {
    await this.#options.git.text('pack-refs', '--all');
    await this.#noteNow();
    // Where they could not be packed, they are not tried again before there are many more.
    this.#looseRefs = Math.max(LOOSE_REFS, 2 * this.#refFiles.looseCount);
  }

  async #noteNow(refs?: Refs): Promise<void> {
    this.#notedAt = Date.now();
    const before = this.#refs;
    if (this.#refFiles.readable) this.#refs = refs ?? this.#refFiles.read();
    this.#stash.note();
    const fresh = this.#refs === before ? [] : newIn(this.#refs, before);
    // Copies, made now: an agent may write into every object as its first act.
    const isKept = before.size > 0 && fresh.every(id => keepCommit(this.#stores, id) !== undefined);
    if (!isKept) this.#objects.merge(this.#options.aside);
    this.#objects.look();
    linkTree(this.#options.state, join(this.#folder, 'ralph'), { replace: true, skip: name => NOT_BESIDE.test(name) });
    await this.#stored.write(this.#refs);
  }

  /** After it ran, and before git is called: says what was not as it had been. `found` names refs for what was found. */
  async putBack(found: PutRefsBack['found']): Promise<readonly string[]> {
    return (await this.#putAllBack(found, { isAmong: false })).notes;
  }

  /** The same while others are at work: what the runner itself did meanwhile is known from here on, and nothing else. */
  async putBackAmong(found: PutRefsBack['found']): Promise<readonly string[]> {
    const { notes, refs } = await this.#putAllBack(found, { isAmong: true });
    await this.#noteNow(refs);
    return notes;
  }

  async #putAllBack(
    found: PutRefsBack['found'],
    { isAmong }: Pick<PutRefsBack, 'isAmong'>,
  ): Promise<{ readonly notes: readonly string[]; readonly refs: Refs }> {
    const { repository, git, ref, root, gitDir, aside, state } = this.#options;
    const { commonDir } = repository;
    const notes: string[] = [];
    const rebuilt = this.#gitDirectory.rebuildIfBroken(aside);
    if (rebuilt) notes.push(rebuilt);
    mkdirSync(root, { recursive: true });
    mkdirSync(gitDir, { recursive: true });
    notes.push(...this.#putSettingsBack());
    for (const head of this.#heads.putBack(aside)) notes.push(`${this.#name(head)} was broken; it was restored`);
    const { forged, lost } = await this.#believed.takeOutForged(git, aside);
    this.#packed.wereLookedAt();
    if (forged > lost)
      notes.push(
        `objects of the repository were damaged or forged (${forged - lost}); restored where there was a copy`,
      );
    if (rebuilt || !this.#objects.looksTheSame) {
      if (!rebuilt) await acceptRepacked(this.#stores, git);
      const returned = this.#objects.merge(aside);
      if (returned > 0 && !rebuilt)
        notes.push(`objects were taken out of the repository (${returned}); they were restored`);
    }
    if (lost > 0) await this.#noteLost();
    const missing = linkTree(join(this.#folder, 'ralph'), state, { replace: false });
    if (missing.length > 0) notes.push(`files of .ralph were deleted (${listed(missing)}); they were restored`);
    if (!this.#refFiles.readable) return { notes, refs: this.#refs };
    const was = this.#refs;
    const now = this.#refFiles.read();
    let others: PutRefsBack['isOthers'] | undefined;
    const back = await putRefsBack({
      git,
      commonDir,
      gitDir,
      own: ref,
      was,
      now,
      found,
      rebuilt: rebuilt !== undefined,
      isAmong,
      isOthers: (name, value) =>
        (others ??= this.#options.othersRefs?.(this.#notedAt - CLOCK_MS) ?? (() => false))(name, value),
    });
    // The list of stashes is the log of a ref, which putting the ref back has just written to.
    this.#stash.putBack(aside);
    return { notes: [...notes, ...back.notes], refs: back.refs };
  }

  /** Objects were damaged of which there is no copy: whether a branch or tag needs any of them. */
  async #noteLost(): Promise<void> {
    const whole = await this.#options.git.text('rev-list', '--objects', '--quiet', '--branches', '--tags');
    if (whole.ok) return;
    this.#lost = {
      reason: 'git-failed',
      message: `objects of the repository were damaged, and there is no copy of them (${whole.error.message})`,
      hint: `Get them from another clone, for example: git fetch --refetch. What was damaged is in ${this.#name(this.#options.aside)}.`,
    };
  }

  /** Why nothing can be built on this repository any more. */
  get lost(): Failure | undefined {
    return this.#lost;
  }

  /** Where git could not do its work, or a run ends: objects that were written into are replaced. */
  mend(how: Mending['how']): readonly string[] {
    const { aside } = this.#options;
    // First, so that nothing damaged is taken for an object that is new.
    const mended = this.#objects.mend({ since: this.#since, aside, how });
    const returned = this.#objects.merge(aside);
    return returned + mended === 0
      ? []
      : [`objects of the repository were damaged or gone (${returned + mended}); they were restored`];
  }

  /** What was deleted on purpose between two runs is not brought back by the next one. */
  #forgetWhatIsGone(): void {
    const objects = join(this.#folder, 'objects');
    for (const name of ['ralph', 'beside', 'hooks']) rmSync(join(this.#folder, name), { recursive: true, force: true });
    for (const folder of namesIn(objects)) {
      const here = new Set(namesIn(join(this.#options.repository.commonDir, 'objects', folder)));
      for (const name of namesIn(join(objects, folder))) {
        if (!here.has(name)) rmSync(join(objects, folder, name), { recursive: true, force: true });
      }
    }
  }

  #putSettingsBack(): readonly string[] {
    const changed = this.#settings.putBack(this.#options.aside);
    if (changed.length === 0) return [];
    const names = changed.map(difference => this.#describe(difference));
    return [
      `changed while the agent worked: ${names.join(', ')}; restored, what was found is in ${this.#name(this.#options.aside)}`,
    ];
  }

  #describe({ path, was, found }: Difference): string {
    const keys = /config(?:\.worktree)?$/.test(path) ? changedKeys(was.toString('utf8'), found.toString('utf8')) : [];
    const shown = keys.length > 5 ? [...keys.slice(0, 5), '…'] : keys;
    return shown.length > 0 ? `${this.#name(path)} (${shown.join(', ')})` : this.#name(path);
  }

  #name(path: string): string {
    return pathBelow(this.#options.repository.root, path) ?? path;
  }
}

const newIn = (refs: Refs, before: Refs): readonly string[] =>
  [...namesThatDiffer(refs, before)].flatMap(name => refs.get(name) ?? []);

function listed(paths: readonly string[]): string {
  const names = paths.map(path => basename(path));
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ');
}

/** The refs a run moves: by compare-and-swap, past a lock that a killed git left behind, and past names that are taken. */

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../util/files.ts';
import { freeName } from '../util/free-name.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { lookAt } from '../util/version.ts';
import type { Git } from './git.ts';
import type { ObjectsOnDisk } from './on-disk.ts';
import { VALUE } from './ref-files.ts';
import { type Repository, refInFiles } from './repository.ts';

/** Git holds the lock of a ref for milliseconds. */
const STALE_LOCK_MS = 2_000;
const LOCK_TRIES = 40;
const LOCK_PAUSE_MS = 100;
const OURS = 'refs/ralph/';

export class OwnRefs {
  readonly #git: Git;
  readonly #repository: Repository;
  readonly #gitDir: string;
  readonly #onDisk: ObjectsOnDisk;

  constructor(place: { git: Git; repository: Repository; gitDir: string; onDisk: ObjectsOnDisk }) {
    this.#git = place.git;
    this.#repository = place.repository;
    this.#gitDir = place.gitDir;
    this.#onDisk = place.onDisk;
  }

  /** `from` empty: whatever it was. */
  async update(ref: string, to: string, from: string): Promise<Result<void>> {
    const flushed = await this.#onDisk.commit(to);
    if (!flushed.ok) return flushed;
    const args = ['update-ref', '-m', 'ralph', ref, to, ...(from ? [from] : [])];
    const first = await this.#whenUnlocked([ref], args);
    const moved = !first.ok && (await this.#makeWay(ref)) ? await this.#whenUnlocked([ref], args) : first;
    if (moved.ok) return ok(undefined);
    const isMoved = from !== '' && (refInFiles(this.#repository, ref) ?? '0'.repeat(from.length)) !== from;
    if (!isMoved) return moved;
    return fail({
      ...moved.error,
      reason: 'ref-moved',
      hint: `Another program moved ${ref}. Look with: git log --oneline -5 ${quoted(ref)}`,
    });
  }

  async pointHead(ref: string): Promise<Result<void>> {
    const head = await this.#whenUnlocked([], ['symbolic-ref', 'HEAD', ref]);
    return head.ok ? ok(undefined) : head;
  }

  /** Keeps a commit under a name; one that is taken gets the suffix. */
  async keep(commit: string, ref: string, suffix: string): Promise<Result<string>> {
    const none = '0'.repeat(commit.length);
    for (const name of [ref, `${ref}-${suffix}`]) {
      const existing = refInFiles(this.#repository, name);
      if (existing === commit) return ok(name);
      if (existing) continue;
      const created = await this.update(name, commit, none);
      if (created.ok) return ok(name);
    }
    const forced = `${ref}-${suffix}-${commit.slice(0, 8)}`;
    const created = await this.update(forced, commit, '');
    return created.ok ? ok(forced) : created;
  }

  /** An iteration that is run again after a crash must not take the name of what it made before. */
  freeName(ref: string, commit: string): string {
    return freeName(ref, name => [undefined, commit].includes(refInFiles(this.#repository, name)));
  }

  /** Where a folder of refs has to be, an agent may have put something that is no ref, and in ours a ref, which gets another name. */
  async #makeWay(ref: string): Promise<boolean> {
    const parts = ref.startsWith(OURS) ? ref.split('/') : [];
    for (let depth = 2; depth < parts.length; depth++) {
      const name = parts.slice(0, depth).join('/');
      const found = refInFiles(this.#repository, name);
      if (found !== undefined) {
        const kept = await this.#git.text('update-ref', `${name}-found-${found.slice(0, 8)}`, found);
        return kept.ok && (await this.#git.text('update-ref', '-d', name, found)).ok;
      }
    }
    return clearWayOfRef(this.#repository.commonDir, ref);
  }

  /** Whoever was killed while moving HEAD or one of our refs left a lock behind; it is cleared once it is old. */
  async #whenUnlocked(refs: readonly string[], args: readonly string[]): Promise<Result<Buffer>> {
    const { commonDir } = this.#repository;
    const locks = [join(this.#gitDir, 'HEAD.lock'), ...refs.map(ref => join(commonDir, `${ref}.lock`))];
    let done = await this.#git.run({ args });
    for (let tries = 0; !done.ok && isLocked(done.error) && tries < LOCK_TRIES; tries++) {
      for (const lock of locks) clearStaleLock(lock);
      await new Promise(resolve => setTimeout(resolve, LOCK_PAUSE_MS));
      done = await this.#git.run({ args });
    }
    return done;
  }
}

const isLocked = (error: Failure): boolean =>
  /\.lock|cannot lock ref/i.test(error.message) && !/expected|cannot create|not a directory/i.test(error.message);

/** Takes out what is no ref where the folder of one has to be; says whether anything was. */
export function clearWayOfRef(commonDir: string, ref: string): boolean {
  const parts = ref.split('/');
  for (let depth = 2; depth < parts.length; depth++) {
    const place = join(commonDir, ...parts.slice(0, depth));
    if (lookAt(place)?.isDirectory() !== false || VALUE.test(readText(place)?.trim() ?? '')) continue;
    rmSync(place, { force: true });
    return true;
  }
  return false;
}

/** Whoever is alive and runs git holds one for milliseconds. */
export function clearStaleLock(lock: string): void {
  try {
    if (Date.now() - statSync(lock).mtimeMs > STALE_LOCK_MS) rmSync(lock, { recursive: true, force: true });
  } catch {
    // Gone already.
  }
}

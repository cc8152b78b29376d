/**
 * One runner per checkout. The lock names its owner and is taken over only from the dead.
 *
 *   free ──link──► held by me ──unlink──► free
 *   held by the dead (nonce X) ──link `lock.after-X`──► I alone may replace X ──rename over──► held by me
 *
 * `lock.after-X` can be created by one process only, so two starters that both see a dead owner cannot both win. Whoever
 * gets it looks at the lock once more: if it no longer names X, somebody else has finished the take-over meanwhile.
 */
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ProcessId } from '../protocol.ts';
import { readText, writeFresh, writeOwnSoon } from '../util/files.ts';
import { jsonFields } from '../util/json.ts';
import { otherKind, wrongKind } from '../util/regular.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { uniqueName } from '../util/unique-name.ts';
import { lookAt } from '../util/version.ts';
import { notWritable } from './runs.ts';

export interface LockOwner {
  readonly process: ProcessId;
  readonly host: string;
  readonly nonce: string;
  readonly command: string;
  readonly since: number;
  /** What it works on, once it knows: the run, and what the run's plan goes by. */
  readonly run?: string;
  readonly plan?: string;
  /** The first of its ports. */
  readonly port?: number;
}

export interface Lock {
  readonly owner: LockOwner;
  /** It was taken over from a runner that died, whose processes may still be there. */
  readonly inherited: boolean;
  /** From now on the lock says what its owner works on. */
  name(work: { readonly run: string; readonly plan: string; readonly port?: number }): void;
  /** Puts it back where somebody deleted it: while its owner works, nobody else may come in. */
  renew(): void;
  release(): void;
}

export interface LockOptions {
  readonly file: string;
  readonly me: ProcessId;
  readonly command: string;
  readonly now: number;
  readonly isAlive: (id: ProcessId) => boolean;
  /** What it is taken for, where that is known. */
  readonly run?: string;
  readonly plan?: string;
}

export type NotLocked =
  | { readonly reason: 'held'; readonly owner: LockOwner }
  /** The folder cannot be written to, or something that is no lock has its name. */
  | { readonly reason: 'unusable'; readonly failure: Failure };

/** Somebody who takes and gives back the lock all the time cannot keep us here for ever. */
const TRIES = 1000;

export function acquireLock(options: LockOptions): Result<Lock, NotLocked> {
  const { file, me, command, now, run, plan } = options;
  const work = { ...(run === undefined ? {} : { run }), ...(plan === undefined ? {} : { plan }) };
  const owner: LockOwner = { process: me, host: hostname(), nonce: uniqueName(), command, since: now, ...work };
  const mine = `${file}.${owner.nonce}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(mine, JSON.stringify(owner), { flag: 'wx' });
    return tryToTake(options, owner, mine);
  } catch (error) {
    return unusable(notWritable(dirname(file), error));
  } finally {
    try {
      rmSync(mine, { force: true });
      sweepOwn(options, owner.nonce);
    } catch {
      // The next one who takes the lock sweeps.
    }
  }
}

function tryToTake(options: LockOptions, owner: LockOwner, mine: string): Result<Lock, NotLocked> {
  const { file } = options;
  for (let tries = 0; tries < TRIES; tries++) {
    if (linked(mine, file)) return ok(held(file, owner, 'free'));
    const odd = otherKind(file, 'file');
    if (odd !== undefined) return unusable(wrongKind(file, odd, 'file'));
    const current = readOwner(file);
    if (current === 'gone') continue;
    if (current !== 'unreadable' && mayBeAlive(current, options)) return fail({ reason: 'held', owner: current });
    const taken = takeOver({ ...options, mine, stale: current === 'unreadable' ? 'unreadable' : current.nonce });
    if (taken === 'mine') return ok(held(file, owner, 'inherited'));
    if (taken !== 'again') return fail({ reason: 'held', owner: taken });
  }
  const message = `the lock came and went ${TRIES} times while it was being taken`;
  return unusable({ reason: 'lock-restless', message, file, hint: 'See who works here with: ralph status' });
}

const unusable = (failure: Failure): Result<never, NotLocked> => fail({ reason: 'unusable', failure });

/** Who holds the lock now, if anybody alive does. */
export function lockOwner(options: Pick<LockOptions, 'file' | 'isAlive'>): LockOwner | undefined {
  const owner = readOwner(options.file);
  return typeof owner === 'object' && mayBeAlive(owner, options) ? owner : undefined;
}

function takeOver(
  options: LockOptions & { readonly mine: string; readonly stale: string },
): 'mine' | 'again' | LockOwner {
  const { file, mine, isAlive } = options;
  let stale = options.stale;
  for (;;) {
    const right = `${file}.after-${stale}`;
    if (linked(mine, right)) {
      const now = readOwner(file);
      const nonce = typeof now === 'object' ? now.nonce : now;
      if (nonce !== options.stale) {
        rmSync(right, { force: true });
        return 'again';
      }
      // A second name for `mine`, because renaming one hard link over another of the same file does nothing.
      const fresh = `${mine}.new`;
      writeFileSync(fresh, readText(mine) ?? '');
      renameSync(fresh, file);
      rmSync(right, { force: true });
      return 'mine';
    }
    const other = readOwner(right);
    if (other === 'gone') return 'again';
    if (other === 'unreadable') {
      // Rights are complete before they get their name; only a power cut leaves an empty one.
      rmSync(right, { force: true });
      return 'again';
    }
    if (mayBeAlive(other, { isAlive })) return other;
    // The one who had the right died before using it: the right passes to whoever comes after them.
    stale = other.nonce;
  }
}

function held(file: string, taken: LockOwner, found: 'free' | 'inherited'): Lock {
  let owner = taken;
  return {
    owner,
    inherited: found === 'inherited',
    name: work => {
      owner = { ...owner, ...work };
      const current = readOwner(file);
      if (typeof current === 'object' && current.nonce === owner.nonce) writeOwnSoon(file, JSON.stringify(owner));
    },
    renew: () => renew(file, owner),
    release: () => {
      const current = readOwner(file);
      if (typeof current === 'object' && current.nonce === owner.nonce) rmSync(file, { force: true });
    },
  };
}

function renew(file: string, owner: LockOwner): void {
  if (lookAt(file) || !lookAt(dirname(file))?.isDirectory()) return;
  const mine = `${file}.${owner.nonce}.again`;
  try {
    writeFresh(mine, JSON.stringify(owner));
    linked(mine, file);
    rmSync(mine, { force: true });
  } catch {
    // Where its folder is gone too, it is put back with the folder.
  }
}

/** Another machine's processes cannot be looked at, so its lock is respected. */
function mayBeAlive(owner: LockOwner, { isAlive }: Pick<LockOptions, 'isAlive'>): boolean {
  return owner.host !== hostname() || isAlive(owner.process);
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** No lock is longer. */
const MOST_BYTES = 64 * 1024;

function readOwner(file: string): LockOwner | 'gone' | 'unreadable' {
  const text = readText(file, MOST_BYTES);
  if (text === undefined) return lookAt(file) ? 'unreadable' : 'gone';
  const owner: Partial<LockOwner> = jsonFields(text);
  return typeof owner.process?.pid === 'number' && typeof owner.nonce === 'string'
    ? (owner as LockOwner)
    : 'unreadable';
}

/** What dead takers left, once the lock is settled: every right, and files of their own that nobody alive will use. */
function sweepOwn({ file, isAlive }: LockOptions, nonce: string): void {
  const current = readOwner(file);
  if (typeof current !== 'object' || current.nonce !== nonce) return;
  const folder = dirname(file);
  const prefix = `${basename(file)}.`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue;
    const owner = readOwner(join(folder, name));
    // One that cannot be read may be in the middle of being written.
    const isDead = typeof owner === 'object' && !mayBeAlive(owner, { isAlive });
    if (isDead || name.startsWith(`${prefix}after-`)) rmSync(join(folder, name), { force: true });
  }
}

/**
 * One runner per checkout. The lock names its owner and is taken over only from a dead process.
 *
 *  free ──link──► held by me ──unlink──► free
 *  held by a dead owner (nonce X) ──link `lock.after-X`──► only I may replace X ──rename over──► held by me
 *
 * Only one process can create `lock.after-X`, so two starters that both see a dead owner cannot both win. The winner reads the lock once
 * more: if it no longer names X, another process has completed the take-over meanwhile.
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
  /** What the owner works on, once known: the run, and the key of its plan. */
  readonly run?: string;
  readonly plan?: string;
  /** The first of its ports. */
  readonly port?: number;
}

export interface Lock {
  readonly owner: LockOwner;
  /** The lock was taken over from a dead runner, whose processes may still exist. */
  readonly inherited: boolean;
  /** Writes what the owner works on into the lock. */
  name(work: { readonly run: string; readonly plan: string; readonly port?: number }): void;
  /** Restores a deleted lock: while its owner works, no other runner may start. */
  renew(): void;
  release(): void;
}

export interface LockOptions {
  readonly file: string;
  readonly me: ProcessId;
  readonly command: string;
  readonly now: number;
  readonly isAlive: (id: ProcessId) => boolean;
  /** What the lock is taken for, if known. */
  readonly run?: string;
  readonly plan?: string;
}

export type NotLocked =
  | { readonly reason: 'held'; readonly owner: LockOwner }
  /** The folder is not writable, or something that is not a lock has its name. */
  | { readonly reason: 'unusable'; readonly failure: Failure };

/** Limit, in case another process takes and releases the lock all the time. */
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
      // The next process that takes the lock cleans up.
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

/** The live owner of the lock, if there is one. */
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
      // A separate file, because renaming one hard link over another of the same file does nothing.
      const fresh = `${mine}.new`;
      writeFileSync(fresh, readText(mine) ?? '');
      renameSync(fresh, file);
      rmSync(right, { force: true });
      return 'mine';
    }
    const other = readOwner(right);
    if (other === 'gone') return 'again';
    if (other === 'unreadable') {
      // The file is complete before it gets this name, so only a power cut leaves an empty one.
      rmSync(right, { force: true });
      return 'again';
    }
    if (mayBeAlive(other, { isAlive })) return other;
    // The process with the right to replace the lock died before using it, so the right passes to the next.
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
    // If its folder is gone, too, the lock is restored together with the folder.
  }
}

/** Processes on another machine cannot be checked, so its lock is respected. */
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

/** Larger files are not locks. */
const MOST_BYTES = 64 * 1024;

function readOwner(file: string): LockOwner | 'gone' | 'unreadable' {
  const text = readText(file, MOST_BYTES);
  if (text === undefined) return lookAt(file) ? 'unreadable' : 'gone';
  const owner: Partial<LockOwner> = jsonFields(text);
  return typeof owner.process?.pid === 'number' && typeof owner.nonce === 'string'
    ? (owner as LockOwner)
    : 'unreadable';
}

/** Removes files of dead processes after the lock is taken: all take-over rights, and temporary files. */
function sweepOwn({ file, isAlive }: LockOptions, nonce: string): void {
  const current = readOwner(file);
  if (typeof current !== 'object' || current.nonce !== nonce) return;
  const folder = dirname(file);
  const prefix = `${basename(file)}.`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue;
    const owner = readOwner(join(folder, name));
    // An unreadable file may be just being written.
    const isDead = typeof owner === 'object' && !mayBeAlive(owner, { isAlive });
    if (isDead || name.startsWith(`${prefix}after-`)) rmSync(join(folder, name), { force: true });
  }
}

/**
 * The rate limits of an account, shared by all runs on this machine through a file in the user's state folder. A run that hits a limit
 * writes its end into the file, and all others wait for it. After that, one of them probes, and its first answer wakes the rest.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ProcessId } from '../protocol.ts';
import { isRecord } from '../util/json.ts';
import { oneLine } from '../util/show.ts';

export interface Limit {
  readonly until: number;
  readonly why: string;
}

export interface LimitClock {
  /** The known limit, whether over or not; undefined if there is none. */
  look(account: string): Limit | undefined;
  /** Stores a limit; returns false if it cannot be written, and then each run waits on its own. */
  hit(account: string, limit: Limit): boolean;
  /** Whether this process is the one to probe, now that the limit is over. */
  probe(account: string): boolean;
  /** The account can be used again, so all runs may continue. */
  free(account: string): void;
  /** The probe was abandoned, so another run may probe. */
  release(account: string): void;
}

export interface ClockPlace {
  readonly folder: string;
  readonly now: () => number;
  readonly me: ProcessId;
  readonly isAlive: (process: ProcessId) => boolean;
}

/** `$XDG_STATE_HOME/ralph/limits`, or the default location of that folder. */
export function limitsFolder(env: Readonly<Record<string, string | undefined>>): string {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  return join(state, 'ralph', 'limits');
}

/** After this time the probe no longer blocks others: its item just takes long. */
const PROBE_MS = 10 * 60_000;
/** No limit lasts longer, so a later time was misread or written by another program. */
const LONGEST_MS = 8 * 24 * 3_600_000;
/** A limit that was met this much later than now was met by a clock that has been set back since: its end means nothing. */
const CLOCK_SET_BACK_MS = 60_000;
const LARGEST = 4096;

/** Whether the wall clock is now far before what it was at that moment. */
export const isSetBack = (at: unknown, now: number): boolean => typeof at === 'number' && at > now + CLOCK_SET_BACK_MS;

export function limitClock({ folder, now, me, isAlive }: ClockPlace): LimitClock {
  // A pid may be reused, or the same in another pid namespace.
  const isMe = (process: ProcessId): boolean => process.pid === me.pid && process.started === me.started;
  const limitFile = (account: string) => join(folder, `${safe(account)}.json`);
  const probeFile = (account: string) => join(folder, `${safe(account)}.probe`);

  function look(account: string): Limit | undefined {
    const read = readJson(limitFile(account));
    const { at, until, why } = read ?? {};
    if (typeof until !== 'number' || !Number.isFinite(until) || until > now() + LONGEST_MS) return undefined;
    return { until: isSetBack(at, now()) ? now() : until, why: typeof why === 'string' ? oneLine(why, 300) : '' };
  }

  function takeProbe(account: string): boolean {
    try {
      writeFileSync(probeFile(account), JSON.stringify({ process: me, at: now() }), { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  return {
    look,
    hit: (account, limit) => {
      const known = look(account);
      const until = known && known.until > now() ? Math.max(known.until, limit.until) : limit.until;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(limitFile(account), JSON.stringify({ at: now(), until, why: limit.why }), { mode: 0o600 });
        rmSync(probeFile(account), { force: true });
        return true;
      } catch {
        return false;
      }
    },
    probe: account => {
      if (takeProbe(account)) return true;
      const held = readJson(probeFile(account));
      const { process, at } = held ?? {};
      const fresh = typeof at === 'number' && now() - at < PROBE_MS && at <= now();
      if (held && fresh && isProcess(process)) {
        if (isMe(process)) return true;
        if (isAlive(process)) return false;
      }
      // The probing process has exited, or takes too long.
      rmSync(probeFile(account), { force: true });
      return takeProbe(account);
    },
    free: account => {
      rmSync(limitFile(account), { force: true });
      rmSync(probeFile(account), { force: true });
    },
    release: account => {
      const { process } = readJson(probeFile(account)) ?? {};
      if (isProcess(process) && isMe(process)) rmSync(probeFile(account), { force: true });
    },
  };
}

const safe = (account: string): string => account.replace(/[^\w.-]/g, '_').slice(0, 100);

const isProcess = (value: unknown): value is ProcessId =>
  isRecord(value) && 'pid' in value && 'started' in value && 'boot' in value;

function readJson(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = readFileSync(file, 'utf8').slice(0, LARGEST);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

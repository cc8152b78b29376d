/**
 * One clock for all runs of one account on this machine: a file below the user's state folder. Who meets a limit writes
 * its end down and all others wait for it; when it is over, one of them tries, and its first answer wakes the rest.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ProcessId } from '../protocol.ts';
import { oneLine } from '../util/show.ts';

export interface Limit {
  readonly until: number;
  readonly why: string;
}

export interface LimitClock {
  /** The limit that is known, over or not; undefined where there is none. */
  look(account: string): Limit | undefined;
  /** A limit was met; false where it cannot be written down, and each run waits for itself. */
  hit(account: string, limit: Limit): boolean;
  /** Whether this process is the one to try, now that the limit is over. */
  probe(account: string): boolean;
  /** The account can be used again: everybody may continue. */
  free(account: string): void;
  /** What was to be tried came to nothing: somebody else may. */
  release(account: string): void;
}

export interface ClockPlace {
  readonly folder: string;
  readonly now: () => number;
  readonly me: ProcessId;
  readonly isAlive: (process: ProcessId) => boolean;
}

/** `$XDG_STATE_HOME/ralph/limits`, or where that is by default. */
export function limitsFolder(env: Readonly<Record<string, string | undefined>>): string {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  return join(state, 'ralph', 'limits');
}

/** A probe that takes longer is no probe any more: its item is just long. */
const PROBE_MS = 10 * 60_000;
/** No limit lasts longer; a later moment was misread or written by somebody else. */
const LONGEST_MS = 8 * 24 * 3_600_000;
const LARGEST = 4096;

export function limitClock({ folder, now, me, isAlive }: ClockPlace): LimitClock {
  const limitFile = (account: string) => join(folder, `${safe(account)}.json`);
  const probeFile = (account: string) => join(folder, `${safe(account)}.probe`);

  function look(account: string): Limit | undefined {
    const read = readJson(limitFile(account));
    const { until, why } = read ?? {};
    if (typeof until !== 'number' || !Number.isFinite(until) || until > now() + LONGEST_MS) return undefined;
    return { until, why: typeof why === 'string' ? oneLine(why, 300) : '' };
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
        writeFileSync(limitFile(account), JSON.stringify({ until, why: limit.why }), { mode: 0o600 });
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
        if (process.pid === me.pid && process.started === me.started) return true;
        if (isAlive(process)) return false;
      }
      // Whoever tried is gone, or takes too long.
      rmSync(probeFile(account), { force: true });
      return takeProbe(account);
    },
    free: account => {
      rmSync(limitFile(account), { force: true });
      rmSync(probeFile(account), { force: true });
    },
    release: account => {
      const { process } = readJson(probeFile(account)) ?? {};
      if (isProcess(process) && process.pid === me.pid) rmSync(probeFile(account), { force: true });
    },
  };
}

const safe = (account: string): string => account.replace(/[^\w.-]/g, '_').slice(0, 100);

const isProcess = (value: unknown): value is ProcessId =>
  typeof value === 'object' && value !== null && 'pid' in value && 'started' in value && 'boot' in value;

function readJson(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = readFileSync(file, 'utf8').slice(0, LARGEST);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

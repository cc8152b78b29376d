/** The session loops of a repository, one file each: first waiting for their session, then named by the session's id. */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeRalphFolder, type RalphFolder } from '../journal/index.ts';
import type { Gate } from '../protocol.ts';
import { namesIn, readText, writeOwn } from '../util/files.ts';
import { ownFolder } from '../util/own-folder.ts';
import { ok, type Result } from '../util/result.ts';

export interface HookLoop {
  /** Printed at the start, so that only the transcript of the session that started the loop contains it. */
  readonly loop: string;
  readonly task: string;
  readonly maxIterations: number;
  /** The turn of the session, from 1. */
  readonly iteration: number;
  /** As configured when the loop began: later edits of the config by the session do not count. */
  readonly gates: readonly Gate[];
}

const WAITING = 'waiting-';

const folderOf = ({ root }: RalphFolder): string => join(root, 'hook');
const stopFileOf = (folder: RalphFolder): string => join(folderOf(folder), 'stop');
const fileOf = (folder: RalphFolder, name: string): string => join(folderOf(folder), `${name}.json`);

export function beginLoop(folder: RalphFolder, loop: HookLoop): Result<void> {
  const made = makeRalphFolder(folder);
  if (!made.ok) return made;
  ownFolder(folder.root, folderOf(folder));
  // An old stop file was for earlier loops.
  rmSync(stopFileOf(folder), { force: true });
  writeOwn(fileOf(folder, WAITING + loop.loop), text(loop));
  return ok(undefined);
}

/** The loop of this session. A waiting loop is assigned to the session if its transcript shows that it started there. */
export function loopOf(folder: RalphFolder, session: string, transcript: () => string): HookLoop | undefined {
  const own = fileOf(folder, session);
  for (const name of loopNames(folder).filter(each => each.startsWith(WAITING))) {
    if (!transcript().includes(name.slice(WAITING.length))) continue;
    try {
      renameSync(fileOf(folder, name), own);
    } catch {
      // A person ended it between the two looks.
    }
  }
  return read(own);
}

/** Longer than any transcript is behind its session. A loop that waits longer is in its transcript by now, or its session has ended. */
const FRESH_MS = 60_000;

/** Whether a loop has just started and its session is not known yet. */
export const hasFresh = (folder: RalphFolder): boolean =>
  loopNames(folder).some(name => name.startsWith(WAITING) && Date.now() - madeAt(fileOf(folder, name)) < FRESH_MS);

const madeAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Counts the next turn of the same session. */
export function nextTurn(folder: RalphFolder, session: string, loop: HookLoop): void {
  writeOwn(fileOf(folder, session), text({ ...loop, iteration: loop.iteration + 1 }));
}

export const endLoop = (folder: RalphFolder, session: string): void => rmSync(fileOf(folder, session), { force: true });

/** Whether a person ended the loop: by the stop file, or by deleting the loop's own file. */
export const isCalledOff = (folder: RalphFolder, session: string): boolean =>
  existsSync(stopFileOf(folder)) || !existsSync(fileOf(folder, session));

/** After `isCalledOff`: the stop file is for every loop of the repository, a deleted one is for itself. */
export function callOff(folder: RalphFolder, session: string): void {
  if (existsSync(stopFileOf(folder))) endAllLoops(folder);
  else endLoop(folder, session);
}

/** Ends every loop of the repository; returns how many there were. */
export function endAllLoops(folder: RalphFolder): number {
  const names = loopNames(folder);
  for (const name of names) endLoop(folder, name);
  rmSync(stopFileOf(folder), { force: true });
  return names.length;
}

export const allLoops = (folder: RalphFolder): readonly HookLoop[] =>
  loopNames(folder).flatMap(name => read(fileOf(folder, name)) ?? []);

const loopNames = (folder: RalphFolder): readonly string[] =>
  namesIn(folderOf(folder)).flatMap(name => (name.endsWith('.json') ? name.slice(0, -'.json'.length) : []));

const text = (loop: HookLoop): string => `${JSON.stringify(loop, undefined, 2)}\n`;

/** Undefined if there is no loop, or if its file is invalid. */
function read(file: string): HookLoop | undefined {
  try {
    const value = JSON.parse(readText(file) ?? 'null') as Partial<HookLoop> | null;
    const sound =
      typeof value?.loop === 'string' &&
      typeof value.task === 'string' &&
      Number.isInteger(value.maxIterations) &&
      Number.isInteger(value.iteration) &&
      Array.isArray(value.gates) &&
      value.gates.every(gate => typeof gate.run === 'string' && typeof gate.name === 'string' && gate.timeoutMs > 0);
    return sound ? (value as HookLoop) : undefined;
  } catch {
    return undefined;
  }
}

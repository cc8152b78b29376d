/** What acts are made of. */
import { fileURLToPath } from 'node:url';
import type { Ended } from '../support/cli.ts';
import { idsHere } from './plans.ts';
import { ralphIn, type World } from './world.ts';

/** What became of an act; nothing where there was nothing to do or git alone did it. */
export interface Done {
  readonly command: string;
  readonly ended: Ended;
  /** What was done meanwhile. */
  readonly during?: Done | undefined;
}

export type Do = (world: World, n: number) => Promise<Done | undefined>;

export const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % from.length];

export const call =
  (...args: readonly string[]): Do =>
  async world => ({ command: `ralph ${args.join(' ')}`, ended: await ralphIn(world, args) });

/** A command about one item; `then` notes what the person wanted. */
export const about =
  (command: string, then: (world: World, id: string) => void, ...more: readonly string[]): Do =>
  async (world, n) => {
    const id = pick(idsHere(world.repo, world.kind), n);
    if (id === undefined) return undefined;
    then(world, id);
    return await call(command, id, ...more)(world, n);
  };

/** A command about one run, the newest first. */
export const ofRun =
  (command: string, ...more: readonly string[]): Do =>
  async (world, n) => {
    const run = pick(world.repo.runs(), n);
    return run === undefined ? undefined : await call(command, run, ...more)(world, n);
  };

/** Something the person does without ralph. */
export const byHand =
  (act: (world: World, n: number) => void): Do =>
  (world, n) => {
    act(world, n);
    return Promise.resolve(undefined);
  };

export const edits = (change: (world: World, id: string) => void): Do =>
  byHand((world, n) => {
    const id = pick(idsHere(world.repo, world.kind), n);
    if (id !== undefined) change(world, id);
  });

const preload = [fileURLToPath(new URL('../crash/kill-at.mjs', import.meta.url))];
const MOMENTS = [
  'journal before',
  'journal during',
  'journal after',
  'rename before',
  'rename after',
  'git before',
  'git after',
];

export const killed =
  (...args: readonly string[]): Do =>
  async (world, n) => {
    const moment = pick(MOMENTS, n) ?? '';
    const far = moment.startsWith('journal') ? 24 : 40;
    const at = `${moment} ${1 + (Math.floor(n / MOMENTS.length) % far)}`;
    const ended = await ralphIn(world, args, { preload, env: { RALPH_TEST_KILL: at } });
    return { command: `ralph ${args.join(' ')} (killed: ${at})`, ended };
  };

const failing = [fileURLToPath(new URL('../crash/fail-at.mjs', import.meta.url))];

/** The disk is full from some write on, or one write fails, or a git is killed. */
export const fullDisk =
  (...args: readonly string[]): Do =>
  async (world, n) => {
    const fault = `${pick(['disk', 'once', 'git'], n) ?? ''} ${1 + (Math.floor(n / 3) % 110)}`;
    const env = { RALPH_TEST_FAIL: fault, RALPH_TEST_FAILED: `${world.repo.outside}/failed` };
    const ended = await ralphIn(world, args, { preload: failing, env });
    return { command: `ralph ${args.join(' ')} (fails: ${fault})`, ended };
  };

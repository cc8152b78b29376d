/** What a person does while a run is at work: its agent waits until it is done. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from '../support/cli.ts';
import { until } from '../support/until.ts';
import { type Do, type Done, pick } from './act-kit.ts';
import { startIn } from './world.ts';

export type Signal = 'SIGKILL' | 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const SIGNALS: readonly Signal[] = ['SIGKILL', 'SIGINT', 'SIGKILL', 'SIGTERM', 'SIGHUP'];

/** A run, and one of these acts, or a signal, as soon as an agent works. */
export const live =
  (args: readonly string[], meanwhile: readonly Do[]): Do =>
  async (world, n) => {
    const { outside } = world.repo;
    const [hold, atWork, wait] = [join(outside, 'hold'), join(outside, 'at-work'), join(outside, `wait-${n}`)];
    rmSync(atWork, { force: true });
    writeFileSync(wait, '');
    writeFileSync(hold, `${wait}\n`);
    const running = startIn(world, args);
    let ended: Ended | undefined;
    void running.ended.then(end => (ended = end));
    await until(() => existsSync(atWork) || ended !== undefined);
    const command = `ralph ${args.join(' ')}`;
    let during: Done | undefined;
    const signal = n % 3 === 0 ? pick(SIGNALS, Math.floor(n / 3)) : undefined;
    if (ended === undefined) {
      // The next agent is not to wait.
      rmSync(hold);
      if (signal === undefined) during = await pick(meanwhile, Math.floor(n / 3))?.(world, n);
      else running.child.kill(signal);
      if (signal === 'SIGKILL') world.orphaned = true;
    }
    rmSync(hold, { force: true });
    // What a killed runner leaves behind goes on waiting, now and then.
    if (signal !== 'SIGKILL' || n % 2 === 0) rmSync(wait, { force: true });
    return { command: `${command} (live${signal ? `, ${signal}` : ''})`, ended: await running.ended, during };
  };

/** A run in this process, on a clock on which hours of waiting take no time. */
import type { Clock } from '../../src/protocol.ts';
import { type RunOptions, run } from '../../src/run.ts';
import { cleanEnv } from '../support/cli.ts';
import type { Repo } from '../support/repo.ts';

interface Night extends Clock {
  /** Every sleep that was asked for. */
  readonly slept: number[];
  /** How much of it all that was. */
  ahead(): number;
}

/** A sleep may find the wall clock set to another time afterwards. */
export function night(jumps: readonly number[] = []): Night {
  const left = [...jumps];
  const slept: number[] = [];
  let ahead = 0;
  let jumped = 0;
  return {
    slept,
    ahead: () => ahead,
    now: () => Date.now() + ahead + jumped,
    monotonic: () => performance.now() + ahead,
    random: () => 0.5,
    sleep: async ms => {
      slept.push(ms);
      ahead += ms;
      jumped += left.shift() ?? 0;
      await new Promise(resolve => setImmediate(resolve));
    },
  };
}

export const runOn = async (repo: Repo, more: Partial<RunOptions> = {}) => {
  const result = await run({ cwd: repo.root, env: cleanEnv(repo.home), ...more });
  if (result.type === 'refused') throw new Error(result.failure.message);
  return result;
};

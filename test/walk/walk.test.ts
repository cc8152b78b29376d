/** A person's acts in random order: what holds for each command alone has to hold for any sequence of them. */
import { expect, test } from 'vitest';
import { readActs } from './acts.ts';
import { KINDS, type KindName } from './plans.ts';
import { actsFrom, shrink, told, walk } from './walk.ts';

const names = Object.keys(KINDS) as KindName[];
const SOAK = Boolean(process.env.RALPH_SOAK);
const seed = process.env.RALPH_WALK_SEED;
const again = process.env.RALPH_WALK;
const COUNT = Number(process.env.RALPH_WALKS ?? (SOAK ? 50 : 1));
const LENGTH = Number(process.env.RALPH_WALK_LENGTH ?? (SOAK ? 20 : 10));
const SHRINK_MS = 1000 * Number(process.env.RALPH_WALK_SHRINK ?? (SOAK ? 600 : 60));

// One, or a range such as 5-20.
const [first = 1, last = first] = seed === undefined ? [1, COUNT] : seed.split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, n) => first + n);

test.runIf(again)('the acts of RALPH_WALK', async () => {
  const [name = '', ...acts] = (again ?? '').split(' ');
  const fault = await walk(name as KindName, readActs(acts.join(' ')));
  expect(fault && told(name as KindName, fault)).toBeUndefined();
});

test.skipIf(again).each(seeds.flatMap(each => names.map(name => ({ name, each }))))(
  'a walk with a plan of the format $name, seed $each',
  async ({ name, each }) => {
    const fault = await walk(name, actsFrom(each, LENGTH));
    const least = fault && (await shrink(name, fault, Date.now() + SHRINK_MS));
    expect(least && told(name, least), `RALPH_WALK_SEED=${each}`).toBeUndefined();
  },
  3_600_000,
);

/** What workers are doing: nobody who waits for a change misses one that came a moment before. */
import { expect, test } from 'vitest';
import { Tasks } from '../../src/loop/tasks.ts';
import { Stopper } from '../../src/process/index.ts';
import { deferred } from '../../src/util/deferred.ts';
import { ok } from '../../src/util/result.ts';

/** Whether it is over once everything that can go on has. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  const later = new Promise<'later'>(resolve => setImmediate(() => resolve('later')));
  return (await Promise.race([waiting, later])) !== 'later';
}

test('one that needs no agent any more is noticed, also before anybody waits, and once', async () => {
  const tasks = new Tasks<string>();
  const stopper = new Stopper();
  const [first, second] = [deferred<void>(), deferred<void>()];
  tasks.add(
    1,
    'a',
    first.promise.then(() => ok(undefined)),
  );
  tasks.add(
    2,
    'b',
    second.promise.then(() => ok(undefined)),
  );
  tasks.testing(1);
  expect(tasks.working).toBe(1);
  expect(await isOver(tasks.nextEnd(stopper))).toBe(true);
  const waiting = tasks.nextEnd(stopper);
  expect(await isOver(waiting)).toBe(false);
  tasks.testing(2);
  expect(await isOver(waiting)).toBe(true);
  const last = tasks.nextEnd(stopper);
  expect(await isOver(last)).toBe(false);
  first.resolve();
  expect(await isOver(last)).toBe(true);
  second.resolve();
  await tasks.idle();
});

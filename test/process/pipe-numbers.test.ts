import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { fileKey } from '../../src/process/pipes.ts';
import { start } from '../../src/process/start.ts';

/** The files this process has open. */
const openFiles = (): ReadonlySet<string> =>
  new Set(
    readdirSync('/proc/self/fd').flatMap(fd => {
      try {
        return [fileKey(statSync(`/proc/self/fd/${fd}`))];
      } catch {
        return [];
      }
    }),
  );

test.runIf(process.platform === 'linux')(
  'the number of a pipe belongs to nobody else for as long as its holders are looked for',
  async () => {
    const started = await start({ argv: ['/bin/true'], cwd: tmpdir(), env: {} });
    if (!started.ok) throw new Error(started.error);
    const { child, stdout, stderr, pipes, unpin } = started.value;
    const over = Promise.all([once(child, 'exit'), once(stdout, 'close'), once(stderr, 'close')]);
    for (const stream of [stdout, stderr]) stream.resume();
    await over;
    expect(pipes.size).toBe(2);
    // Closed for reading, but a new file must not be taken for it.
    expect([...pipes].filter(key => openFiles().has(key))).toHaveLength(2);
    unpin();
    expect([...pipes].filter(key => openFiles().has(key))).toHaveLength(0);
  },
);

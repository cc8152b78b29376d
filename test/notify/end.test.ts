/** The end of a run that could not be written down is told all the same. */
import { expect, test } from 'vitest';
import { settings } from '../../src/config/make-settings.ts';
import { openMessages } from '../../src/run/messages.ts';
import type { Project } from '../../src/start/project.ts';
import { listen } from './servers.ts';

const projectWith = (webhook: string): Project =>
  ({
    settings: settings('/nowhere', { config: { gates: [], notify: [{ webhook }] } }),
    env: {},
    wholeEnv: {},
    repository: { root: '/src/shop' },
  }) as unknown as Project;

test('a run that fails so that not even its end is recorded is told of once, one that never began is not', async () => {
  const server = await listen(200);
  const end = { reason: 'failed', why: 'no space is left on the device' } as const;
  const base = { base: 'abc' };
  const messages = await openMessages(projectWith(server.url));
  const sink = messages?.begin({ from: undefined, tell: text => expect.unreachable(text) });
  sink?.({ type: 'run.resumed', ...base }, 1);
  expect(await messages?.close(end)).toEqual([]);
  expect(JSON.parse(server.got[0]?.body ?? '')).toMatchObject({ type: 'ralph.failed', data: { why: end.why } });
  for (const events of [
    [],
    [
      { type: 'run.resumed', ...base },
      { type: 'run.finished', ...end },
    ],
  ] as const) {
    const next = await openMessages(projectWith(server.url));
    const told = next?.begin({ from: undefined, tell: text => expect.unreachable(text) });
    for (const event of events) told?.(event, 1);
    await next?.close(end);
  }
  expect(server.got).toHaveLength(2);
});

/** Who counts as older than an agent, by the session it is in. */
import { expect, test } from 'vitest';
import { isInOlderSession } from '../../src/process/asker.ts';
import type { ProcessTable } from '../../src/process/process-table.ts';
import { systemTable } from '../../src/process/system-table.ts';

const agent = { pid: 50, started: '500', boot: systemTable.boot() };

/** A process 60 in the given session, whose leader was started at the given time. */
const tableWith = (session: number, leaderStarted?: string): ProcessTable => {
  const row = (pid: number, started: string) => ({
    pid,
    parent: 1,
    group: session,
    session,
    terminal: false,
    started,
    zombie: false,
  });
  const rows = [row(60, '600'), ...(leaderStarted === undefined ? [] : [row(session, leaderStarted)])];
  return {
    ...systemTable,
    row: pid => rows.find(each => each.pid === pid),
    list: () => ({ ...systemTable.list(), rows }),
  };
};

test('a session counts as older when its leader was there before the agent', () => {
  expect(isInOlderSession(60, agent, tableWith(40, '400'))).toBe(true);
  expect(isInOlderSession(60, agent, tableWith(55, '550'))).toBe(false);
  expect(isInOlderSession(60, agent, tableWith(55))).toBe(false);
});

test('a session that was begun outside this process namespace, as by `docker exec`, is none of the agent', () => {
  expect(isInOlderSession(60, agent, tableWith(0))).toBe(true);
});

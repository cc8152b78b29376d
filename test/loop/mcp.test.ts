/** What an agent says by the tools of `ralph mcp` is read like its final message: a claim, and no more. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { briefOf, planOf, play, recordsOf, verdictsIn } from './scene.ts';

type Call = readonly [tool: string, given?: unknown];
const calls = (...all: readonly Call[]) => ({
  run: [
    `node ${resolve('test/support/mcp-call.mjs')}`,
    ...all.map(([tool, given = {}]) => `${tool} '${JSON.stringify(given)}'`),
  ].join(' '),
});
const write = { write: { path: '{{item}}.txt', text: '{{try}}\n' } };
const none = { claim: 'none' };

test('claims, questions, lessons and notes by tool, and what can be looked up', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2', 'US-3'),
    config: { mcp: true, gates: ['! grep -s 1 US-2.txt'], claims: 'required', limits: { attempts: 2 } },
    scenario: play({
      'US-1': {
        steps: [
          write,
          calls(
            ['lesson', { kind: 'fact', text: 'The door is green.' }],
            ['progress', { text: 'A note by tool.' }],
            ['claim'],
          ),
        ],
        ...none,
      },
      'US-2': [
        { steps: [write, calls(['claim'])], ...none },
        { steps: [write, { run: `${calls(['look', { what: 'failures' }], ['claim']).run} > seen.txt` }], ...none },
      ],
      'US-3': { steps: [calls(['claim'], ['question', { text: 'Red or blue?' }])], ...none },
    }),
  });
  const { code, stdout } = await repo.run();
  expect(code, stdout).toBe(3);
  expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 rejected', 'US-2 accepted', 'US-3 blocked']);
  expect(recordsOf(repo, 'agent.finished').map(({ claim }) => claim)).toEqual([
    { type: 'done', how: 'tool' },
    { type: 'done', how: 'tool' },
    { type: 'done', how: 'tool' },
    { type: 'question', text: 'Red or blue?' },
  ]);
  expect(repo.read('seen.txt')).toContain('1 attempt rejected so far.');
  expect(recordsOf(repo, 'lessons.said')).toMatchObject([{ lessons: [{ kind: 'fact', text: 'The door is green.' }] }]);
  expect(repo.read('.ralph/progress.md')).toContain('A note by tool.');
  expect(briefOf(repo, 2)).toContain('A note by tool.');
  expect(readdirSync(join(repo.root, '.ralph/inbox'))).toEqual([]);
});

test('without mcp nothing is handed over', async () => {
  const repo = makeRepo({
    plan: planOf('US-1'),
    config: { gates: ['true'] },
    scenario: play({ 'US-1': { steps: [{ run: 'test -z "$RALPH_MCP_CONFIG"' }, write] } }),
  });
  expect((await repo.run()).code).toBe(0);
  expect(existsSync(join(repo.root, '.ralph/inbox'))).toBe(false);
});

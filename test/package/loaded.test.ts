/** What the program loads before it is needed, which is what people wait for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';

const HOOK = fileURLToPath(new URL('./loaded-hook.cjs', import.meta.url));

const scenario = { default: { steps: [{ write: 'a.txt', text: 'a\n' }], claim: 'done' } };
const stories = (['US-1', 'US-2'] as const).map(id => ({ id, title: `Do ${id}`, passes: false }));

/** The late files that were loaded by then. */
async function lateOf(repo: Repo, args: readonly string[]): Promise<Record<string, readonly string[]>> {
  const log = join(repo.outside, `${args[0]}.log`);
  const env = { NODE_OPTIONS: `--require ${HOOK}`, LOADED_FILES: log };
  const ended = await repo.ralph(args, { env });
  expect(ended.stderr).toBe('');
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const entries = lines.map(line => JSON.parse(line) as { when: string; files: string[] });
  return Object.fromEntries(
    entries.map(({ when, files }) => [when, files.filter(file => file.startsWith('late-')).toSorted()]),
  );
}

test('a run starts its first agent without what comes after agents, and has all of it while that works', async () => {
  const repo = makeRepo({ plan: { project: 'p', userStories: stories }, scenario, branch: 'work' });
  const { agent, exit } = await lateOf(repo, ['run', '--once']);
  expect(agent).toEqual(['late-agents', 'late-streams']);
  expect(exit).toEqual([
    'late-agents',
    'late-formats',
    'late-gates',
    'late-live',
    'late-markdown',
    'late-memory',
    'late-run',
    'late-sandbox',
    'late-streams',
  ]);
  for (const command of ['status', 'items', 'logs', 'brief', 'report', 'done']) {
    const late = await lateOf(repo, command === 'done' ? [command, 'US-2'] : [command]);
    expect([command, late.exit]).toEqual([command, []]);
  }
});

test('a run with gates loads what runs them before its first agent, and nothing else', async () => {
  const plan = { project: 'p', userStories: stories };
  const repo = makeRepo({ plan, scenario, config: { gates: ['true'] }, branch: 'work' });
  const { agent } = await lateOf(repo, ['run', '--once']);
  expect(agent).toEqual(['late-agents', 'late-gates', 'late-streams']);
});

test('a plan in another format loads what reads it', async () => {
  const checklist = makeRepo({ files: { 'TODO.md': '# Work\n\n- [ ] US-1: do this\n- [ ] US-2: do that\n' } });
  expect(await lateOf(checklist, ['done', 'US-1'])).toEqual({ exit: ['late-markdown'] });
});

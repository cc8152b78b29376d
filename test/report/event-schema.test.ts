import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { eventSchema } from '../../scripts/event-schema.mjs';
import { planOf, play, runs, story, works, writes } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const published = JSON.parse(readFileSync('schemas/events.schema.json', 'utf8')) as z.core.JSONSchema.JSONSchema;
const jsonLine = z.fromJSONSchema(published);

/** Every line a run prints, read with the schema that is published. */
async function linesOf(repo: Repo, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repo.run(['--json', ...args]);
  return stdout
    .trim()
    .split('\n')
    .map(line => {
      const event = JSON.parse(line) as { readonly type: string };
      expect(jsonLine.safeParse(event).error, line).toBeUndefined();
      return event.type;
    });
}

describe('what `ralph run --json` prints fits the published schema', () => {
  it('which is made from the types; `npm run build` writes it anew', () => {
    expect(published).toEqual({ title: published.title, ...eventSchema() });
  });

  it('a run with all that can happen to an item', async () => {
    const plan = planOf(
      story('US-1', { verify: ['test -f US-1.txt'] }),
      'US-2',
      'US-3',
      story('US-4', { passes: false }),
    );
    const repo = makeRepo({
      plan,
      config: { gates: ['test ! -f red'], final: ['true'], limits: { attempts: 2, wait: '30ms' } },
      scenario: play({
        'US-1': [
          { steps: [{ 'rate-limit': { for: '10ms' } }] },
          {
            steps: [
              { usage: { input: 10, output: 5, cost: 0.01 } },
              { tool: { name: 'look', detail: 'x' } },
              ...(works['steps'] as object[]),
            ],
          },
        ],
        'US-2': [writes('red'), { steps: [{ delete: 'red' }, { write: { path: 'b.txt', text: 'b' } }] }],
        'US-3': { steps: [], claim: { blocked: 'no key' } },
        'US-4': runs('echo {} > prd.json', 'echo x > y'),
      }),
    });
    const types = new Set(await linesOf(repo, []));
    for (const type of [
      'run.started',
      'baseline',
      'wait.started',
      'agent.signal',
      'plan.restored',
      'evidence',
      'verdict',
      'gate.finished',
      'run.finished',
    ]) {
      expect(types).toContain(type);
    }
  });

  it('a run that is refused, and one that is resumed', async () => {
    const repo = makeRepo({ plan: planOf('US-1', 'US-2'), scenario: play({ '*': works }) });
    repo.write('mine.txt', 'x');
    expect(await linesOf(repo, [])).toEqual(['refused']);
    repo.git('clean', '-fdq', '-e', '.ralph');
    expect(await linesOf(repo, ['--once'])).toContain('run.finished');
    expect(await linesOf(repo, [])).toContain('run.resumed');
  });

  it('is strict: another key or a wrong type does not fit', () => {
    const paused = { type: 'paused', at: 1 };
    expect(jsonLine.safeParse(paused).success).toBe(true);
    expect(jsonLine.safeParse({ ...paused, more: 1 }).success).toBe(false);
    expect(jsonLine.safeParse({ ...paused, at: 'now' }).success).toBe(false);
  });
});

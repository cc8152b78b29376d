import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import type { Event } from '../../src/events.ts';
import { eventSchema, jsonLineSchema } from '../../src/report/event-schema.ts';
import { planOf, play, runs, story, works, writes } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

type Plain<T> = T extends readonly (infer U)[]
  ? Plain<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;

/** `true` compiles only where each can stand for the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'the schema lacks something') : 'the schema has too much';

/** Fails the type check when events.ts or protocol.ts and the schema drift apart. */
const same: Same<z.infer<typeof eventSchema>, Plain<Event & { at: number }>> = true;

/** Every line a run prints, read with the schema that is published. */
async function linesOf(repo: Repo, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repo.ralph(['run', '--json', ...args]);
  return stdout
    .trim()
    .split('\n')
    .map(line => {
      const { data, error } = jsonLineSchema.safeParse(JSON.parse(line));
      expect(error, line).toBeUndefined();
      return data?.type ?? '';
    });
}

describe('what `ralph run --json` prints fits the published schema', () => {
  it('the schema and the types are the same', () => {
    expect(same).toBe(true);
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
    expect(jsonLineSchema.safeParse(paused).success).toBe(true);
    expect(jsonLineSchema.safeParse({ ...paused, more: 1 }).success).toBe(false);
    expect(jsonLineSchema.safeParse({ ...paused, at: 'now' }).success).toBe(false);
  });
});

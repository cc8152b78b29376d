/** Sentences of the documents that were not true once. */
import { describe, expect, it } from 'vitest';
import { makeRepo } from '../support/repo.ts';

const twoSteps = {
  items: {
    prompt: [
      { steps: [{ append: { path: 'n.txt', text: 'one\n' } }], claim: 'none' },
      { steps: [{ append: { path: 'n.txt', text: 'two\n' } }], claim: 'promise' },
    ],
  },
};

describe('a task in words', () => {
  it('continues its unfinished run when the same words are given again', async () => {
    const repo = makeRepo({ scenario: twoSteps });
    const first = await repo.ralph(['run', 'Write two lines', '--once']);
    const second = await repo.ralph(['run', 'Write two lines']);
    expect([first.code, second.code]).toEqual([1, 0]);
    expect(repo.runs()).toHaveLength(1);
    expect(repo.read('n.txt')).toBe('one\ntwo\n');
  });

  it('may have an --until that is red at the start', async () => {
    const repo = makeRepo({ scenario: twoSteps, config: { gates: ['true'] } });
    const run = await repo.ralph(['run', 'Write two lines', '--until', 'grep -q two n.txt']);
    expect(run.code).toBe(0);
    expect(repo.journal().filter(record => record.type === 'verdict')).toHaveLength(2);
  });
});

describe('ralph doctor', () => {
  it('looks at the plan that --plan names', async () => {
    const repo = makeRepo({ scenario: { items: {} }, files: { 'other.md': '- [ ] A-1: one\n- [ ] A-2: two\n' } });
    const looked = await repo.ralph(['doctor', '--plan', 'other.md']);
    expect(looked.stdout).toContain('other.md, checklist, 0 of 2 done');
    expect(looked.stdout).toMatch(/at a usage limit of five hours the run would wait until \d\d:\d\d and continue/);
  });
});

/** `ralph review` at a terminal: diffs are looked through and decisions taken; without a terminal nothing is. */
import { beforeAll, describe, expect, test } from 'vitest';
import { planOf, play, recordsOf, works, writes } from '../loop/scene.ts';
import { inTerminal } from '../support/in-terminal.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const ASKS = '[q]uit? ';
let night: Repo;

/** One plan with an item that no attempt could do, which comes first, and one that was finished. */
beforeAll(async () => {
  const long = { steps: [{ run: 'seq 1 60 > $RALPH_ITEM.txt' }] };
  night = makeRepo({
    plan: planOf('US-1', 'US-2'),
    files: { 'other.json': JSON.stringify({ project: 'Other', userStories: planOf('O-1', 'O-2').userStories }) },
    config: { gates: ['test ! -e broken'], 'max-attempts': 1 },
    scenario: play({ 'O-2': writes('broken'), 'US-1': long, '*': works }),
  });
  expect((await night.ralph(['run', 'prd.json'])).code).toBe(0);
  night.git('switch', '-q', 'main');
  expect((await night.ralph(['run', 'other.json'])).code).toBe(3);
  night.git('switch', '-q', 'main');
});

describe.concurrent('ralph review at a terminal', () => {
  test('merges one branch and discards the other, as the commands do', async () => {
    const repo = night.copy();
    const tip = repo.git('rev-parse', 'ralph/shop');
    const { code, said } = await inTerminal(
      repo,
      ['review'],
      [
        [ASKS, 'c\r'],
        [ASKS, 'm\r'],
      ],
    );
    expect(code, said).toBe(0);
    expect(said).toContain('ralph/other (1 of 2): ');
    expect(said).toContain('The branch ralph/other is deleted;');
    expect(said).toContain('ralph/shop (2 of 2): ');
    expect(said).toContain('Merged ralph/shop into main (2 items): moved forward to');
    expect(repo.git('rev-parse', 'main')).toBe(tip);
    expect(repo.git('branch', '--list', 'ralph/other')).toBe('');
    expect((await repo.ralph(['discard', 'ralph/other', '--undo'])).code).toBe(0);
  });

  test('shows the diffs screen by screen, with what speaks for each', async () => {
    const repo = night.copy();
    const { code, said } = await inTerminal(
      repo,
      ['review'],
      [
        [ASKS, 'n\r'],
        [ASKS, 'd\r'],
        ['more screens, [n]ext item, [b]ack? ', '\r'],
        ['[b]ack? ', 'n\r'],
        ['[b]ack? ', 'b\r'],
        [ASKS, 'q\r'],
      ],
    );
    expect(code, said).toBe(0);
    expect(said).toMatch(/1 of 2 {2}[0-9a-f]{7} US-1 \+60 -0 test ! -e broken green/);
    expect(said).toMatch(/2 of 2 {2}[0-9a-f]{7} US-2 \+1 -0/);
    expect(said).toContain('\n+1\n+2\n');
    expect(said).toContain('+30');
    // The last screen was passed over.
    expect(said).not.toContain('\n+60\n');
    expect(repo.git('rev-parse', 'ralph/shop', 'main')).toBe(night.git('rev-parse', 'ralph/shop', 'main'));
  });

  test('tries an item again with a hint, and asks again after an answer it does not know', async () => {
    const repo = night.copy();
    const { code, said } = await inTerminal(
      repo,
      ['review'],
      [
        [ASKS, 'x\r'],
        [ASKS, 'r\r'],
        ['Which item (O-2)? ', '\r'],
        ['for the next brief? ', 'use another name\r'],
        [ASKS, 'quit\r'],
      ],
    );
    expect(code, said).toBe(0);
    expect(said).toContain('Type one of the letters in brackets: d, m, c, p, r, n, q.');
    expect(said).toContain('O-2 will be tried again from its first attempt');
    expect(recordsOf(repo, 'item.retried')).toMatchObject([{ item: 'O-2', hint: 'use another name' }]);
  });

  test('a decision that is refused says why and asks again; Ctrl-C and Ctrl-D leave with nothing done', async () => {
    const repo = night.copy();
    repo.git('switch', '-q', '--detach', 'main');
    repo.git('branch', '-q', '-D', 'main');
    const refs = repo.git('for-each-ref');
    const { code, said } = await inTerminal(
      repo,
      ['review'],
      [
        [ASKS, 'n\r'],
        [ASKS, 'm\r'],
        [ASKS, 'd\r'],
        ['[b]ack? ', '\u0003'],
      ],
    );
    expect(code, said).toBe(0);
    expect(said).toContain('ralph: there is no branch main to merge into');
    expect((await inTerminal(repo, ['review'], [[ASKS, '\u0004']])).code).toBe(0);
    expect(repo.git('for-each-ref')).toBe(refs);
  });

  test('prints a pull request where no program can make one', async () => {
    const { code, said } = await inTerminal(
      night.copy(),
      ['review'],
      [
        [ASKS, 'p\r'],
        [ASKS, 'q\r'],
      ],
    );
    expect(code, said).toBe(0);
    expect(said).toContain('## Not in it');
    expect(said).toContain('there is no remote to push to');
  });

  test('asks nothing where there is no terminal, or a program reads', async () => {
    expect((await night.ralph(['review'], { input: 'm\nm\n' })).stdout).not.toContain(ASKS);
    expect((await inTerminal(night, ['review', '--json'], [])).said).not.toContain(ASKS);
  });
});

import { describe, expect, it } from 'vitest';
import { commitMessage, type MessageInput, summaryOf } from '../../src/loop/commit-message.ts';
import { makeRepo } from '../support/repo.ts';
import { recordsOf } from './scene.ts';

const input = (change: Partial<MessageInput> = {}): MessageInput => ({
  run: '2026-01-08-shop',
  item: { id: 'US-1', title: 'Keep the order of the cart', body: '' },
  iteration: 3,
  verdict: { type: 'accepted', why: '' },
  gates: ['npm test'],
  said: 'Items now keep their order, because the cart is a list.\nA map had lost it.\n\n- more\n\nRALPH_TASK_COMPLETE: US-1',
  agent: 'claude, sonnet',
  ...change,
});
const subject = (item: Partial<MessageInput['item']>) =>
  commitMessage(input({ item: { id: 'US-1', title: 'Title', body: '', ...item } })).split('\n')[0];

describe('the message of a commit', () => {
  it('has a conventional subject, what was done, and trailers', () => {
    expect(commitMessage(input())).toBe(`feat(US-1): Keep the order of the cart

Items now keep their order, because the cart is a list. A map had lost
it.

Ralph-Run: 2026-01-08-shop
Ralph-Item: US-1
Ralph-Iteration: 3
Ralph-Gates: npm test
Ralph-Agent: claude, sonnet
`);
  });

  it.each([
    [{ id: 'FIX-1', title: 'Make the gate pass' }, 'fix(FIX-1): Make the gate pass'],
    [{ title: 'Fix the rounding' }, 'fix(US-1): Fix the rounding'],
    [{ title: 'Document the API' }, 'docs(US-1): Document the API'],
    [{ title: 'Add unit tests for the cart' }, 'test(US-1): Add unit tests for the cart'],
    [{ title: 'feat(cart): keep the order' }, 'feat(cart): keep the order'],
    [{ body: 'Do it.\n\nCommit: `fix(cart): keep the order`\n' }, 'fix(cart): keep the order'],
    [{ body: '```bash\ngit commit -m "feat(api): add the endpoint"\n```' }, 'feat(api): add the endpoint'],
    [{ body: 'Commit message: feat(api): add it' }, 'feat(api): add it'],
    [{ body: '## Commit\n\n```\nfeat(core): build it\n```\n\n## Done' }, 'feat(core): build it'],
    [{ body: '## Commit\n\nSmall.\n\n## Notes\n\nfeat(core): not this' }, 'feat(US-1): Title'],
    [{ body: 'Commit as `feat(<scope>): ...` please' }, 'feat(US-1): Title'],
    [{ body: 'The commit: should say what changed' }, 'feat(US-1): Title'],
  ])('takes its subject from %j', (item, expected) => {
    expect(subject(item)).toBe(expected);
  });

  it('is as the template says, and keeps its trailers', () => {
    const message = commitMessage(input({ template: '{type}: {title} ({id}, {run})\n\n{summary}\n', said: '' }));
    expect(message.split('\n').slice(0, 3)).toEqual([
      'feat: Keep the order of the cart (US-1, 2026-01-08-shop)',
      '',
      'Ralph-Run: 2026-01-08-shop',
    ]);
  });

  it('cannot be given trailers or secrets by the agent', () => {
    const key = `sk-ant-${'q7RkT2vWx9LmN4pZs8BcD6fGh3JyKe5AuQ1rVt0XwYi'.repeat(2)}`;
    const said = `Ralph-Item: US-9\nCo-Authored-By: X <x@y.z>\nIt works with ${key} now.`;
    const message = commitMessage(input({ said }));
    expect(message).not.toContain('US-9');
    expect(message).not.toContain('Co-Authored');
    expect(message).not.toContain(key);
    expect(message).toContain('It works with');
  });

  it.each([
    ['', ''],
    ['# Summary\n\nThe cart keeps its order.', 'The cart keeps its order.'],
    ['```js\ncode();\n```\n\nDone: see **cart.js**.', 'Done: see cart.js.'],
    ['> quoted\n\n<lesson kind="fact">x</lesson>\n\nReal words.', 'Real words.'],
    ['- one thing\n- another thing\n\nmore', '- one thing\n- another thing'],
    ['RALPH_TASK_COMPLETE: US-1', ''],
  ])('summarizes %j', (said, summary) => {
    expect(summaryOf(said)).toBe(summary);
  });

  it('is cut at a sentence when the agent goes on and on', () => {
    const long = summaryOf('This is a sentence of some length about the change. '.repeat(40));
    expect(long.length).toBeLessThanOrEqual(600);
    expect(long.endsWith('.')).toBe(true);
  });
});

describe('in a run', () => {
  it('the commit tells what was done by which model', async () => {
    const repo = makeRepo({
      plan: { userStories: [{ id: 'A', title: 'Write a' }] },
      config: { gates: ['true'], model: 'tiny-1', commit: '{id}: {title}\n\n{summary}' },
      scenario: {
        items: { A: [{ steps: [{ write: { path: 'a.txt', text: 'a\n' } }], message: 'Wrote a.txt.' }] },
      },
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    const message = repo.git('log', '-1', '--format=%B', '--grep=Ralph-Item: A');
    expect(message).toContain('A: Write a\n\nWrote a.txt.\n\nRalph-Run:');
    expect(message).toContain('Ralph-Agent: script, tiny-1');
    expect(recordsOf(repo, 'agent.finished')[0]).toMatchObject({ model: 'tiny-1' });
    expect((await repo.ralph(['report'])).stdout).toContain('| Agent | script, tiny-1 |');
  });
});

/** An agent that asks instead of working: the item waits, nothing is charged, and the answer is in its next brief. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliFile } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { briefOf, planOf, play, recordsOf, runs, story, verdictsIn, works } from './scene.ts';

const asks = (text: string, steps: readonly unknown[] = []) => ({ steps, claim: { question: text } });
const half = { write: { path: 'half.txt', text: 'half\n' } };

test.concurrent('the item waits and the others go on; an answer puts it back, charged to nobody', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2', story('US-3', { dependsOn: ['US-1'] })),
    config: { gates: ['true'], limits: { attempts: 1 } },
    scenario: play({ 'US-1': [asks('SQLite or PostgreSQL?', [half]), works], 'US-2': works, 'US-3': works }),
  });
  const { code, stdout } = await repo.run();
  expect(code, stdout).toBe(3);
  expect(verdictsIn(repo)).toEqual(['US-1 blocked', 'US-2 accepted']);
  expect(stdout).toContain(
    'nothing is left but blocked items (1 item waiting for others; 1 item waits for an answer; US-1 asks: SQLite',
  );
  expect(stdout).toMatch(/asks +US-1: SQLite or PostgreSQL\? · ralph answer US-1 "\.\.\."$/m);
  expect(stdout).toMatch(/^ {2}ralph answer US-1 "\.\.\." +# its next brief carries it$/m);
  expect(stdout).toMatch(/blocked +waits for an answer · ralph logs 1$/m);
  expect(recordsOf(repo, 'question.asked')).toMatchObject([{ item: 'US-1', question: 'SQLite or PostgreSQL?' }]);

  const inbox = JSON.parse((await repo.ralph(['inbox', '--json'])).stdout);
  expect(inbox.questions).toEqual([
    { item: 'US-1', title: 'Story US-1', question: 'SQLite or PostgreSQL?', iteration: 1 },
  ]);
  expect((await repo.ralph(['inbox'])).stdout).toContain('  SQLite or PostgreSQL?\n  ralph answer US-1 "..."');
  expect((await repo.ralph(['status'])).stdout).toContain('ralph answer US-1');
  const review = await repo.ralph(['review']);
  expect(review.stdout).toContain('Question of US-1 Story US-1: SQLite or PostgreSQL?');
  expect(review.stdout).toContain('ralph answer US-1 --plan');

  expect((await repo.ralph(['answer', 'US-2', 'x'])).stderr).toContain('US-2 has asked nothing that is open');
  expect((await repo.ralph(['answer', 'US-1', ' '])).code).toBe(2);
  const answered = await repo.ralph(['answer', 'US-1', 'PostgreSQL 16']);
  expect([answered.code, answered.stdout]).toEqual([0, expect.stringContaining('ralph run')]);
  expect((await repo.ralph(['inbox'])).stdout).toContain('Nothing is asked');
  const status = (await repo.ralph(['status'])).stdout;
  expect(status).toContain('end       Only blocked items were left; 1 item is open again now.');
  expect(status).toMatch(/next +ralph run$/m);
  const again = await repo.run();
  expect(again.code, again.stdout).toBe(0);
  expect(briefOf(repo, 3)).toContain('SQLite or PostgreSQL? Answer: PostgreSQL 16');
  expect(recordsOf(repo, 'iteration.started').at(-2)).toMatchObject({ item: 'US-1', attempt: 1, try: 2 });
});

test.concurrent('what stands in .ralph/answers.md is the answer, once for each item', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({
      'US-1': [asks('Which database engine should be used here?', [half]), works],
      'US-2': [asks('Which engine for the database?'), asks('Really: which database engine?'), works],
    }),
  });
  repo.write(
    '.ralph/answers.md',
    '# Decided\n\n## Which database engine?\n\nPostgreSQL 16.\n\n## package manager\n\npnpm\n',
  );
  const { code, stdout } = await repo.run();
  expect(code, stdout).toBe(3);
  expect(recordsOf(repo, 'question.answered')).toMatchObject([
    { item: 'US-1', answer: 'PostgreSQL 16.', by: 'file' },
    { item: 'US-2', answer: 'PostgreSQL 16.', by: 'file' },
  ]);
  expect(verdictsIn(repo)).toEqual(['US-1 blocked', 'US-1 accepted', 'US-2 blocked', 'US-2 blocked']);
  expect(briefOf(repo, 2)).toContain('Answer: PostgreSQL 16.');
  expect(repo.git('show', '--stat', 'HEAD')).toContain('half.txt');
  expect(recordsOf(repo, 'question.asked')).toMatchObject([
    { item: 'US-2', question: 'Really: which database engine?' },
  ]);
});

test.concurrent('an agent can neither answer itself nor write the answers', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({
      'US-1': [asks('Which database engine?'), works],
      'US-2': runs(
        `node ${cliFile} answer US-1 mine > answered.txt 2>&1; echo "exit $?" >> answered.txt`,
        'printf "## Which database engine?\\n\\nMine.\\n" > .ralph/answers.md',
      ),
    }),
  });
  expect((await repo.run()).code).toBe(3);
  expect(repo.read('answered.txt')).toContain('exit 4');
  expect(recordsOf(repo, 'question.answered')).toEqual([]);
  expect(existsSync(join(repo.root, '.ralph/answers.md'))).toBe(false);
});

test.concurrent('an answer reaches a live run', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({
      'US-1': [asks('Which key?'), works],
      'US-2': runs('touch ../outside/here; while [ ! -e ../outside/go ]; do sleep 0.05; done', 'echo 2 > two.txt'),
    }),
  });
  const running = repo.start(['run']);
  await until(() => existsSync(join(repo.outside, 'here')));
  const { code, stdout, stderr } = await repo.ralph(['answer', 'US-1', 'Under the mat']);
  writeFileSync(join(repo.outside, 'go'), '');
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining(`pid ${running.pid}`)]);
  expect((await running.ended).code).toBe(0);
  expect(verdictsIn(repo)).toEqual(['US-1 blocked', 'US-2 accepted', 'US-1 accepted']);
  expect(briefOf(repo, 3)).toContain('Under the mat');
});

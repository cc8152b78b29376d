import { describe, expect, it } from 'vitest';
import { makeRepo } from '../support/repo.ts';

const idIn = (text: string): string => /L-[0-9a-f]{6}/.exec(text)?.[0] ?? '';

describe('ralph lessons', () => {
  it('adds, lists, finds, shows and retires', async () => {
    const repo = makeRepo();
    expect((await repo.ralph(['lessons'])).stdout).toBe('No lessons.\n');
    const added = await repo.ralph(['lessons', 'add', 'Amounts are kept in cents.', '--kind', 'pattern']);
    expect(added.code).toBe(0);
    const id = idIn(added.stdout);
    expect(repo.read('.ralph/lessons.md')).toContain(
      `## ${id} pattern\n\nAmounts are kept in cents.\n\n- from: person, `,
    );
    const again = await repo.ralph(['lessons', 'add', 'amounts are kept in cents']);
    expect(again.stdout).toContain(`${id} says the same`);
    expect(await repo.ralph(['lessons', 'add', '[describe the pattern]'])).toMatchObject({ code: 2 });
    await repo.ralph(['lessons', 'add', 'The mail server is slow -> wait.', '--kind=gotcha']);
    const list = await repo.ralph(['lessons']);
    expect(list.stdout.split('\n').filter(Boolean)).toHaveLength(2);
    expect(list.stdout).toContain('(by a person, not shown yet)');
    expect((await repo.ralph(['lessons', 'search', 'cents'])).stdout).toContain(id);
    expect((await repo.ralph(['lessons', 'search', 'cents'])).stdout).not.toContain('mail');
    expect((await repo.ralph(['lessons', 'retire', id])).code).toBe(0);
    expect((await repo.ralph(['lessons', 'show', id.slice(0, 6)])).stdout).toMatch(
      /record +retired \d{4}-\d\d-\d\d, by a person/,
    );
    const json = JSON.parse((await repo.ralph(['lessons', '--json'])).stdout) as { id: string; shown: number }[];
    expect(json.map(lesson => lesson.shown)).toEqual([0, 0]);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('promotes into AGENTS.md: a diff first, and only with --yes the file', async () => {
    const repo = makeRepo({ files: { 'AGENTS.md': '# Agents\n\nBe kind.\n' } });
    const id = idIn((await repo.ralph(['lessons', 'add', 'Amounts are kept in cents.'])).stdout);
    const shown = await repo.ralph(['lessons', 'promote', id]);
    expect(shown.stdout).toContain(
      '--- a/AGENTS.md\n+++ b/AGENTS.md\n@@ -1,3 +1,7 @@\n # Agents\n \n Be kind.\n+\n+## Lessons\n+\n+- Amounts are kept in cents.\n',
    );
    expect(repo.read('AGENTS.md')).toBe('# Agents\n\nBe kind.\n');
    // What is shown is a patch that git takes.
    repo.write('.ralph/promote.patch', shown.stdout.replace(/Nothing was changed[\s\S]*/, ''));
    repo.git('apply', '.ralph/promote.patch');
    expect(repo.read('AGENTS.md')).toBe('# Agents\n\nBe kind.\n\n## Lessons\n\n- Amounts are kept in cents.\n');
    repo.git('checkout', 'AGENTS.md');
    await repo.ralph(['lessons', 'promote', id, '--yes']);
    expect(repo.read('AGENTS.md')).toBe('# Agents\n\nBe kind.\n\n## Lessons\n\n- Amounts are kept in cents.\n');
    expect((await repo.ralph(['lessons', 'promote', id])).stdout).toBe('AGENTS.md has it already.\n');
    const other = idIn((await repo.ralph(['lessons', 'add', 'The mail server is slow.'])).stdout);
    await repo.ralph(['lessons', 'promote', other, '--yes']);
    expect(repo.read('AGENTS.md')).toContain('- Amounts are kept in cents.\n- The mail server is slow.\n');
  });

  it('says what it does not know', async () => {
    const repo = makeRepo();
    const unknown = await repo.ralph(['lessons', 'serch', 'x']);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      'ralph: ralph lessons has no "serch"\n  Did you mean: ralph lessons search\n',
    ]);
    expect((await repo.ralph(['lessons', 'show'])).stderr).toContain('needs an id');
    expect((await repo.ralph(['lessons', 'show', 'L-000000'])).code).toBe(1);
    expect((await repo.ralph(['lessons', 'add', 'x', '--kind', 'rant'])).stderr).toContain('pattern, gotcha or fact');
  });

  it('names a lessons file with conflicts, and leaves it alone', async () => {
    const repo = makeRepo();
    const text = '<<<<<<< ours\n## L-000001 fact\n=======\n>>>>>>> theirs\n';
    repo.write('.ralph/lessons.md', text);
    const added = await repo.ralph(['lessons', 'add', 'Amounts are kept in cents.']);
    expect(added.code).toBe(1);
    expect(added.stderr).toContain('lessons.md:1:1: the lessons file has merge-conflict markers in it');
    expect(repo.read('.ralph/lessons.md')).toBe(text);
  });
});

describe('ralph archive', () => {
  it('lists and shows archives of the reference loop', async () => {
    const repo = makeRepo({
      files: {
        'archive/2026-01-05-login/prd.json': '{"userStories":[{"id":"US-1","passes":true}]}',
        'archive/2026-01-05-login/progress.txt': '## Codebase Patterns\n- Sessions are kept in redis\n',
      },
    });
    expect((await repo.ralph(['archive'])).stdout).toBe('archive/2026-01-05-login: 1 of 1 item done, 1 lesson\n');
    const shown = await repo.ralph(['archive', 'show', '2026-01-05-login']);
    expect(shown.stdout).toContain('- Sessions are kept in redis');
    const wrong = await repo.ralph(['archive', 'show', '2026-01-05-logn']);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'ralph: there is no archive 2026-01-05-logn\n  Did you mean 2026-01-05-login?\n',
    ]);
  });
});

describe('ralph doctor', () => {
  it('reports a pin that names missing files, and goes on', async () => {
    const repo = makeRepo({
      scenario: { items: {} },
      plan: { userStories: [{ id: 'US-1', title: 'One', passes: false }] },
      config: { gates: ['true'] },
    });
    repo.write('.ralph/.gitignore', '*\n');
    repo.write('.ralph/pin.md', '- readme: README.md\n- ledger: src/ledger.ts\n');
    const looked = await repo.ralph(['doctor']);
    expect(looked.stdout).toContain('.ralph/pin.md:2: ledger names src/ledger.ts, which does not exist');
    expect(looked.stdout).not.toContain('readme names');
    expect(looked.code).toBe(0);
  });
});

it('names lessons that say the opposite of each other, and the one that briefs carry', async () => {
  const repo = makeRepo();
  expect((await repo.ralph(['lessons', 'conflicts'])).stdout).toBe('No lessons contradict each other.\n');
  const section = (id: string, text: string, day: string) =>
    `## ${id} fact\n\n${text}\n\n- from: run ${day}-a, US-1\n\n`;
  repo.write(
    '.ralph/lessons.md',
    `# Lessons\n\n${section('L-000001', 'Install the packages with npm, not with pnpm.', '2026-01-05')}` +
      section('L-000002', 'Install the packages with pnpm, not with npm.', '2026-01-06') +
      section('L-000003', 'The install of the browser takes a minute.', '2026-01-06'),
  );
  const { stdout } = await repo.ralph(['lessons', 'conflicts']);
  expect(stdout).toMatch(/^shown +L-000002 .*\nleft out +L-000001 .*\n.*ralph lessons retire L-000001/);
  expect(stdout).not.toContain('L-000003');
});

it('takes in what many archives of another loop say, beside the agent, once and with one line', async () => {
  const many = Array.from({ length: 60 }, (_, n) => `archive/2025-01-01-part-${n}/progress.txt`);
  const repo = makeRepo({
    files: {
      'prd.json': '{"userStories":[{"id":"US-1","title":"One","passes":false}]}',
      ...Object.fromEntries(
        many.map((path, n) => [path, `## Codebase Patterns\n- Part number ${n} keeps its state in redis\n`]),
      ),
    },
    config: {
      agent: { command: ['sh', '-c', 'cat > /dev/null; echo x > work.txt; echo "RALPH_TASK_COMPLETE: US-1"'] },
      gates: [{ name: 'check', run: 'true' }],
    },
    branch: 'work',
  });
  const { code, stdout, stderr } = await repo.ralph(['run']);
  expect(code, stdout + stderr).toBe(0);
  expect(stdout.match(/60 lessons taken in from archives and notes/g)).toHaveLength(1);
  expect(stdout).not.toContain('new lesson');
  expect(repo.read('.ralph/lessons.md').match(/^## L-/gm)).toHaveLength(60);
  expect((await repo.ralph(['archive'])).stdout.trim().split('\n')).toHaveLength(61);
});

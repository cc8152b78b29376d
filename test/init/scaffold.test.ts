/** What `ralph init` leaves behind can be checked and run as it is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ralph } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const works = { steps: [{ write: { path: 'README.md', text: '# {{item}}\n' } }] };
const grouped = {
  steps: [...works.steps, { append: { path: 'docs/ralph/RALPH_NOTES.md', text: '\n## Group 1: README\n' } }],
};
const formats = [
  { format: 'prd', plan: 'prd.json', items: 1, play: works },
  { format: 'checklist', plan: 'PROGRESS.md', items: 1, play: works },
  { format: 'groups', plan: '.ralph-tasks.json', items: 1, play: grouped },
  { format: 'sprint', plan: 'sprints/first/PROGRESS.yaml', items: 3, play: works },
  { format: 'prompt', plan: 'PROMPT.md', items: 1, play: { ...works, claim: 'promise' } },
];

/** Puts the scripted agent where a person would name theirs. */
function useScript(repo: Repo, play: unknown): void {
  writeFileSync(join(repo.outside, 'scenario.json'), JSON.stringify({ items: { '*': play } }));
  const agent = 'agent: {use: script, scenario: ../outside/scenario.json}';
  const config = repo.read('ralph.yaml').replace(/^(?:# )?agent: .*$/m, agent);
  expect(config).toContain(agent);
  repo.write('ralph.yaml', config);
}

const commit = (repo: Repo) => {
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'Set up Ralph');
};

describe.concurrent('ralph init', () => {
  test.each(formats)(
    'writes a $format plan that is accepted and can be run to its end',
    async ({ format, plan, items, play }) => {
      const repo = makeRepo({ files: { Makefile: 'test:\n\ttest -e README.md\n' } });
      const made = await repo.ralph(['init', '--yes', '--format', format]);
      expect(made.stderr).toBe('');
      expect(made.code).toBe(0);
      expect(made.stdout).toMatch(/Next\n {2}1\. Edit .*\n[\s\S]*ralph doctor\n.*ralph run\n$/);
      expect(repo.read('ralph.yaml')).toMatch(/^# yaml-language-server: \$schema=\S+ralph\.schema\.json\n/);
      expect(repo.read('ralph.yaml')).toContain('gates:\n  - make test\n');

      const checked = await repo.ralph(['check', '--json']);
      expect(checked.code).toBe(0);
      const report = JSON.parse(checked.stdout) as Record<string, unknown>;
      expect(report).toMatchObject({ format, path: join(repo.root, plan), total: items, problems: [] });

      useScript(repo, play);
      commit(repo);
      const ran = await repo.run(['--json']);
      expect(ran.stderr).toBe('');
      expect(ran.code).toBe(0);
      expect(repo.git('status', '--porcelain')).toBe('');
    },
  );

  test('scaffolds docs/ralph with every file of it, and keeps its state out of git', async () => {
    const repo = makeRepo({ files: { '.gitignore': 'dist\n/.ralph' } });
    const { code } = await repo.ralph(['setup', '--format', 'groups']);
    expect(code).toBe(0);
    for (const name of ['shared-context.md', 'prompts/group-1.md', 'RALPH_NOTES.md', 'RALPH_REPORT.md']) {
      expect(repo.read(`docs/ralph/${name}`)).toMatch(/^# /);
    }
    expect(repo.read('.gitignore')).toBe('dist\n/.ralph\n.ralph-tasks.json\n.ralph-logs/\n');
  });

  test('overwrites nothing, says what it kept, and adds no line twice', async () => {
    const files = {
      'ralph.yml': 'plan: PROGRESS.md\n',
      'PROGRESS.md': '- [ ] mine\n',
      'PROMPT.md': 'Mine.\n',
      '.gitignore': 'dist\r\n',
    };
    const repo = makeRepo({ files });
    for (const args of [[], ['--yes'], ['--format', 'checklist']]) {
      const { code, stdout } = await repo.ralph(['init', ...args]);
      expect(code).toBe(0);
      expect(stdout).toContain('kept     ralph.yml');
      expect(stdout).toContain('kept     PROGRESS.md');
      expect(stdout).not.toContain('Edit');
      for (const [path, text] of Object.entries({ ...files, '.gitignore': 'dist\r\n.ralph/\r\n' })) {
        expect(repo.read(path)).toBe(text);
      }
    }
    expect(repo.git('status', '--porcelain')).toBe('M .gitignore');
    const more = await repo.ralph(['init', '--format', 'prd']);
    expect(more.stdout).toMatch(/new +prd\.json[\s\S]*ralph run prd\.json\n$/);
  });

  test.each(formats)('changes nothing of a $format plan when it is called again', async ({ format }) => {
    const repo = makeRepo({ files: { Makefile: 'test:\n\ttest -e README.md\n' } });
    await repo.ralph(['init', '--yes', '--format', format, '--agent', 'script']);
    commit(repo);
    for (const args of [[], ['--format', format]]) {
      const { code, stdout } = await repo.ralph(['init', '--yes', ...args]);
      expect(code).toBe(0);
      expect(stdout).toContain('gates: make test · agent: script · plan: ');
      expect(stdout).toMatch(/Next\n {2}1\. ralph doctor\n {2}2\. ralph run\n$/);
      expect(repo.git('status', '--porcelain')).toBe('');
    }
  });

  test('knows what the config that is there says, and refuses one that cannot be read', async () => {
    const repo = makeRepo({ files: { 'docs/list.md': '- [ ] a\n' } });
    repo.write(
      'ralph.json',
      '{"plan": "docs/list.md", "agent": {"command": ["./run", "-x"]}, "gates": [{"run": "make a"}]}',
    );
    const known = await repo.ralph(['init', '--yes']);
    expect(known.stdout).toContain('gates: make a · agent: ./run -x · plan: docs/list.md');
    expect(known.stdout).not.toMatch(/new +prd\.json|Add gates|Install an agent/);
    const other = makeRepo();
    other.write('ralph.json', '{"plan": "docs/missing.md"}');
    const missing = await other.ralph(['init', '--yes']);
    expect(missing.stdout).toMatch(/Add gates to ralph\.json[\s\S]*ralph run prd\.json\n$/);
    const broken = makeRepo();
    broken.write('ralph.yaml', 'plan: [prd.json\n');
    const { code, stdout, stderr } = await broken.ralph(['init', '--yes']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/ralph\.yaml:2:1: [\s\S]*Correct it or move it away/);
    expect(broken.git('status', '--porcelain')).toBe('?? ralph.yaml');
  });

  test('takes the plan that is there, and names it in the config', async () => {
    const repo = makeRepo({ files: { 'scripts/ralph/prd.json': '[{"id": "A", "title": "a", "passes": false}]' } });
    const { code, stdout } = await repo.ralph(['init', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('kept     scripts/ralph/prd.json');
    expect(repo.read('ralph.yaml')).toContain('\nplan: scripts/ralph/prd.json\n');
    expect(repo.git('status', '--porcelain').split('\n')).toEqual(['?? .gitignore', '?? ralph.yaml']);
  });

  test('works in a repository without a commit, in a folder below its top, and without git', async () => {
    const repo = makeRepo();
    for (const [folder, where] of [
      ['empty', 'empty'],
      ['below/deep', 'below'],
    ] as const) {
      const top = join(repo.outside, where);
      repo.write(`../outside/${folder}/note.txt`, 'x\n');
      repo.git('init', '-q', top);
      const made = await ralph(['init', '--yes'], { cwd: join(repo.outside, folder), home: repo.home });
      expect(made.code).toBe(0);
      expect(repo.read(`../outside/${where}/prd.json`)).toContain(`"project": "${where}"`);
    }
    repo.write('../outside/bare/note.txt', 'x\n');
    const bare = await ralph(['init', '--yes'], { cwd: join(repo.outside, 'bare'), home: repo.home });
    expect(bare.code).toBe(0);
    expect(bare.stdout).toContain('git init');
  });

  test('refuses a format or an agent that does not exist, and writes nothing then', async () => {
    const repo = makeRepo();
    const format = await repo.ralph(['init', '--format', 'group']);
    expect([format.code, format.stderr]).toEqual([2, 'ralph: there is no format "group"\n  Did you mean groups?\n']);
    const agent = await repo.ralph(['init', '--agent', 'cladue']);
    expect([agent.code, agent.stderr]).toEqual([2, 'ralph: there is no agent "cladue"\n  Did you mean claude?\n']);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('writes the agent that was named, or the one on PATH', async () => {
    const named = makeRepo();
    await named.ralph(['init', '--agent', './tools/my agent']);
    expect(named.read('ralph.yaml')).toContain('\nagent: ./tools/my agent\n');
    const onPath = makeRepo();
    writeFileSync(join(onPath.outside, 'codex'), '#!/bin/sh\n', { mode: 0o755 });
    await onPath.ralph(['init'], { env: { PATH: `${onPath.outside}:/usr/bin:/bin` } });
    expect(onPath.read('ralph.yaml')).toContain('\nagent: codex\n');
  });
});

describe('ralph init --gates', () => {
  test('adds what the repository has to the end of its config, once', async () => {
    const files = {
      'package.json': '{"scripts": {"test": "node --test", "lint": "oxlint"}}\n',
      'ralph.yaml': '# mine\nagent: claude\n',
    };
    const repo = makeRepo({ files });
    const first = await repo.ralph(['init', '--gates']);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toContain('Added to ralph.yaml: npm run lint, npm test');
    const text = '# mine\nagent: claude\n\ngates:\n  - npm run lint\n  - npm test\n';
    expect(repo.read('ralph.yaml')).toBe(text);
    expect((await repo.ralph(['init', '--gates'])).stdout).toContain('ralph.yaml has gates already');
    expect(repo.read('ralph.yaml')).toBe(text);
  });

  test('hints name the config that is there', async () => {
    const repo = makeRepo({ config: { plan: 'prd.json' } });
    const { stdout } = await repo.ralph(['doctor']);
    expect(stdout).toContain('done, in ralph.json: gates: [npm test]');
    expect(stdout).not.toContain('ralph.yaml');
    expect((await repo.ralph(['notify'])).stderr).toContain('there is no notify in ralph.json');
  });

  test('says what to write where nothing is found', async () => {
    const repo = makeRepo();
    const { code, stderr } = await repo.ralph(['init', '--gates']);
    expect(code).toBe(2);
    expect(stderr).toContain('gates: [npm test]');
  });
});

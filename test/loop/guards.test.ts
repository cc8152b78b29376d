/** Guards in a run: what an agent may not do, and what it is told. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { briefOf, planOf, play, recordsOf, story, verdictsIn, writes } from './scene.ts';

const TEST = "it('adds up', () => {\n  expect(total([1, 2])).toBe(3);\n});\n";
const files = { 'test/cart.test.js': TEST, 'src/cart.js': 'export const total = items => items.length;\n' };
const CODE = 'export const total = items => items.reduce((a, b) => a + b, 0);\n';
const skips = {
  steps: [
    { write: { path: 'src/cart.js', text: CODE } },
    { replace: { path: 'test/cart.test.js', from: 'it(', to: 'it.skip(' } },
  ],
};
const config = { gates: ['true'] };

describe.concurrent('a guard in a run', () => {
  test('refuses the attempt, puts everything back, and tells the next brief rule, file and line', async () => {
    const repo = makeRepo({
      files,
      config,
      plan: planOf('US-1'),
      scenario: play({ 'US-1': [skips, writes('src/cart.js', CODE)] }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
    expect(briefOf(repo, 2)).toMatch(/test-skip: the test .*adds up.* is skipped now.*test\/cart\.test\.js:1/);
    expect(repo.read('test/cart.test.js')).toBe(TEST);
    expect(recordsOf(repo, 'evidence')[0]?.evidence.findings).toContainEqual(
      expect.objectContaining({ rule: 'test-skip', level: 'block', path: 'test/cart.test.js', line: 1 }),
    );
  });

  test('allows a dependency that the specification of the item asks for, not one that the agent writes there', async () => {
    const uses = (name: string) => ({
      steps: [
        { write: { path: 'src/{{item}}.py', text: `import ${name}\n` } },
        { replace: { path: 'pyproject.toml', from: 'dependencies = [', to: `dependencies = ["${name}", ` } },
      ],
    });
    const noted = { append: { path: 'docs/specs/two.md', text: '- httpx\n' } };
    const repo = makeRepo({
      files: {
        'pyproject.toml': '[project]\nname = "shop"\ndependencies = [\n]\n',
        'docs/specs/one.md': '# One\n\n## Dependencies\n\n- `requests>=2`\n',
        'docs/specs/two.md': '# Two\n\n## Dependencies\n\n- none\n',
      },
      config: { ...config, limits: { attempts: 1 } },
      plan: planOf(
        story('US-1', { description: 'See `docs/specs/one.md`' }),
        story('US-2', { description: 'docs/specs/two.md' }),
      ),
      scenario: play({ 'US-1': uses('requests'), 'US-2': { steps: [...uses('httpx').steps, noted] } }),
    });
    expect((await repo.run()).code).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 rejected']);
  });

  test('is lifted by the item that names it, and by no other', async () => {
    const repo = makeRepo({
      files,
      config: { ...config, limits: { attempts: 1 } },
      plan: planOf(story('US-1', { allow: ['test-skip:test/**'] }), 'US-2'),
      scenario: play({
        'US-1': skips,
        'US-2': { steps: [{ write: { path: 'test/cart.test.js', text: "it('is nothing', () => {});\n" } }] },
      }),
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 rejected']);
  });

  test('cannot be lifted by the agent itself', async () => {
    const lift = 'sed -i \'s/"passes": false/"allow": ["test-skip"], "passes": false/\' prd.json';
    const repo = makeRepo({
      files,
      config: { ...config, limits: { attempts: 2 } },
      plan: planOf('US-1'),
      scenario: play({ 'US-1': { steps: [{ run: lift }, ...skips.steps] } }),
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 rejected']);
  });

  test('shows a secret nowhere', async () => {
    const token = ['ghp', 'q7RkT2vWx9LmN4pZs8BcD6fGh3JyKe5AuQ1r'].join('_');
    const repo = makeRepo({
      files,
      config: { ...config, limits: { attempts: 1 } },
      plan: planOf('US-1'),
      scenario: play({ 'US-1': writes('src/client.js', `export const token = '${token}';\n`) }),
    });
    const { stdout, stderr } = await repo.run();
    const folder = join(repo.root, '.ralph', 'runs', repo.runs()[0] ?? '');
    const seen = ['iterations/001/diff.patch', 'iterations/001/evidence.json'].map(file =>
      readFileSync(join(folder, file), 'utf8'),
    );
    expect(seen[0]).toContain('+export const token');
    expect(seen[1]).toContain('a GitHub token');
    for (const text of [stdout, stderr, ...seen, readFileSync(repo.journalFile(), 'utf8')])
      expect(text).not.toContain(token.slice(4, 20));
  });

  test('knows words instead of work, and leaves an item about words alone', async () => {
    const repo = makeRepo({
      files,
      config: { ...config, limits: { attempts: 1 } },
      plan: planOf(
        story('US-1', { title: 'Add a discount to the cart' }),
        story('US-2', { title: 'Document the cart' }),
      ),
      scenario: play({ '*': writes('docs/{{item}}.md', 'It will be added soon.\n') }),
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-2 accepted']);
    expect(recordsOf(repo, 'evidence')[0]?.evidence.findings).toContainEqual(
      expect.objectContaining({ rule: 'docs-only', level: 'block' }),
    );
  });
});

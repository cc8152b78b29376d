/** Proof on a small project with node:test. */
import { describe, expect, test } from 'vitest';
import { verdictsIn } from '../loop/scene.ts';
import { evidenceIn, foundIn, messageIn, ownTmp, project, proofsIn } from './scene.ts';

const busy = { concurrent: true, timeout: 180_000 };
const gate = 'node --test';
const CART = 'export const total = prices => prices.reduce((a, b) => a + b, 0);\n';
const HEAD = "import assert from 'node:assert';\nimport { test } from 'node:test';\n";
const ADDS = "test('adds up', () => {\n  assert.equal(total([1, 2]), 3);\n});\n";
const EMPTY = "test('nothing costs nothing', () => {\n  assert.equal(total([]), 0);\n});\n";
const TESTS = `${HEAD}import { total } from '../src/cart.js';\n${ADDS}${EMPTY}`;
const files = { 'package.json': '{"type": "module"}\n', 'src/cart.js': CART, 'test/cart.test.js': TESTS };

const DISCOUNT = `${CART}export const discounted = prices => {\n  const sum = total(prices);\n  if (sum > 100) return sum * 0.9;\n  return sum;\n};\n`;
const head = `${HEAD}import * as cart from '../src/cart.js';\n`;
const PROVES = `${head}test('a large cart is cheaper', () => {\n  assert.equal(cart.discounted([200]), 180);\n  assert.equal(cart.discounted([101]), 101 * 0.9);\n  assert.equal(cart.discounted([100]), 100);\n});\n`;
const VACUOUS = `${head}test('the cart can still add', () => {\n  assert.equal(cart.total([2, 2]), 4);\n});\n`;

describe('tests that run', busy, () => {
  test('are counted, and the report says how many', async () => {
    const repo = project({ files, gate, attempts: [{ 'src/cart.js': DISCOUNT, 'test/discount.test.js': PROVES }] });
    expect((await repo.run()).code).toBe(0);
    expect(evidenceIn(repo)[0]?.gates[0]?.tests).toMatchObject({ runner: 'node:test', executed: 3, skipped: 0 });
    expect((await repo.ralph(['report'])).stdout).toContain('| Tests | test: 3 tests executed (node:test) |');
  });

  test('may not become fewer behind the back of the guards', async () => {
    // The pattern of what is run is in a file of the project's own.
    const run = 'node --test $(cat tests.list)';
    const repo = project({
      files: {
        ...files,
        'tests.list': 'test/cart.test.js test/more.test.js\n',
        'test/more.test.js': `${HEAD}test('more', () => assert.ok(process));\n`,
      },
      gate: run,
      attempts: [{ 'src/cart.js': DISCOUNT, 'tests.list': 'test/cart.test.js\n' }],
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected']);
    expect(foundIn(repo)).toEqual(['block tests-fewer']);
    expect(messageIn(repo, 'tests-fewer')).toMatch(/executed 2 tests, before it was 3: `more` did not run/);
  });

  test('may go where the item allows it', async () => {
    const repo = project({
      files: {
        ...files,
        'tests.list': 'test/cart.test.js test/more.test.js\n',
        'test/more.test.js': `${HEAD}test('more', () => assert.ok(process));\n`,
      },
      gate: 'node --test $(cat tests.list)',
      item: { allow: ['tests-fewer'] },
      attempts: [{ 'src/cart.js': DISCOUNT, 'tests.list': 'test/cart.test.js\n' }],
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
  });

  test('may be renamed', async () => {
    const repo = project({
      files,
      gate,
      attempts: [{ 'src/cart.js': DISCOUNT, 'test/cart.test.js': TESTS.replace('adds up', 'adds everything up') }],
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
    expect(foundIn(repo)).toEqual([]);
  });

  test('of a runner that cannot be read are unknown, and that is said', async () => {
    const repo = project({ files, gate: 'node --test >/dev/null', attempts: [{ 'src/cart.js': DISCOUNT }] });
    await repo.run();
    expect(evidenceIn(repo)[0]?.gates[0]?.tests).toBe('unknown');
    expect((await repo.ralph(['report'])).stdout).toContain('test: counts unknown');
  });
});

describe("the base's own tests", busy, () => {
  const BROKEN = 'export const total = prices => prices.reduce((a, b) => a + b, 1);\n';
  const BENT = TESTS.replace('total([1, 2]), 3', 'total([1, 2]), 4').replace('total([]), 0', 'total([]), 1');

  test('have to pass on the new code, whatever became of them', async () => {
    const repo = project({ files, gate, attempts: [{ 'src/cart.js': BROKEN, 'test/cart.test.js': BENT }] });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected']);
    expect(foundIn(repo)).toEqual(['block old-tests']);
    expect(messageIn(repo, 'old-tests')).toMatch(/`adds up`, `nothing costs nothing` \(test\/cart\.test\.js\)/);
    expect(repo.read('src/cart.js')).toBe(CART);
  });

  test('may change where the item names them', async () => {
    const item = { title: 'Every cart costs one more', description: 'Change test/cart.test.js accordingly.' };
    const repo = project({ files, gate, item, attempts: [{ 'src/cart.js': BROKEN, 'test/cart.test.js': BENT }] });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
  });

  test('are not believed where they go by chance', async () => {
    const chance =
      "import fs from 'node:fs';\ntest('by chance', () => {\n  const { HERE, SEEN } = process.env;\n  const first = process.cwd() !== HERE && !fs.existsSync(SEEN);\n  if (first) fs.writeFileSync(SEEN, '');\n  assert.equal(first, false);\n});\n";
    const repo = project({
      files: { ...files, 'test/cart.test.js': TESTS + chance },
      gate,
      attempts: [{ 'src/cart.js': DISCOUNT, 'test/cart.test.js': TESTS.replace('adds up', 'adds all up') + chance }],
    });
    await repo.ralph(['run'], { env: { HERE: repo.root, SEEN: `${repo.outside}/seen` } });
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
    expect(messageIn(repo, 'evidence-incomplete')).toContain('they go by chance');
  });

  test('say nothing where they are red in a fresh checkout, and that is said', async () => {
    const repo = project({
      files: {
        ...files,
        'test/cart.test.js': `${TESTS}import '../node_modules/../built/out.js';\n`,
        '.gitignore': 'built\n',
      },
      gate: 'mkdir -p built && touch $OUT && node --test',
      attempts: [{ 'src/cart.js': BROKEN, 'test/cart.test.js': `${BENT}import '../built/out.js';\n` }],
    });
    await repo.ralph(['run'], { env: { OUT: `${repo.root}/built/out.js` } });
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
    expect(foundIn(repo)).toEqual(['warn evidence-incomplete']);
    expect(messageIn(repo, 'evidence-incomplete')).toContain("the base's own tests are red in a fresh checkout");
  });
});

describe('tdd', busy, () => {
  const config = { tdd: 'enforce' };

  test('accepts a test that is red on the base and green now, and notices mutants', async () => {
    const repo = project({
      files,
      gate,
      config,
      attempts: [{ 'src/cart.js': DISCOUNT, 'test/discount.test.js': PROVES }],
    });
    const tmp = ownTmp(repo);
    const { code, stdout } = await repo.ralph(['run'], tmp.flags);
    expect(code, stdout).toBe(0);
    expect(tmp.left()).toEqual([]);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
    expect(proofsIn(repo)).toEqual(['proven a large cart is cheaper']);
    // What it cost is said where the run is watched.
    expect(stdout).toMatch(
      /\n {7}proof {6}\d+ test runs, [\d.]+m?s: .*green in a fresh checkout, the new tests red on the base, (\d) of \1 mutants noticed\n/,
    );
    const mutants = evidenceIn(repo)[0]?.proof?.mutants ?? [];
    expect(mutants.length).toBeGreaterThan(2);
    expect(mutants.filter(({ noticed }) => !noticed)).toEqual([]);
    const { trials, proof } = evidenceIn(repo)[0] ?? {};
    expect(trials?.steps?.map(({ why }) => why)).toEqual(trials?.why);
    expect(trials?.steps?.reduce((sum, { runs }) => sum + runs, 0)).toBe(trials?.runs);
    expect(proof?.durationMs).toBeGreaterThan(0);
    expect(trials?.wallMs).toBeGreaterThanOrEqual(proof?.durationMs ?? 0);
    const report = (await repo.ralph(['report'])).stdout;
    expect(report).toContain('proven: a large cart is cheaper (`test/discount.test.js:4`)');
    expect(report).toContain(`${mutants.length} of ${mutants.length} mutants noticed`);
  });

  test('refuses code without a test, keeps the work, and takes it once there is one', async () => {
    const repo = project({
      files,
      gate,
      config,
      attempts: [{ 'src/cart.js': DISCOUNT }, { 'test/discount.test.js': PROVES }],
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
    expect(foundIn(repo)).toEqual(['block test-first']);
  });

  test('where no gate is known to run tests, still asks for them, and says that they prove nothing', async () => {
    const repo = project({
      files: { ...files, 'ci.sh': 'node src/cart.js\n' },
      gate,
      config: { ...config, gates: ['sh ci.sh'] },
      attempts: [{ 'src/cart.js': DISCOUNT }, { 'test/discount.test.js': PROVES }],
    });
    const { stdout } = await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
    expect([foundIn(repo), foundIn(repo, 1)]).toEqual([['block test-first'], ['warn evidence-incomplete']]);
    expect(stdout).toContain('evidence incomplete: no gate is known to run tests');
  });

  test('names a test that also passes on the base', async () => {
    const repo = project({
      files,
      gate,
      config,
      attempts: [{ 'src/cart.js': DISCOUNT, 'test/discount.test.js': VACUOUS }],
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected']);
    expect(proofsIn(repo)).toEqual(['vacuous the cart can still add']);
    expect(messageIn(repo, 'test-vacuous')).toContain('`the cart can still add` also passes on the base');
  });

  test('takes a test that cannot even be loaded on the base as a weak red', async () => {
    const named = PROVES.replace(
      "import * as cart from '../src/cart.js'",
      "import { discounted } from '../src/cart.js'",
    ).replaceAll('cart.discounted', 'discounted');
    const repo = project({
      files,
      gate,
      config,
      attempts: [{ 'src/cart.js': DISCOUNT, 'test/discount.test.js': named }],
    });
    await repo.run();
    expect(proofsIn(repo)).toEqual(['weak a large cart is cheaper']);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
  });

  test('refuses code that no test looks at', async () => {
    const weak = `${head}test('there is a discount', () => {\n  assert.equal(typeof cart.discounted, 'function');\n});\n`;
    const repo = project({
      files,
      gate,
      config,
      attempts: [{ 'src/cart.js': DISCOUNT, 'test/discount.test.js': weak }],
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected']);
    expect(foundIn(repo)).toContain('block mutation');
    expect(messageIn(repo, 'mutation')).toMatch(/no test notices/);
  });

  test('only warns when told to', async () => {
    const repo = project({ files, gate, config: { tdd: 'warn' }, attempts: [{ 'src/cart.js': DISCOUNT }] });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
    expect(foundIn(repo)).toEqual(['warn test-first']);
    expect((await repo.ralph(['report'])).stdout).toContain('test-first');
  });

  test('ends with its time, and says so', async () => {
    const repo = project({
      files,
      gate,
      config: { tdd: 'enforce', 'proof-timeout': '1s' },
      attempts: [
        {
          'src/cart.js': DISCOUNT,
          'test/discount.test.js': `${PROVES}await new Promise(done => setTimeout(done, 1500));\n`,
        },
      ],
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
    expect(foundIn(repo)).toEqual(['warn evidence-incomplete']);
    expect(messageIn(repo, 'evidence-incomplete')).toContain('proof-timeout, 1s');
    expect((await repo.ralph(['report'])).stdout).toContain('evidence incomplete');
  });
});

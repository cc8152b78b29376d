/** Proof on a small project with vitest, the one that this repository itself uses. */
import { describe, expect, test } from 'vitest';
import { verdictsIn } from '../loop/scene.ts';
import { evidenceIn, foundIn, messageIn, project, proofsIn } from './scene.ts';

const gate = 'node_modules/.bin/vitest run';
const CART = 'export const total = (prices: number[]): number => prices.reduce((a, b) => a + b, 0);\n';
const HEAD = "import { expect, test } from 'vitest';\n";
const TESTS = `${HEAD}import { total } from '../src/cart.ts';\n\ntest('adds up', () => {\n  expect(total([1, 2])).toBe(3);\n});\n`;
const files = { 'package.json': '{"type": "module"}\n', 'src/cart.ts': CART, 'test/cart.test.ts': TESTS };
const DISCOUNT = `${CART}\nexport function discounted(prices: number[]): number {\n  const sum = total(prices);\n  return sum >= 100 ? sum - 10 : sum;\n}\n`;
const head = `${HEAD}import * as cart from '../src/cart.ts';\n\n`;
const PROVES = `${head}test('a large cart is cheaper', () => {\n  expect(cart.discounted([200])).toBe(190);\n  expect(cart.discounted([100])).toBe(90);\n  expect(cart.discounted([99])).toBe(99);\n});\n`;
const VACUOUS = `${head}test('adds still', () => {\n  expect(cart.total([2, 2])).toBe(4);\n});\n`;
const config = { tdd: 'enforce' };

describe('with vitest', { concurrent: true, timeout: 180_000 }, () => {
  test('each new test is proven or named vacuous, although only failures are named', async () => {
    const repo = project({
      files,
      gate,
      config,
      packages: 'linked',
      attempts: [{ 'src/cart.ts': DISCOUNT, 'test/discount.test.ts': PROVES, 'test/still.test.ts': VACUOUS }],
    });
    expect((await repo.run()).code).toBe(0);
    expect(proofsIn(repo)).toEqual(['proven a large cart is cheaper', 'vacuous adds still']);
    expect(foundIn(repo)).toEqual(['warn test-vacuous']);
    expect(evidenceIn(repo)[0]?.gates[0]?.tests).toMatchObject({ runner: 'vitest', executed: 3 });
    expect(evidenceIn(repo)[0]?.proof?.mutants.filter(({ noticed }) => !noticed)).toEqual([]);
  });

  test("the base's own tests refuse code that bent them", async () => {
    const bent = TESTS.replace('toBe(3)', 'toBe(4)');
    const repo = project({
      files,
      gate,
      packages: 'linked',
      attempts: [{ 'src/cart.ts': CART.replace('b, 0)', 'b, 1)'), 'test/cart.test.ts': bent }],
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected']);
    expect(messageIn(repo, 'old-tests')).toContain('test/cart.test.ts > adds up');
  });
});

/** Proof on a small Python project with pytest. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { verdictsIn } from '../loop/scene.ts';
import { evidenceIn, foundIn, messageIn, project, proofsIn } from './scene.ts';

const gate = 'python3 -m pytest -q -p no:cacheprovider';
const CART = 'def total(prices):\n    return sum(prices)\n';
const TESTS = 'import cart\n\n\ndef test_adds():\n    assert cart.total([1, 2]) == 3\n';
const files = { 'cart.py': CART, 'test_cart.py': TESTS };
const DISCOUNT = `${CART}\n\ndef discounted(prices):\n    amount = total(prices)\n    if amount >= 100:\n        return amount * 0.9\n    return amount\n`;
const PROVES =
  'import cart\n\n\ndef test_discount():\n    assert cart.discounted([200]) == 180\n    assert cart.discounted([100]) == 90\n    assert cart.discounted([99]) == 99\n';
const config = { tdd: 'enforce' };

const there = hasPytest();
// .ci/run installs it; a machine without it says so here.
const title = there ? 'with pytest' : 'with pytest (SKIPPED: python3 -m pytest does not run here)';
describe.skipIf(!there)(title, { concurrent: true, timeout: 180_000 }, () => {
  test('red on the base, green now, each mutant noticed', async () => {
    const repo = project({ files, gate, config, attempts: [{ 'cart.py': DISCOUNT, 'test_discount.py': PROVES }] });
    expect((await repo.run()).code).toBe(0);
    expect(proofsIn(repo)).toEqual(['proven test_discount']);
    expect(evidenceIn(repo)[0]?.gates[0]?.tests).toMatchObject({ runner: 'pytest', executed: 2 });
    const mutants = evidenceIn(repo)[0]?.proof?.mutants ?? [];
    expect(mutants.length).toBeGreaterThan(2);
    expect(mutants.filter(({ noticed }) => !noticed)).toEqual([]);
  });

  test('a load error in one file does not hide a vacuous test in another', async () => {
    const weak = PROVES.replace('import cart', 'from cart import discounted').replaceAll(
      'cart.discounted',
      'discounted',
    );
    const vacuous = 'import cart\n\n\ndef test_still_adds():\n    assert cart.total([2, 2]) == 4\n';
    const repo = project({
      files,
      gate,
      config,
      attempts: [{ 'cart.py': DISCOUNT, 'test_discount.py': weak, 'test_still.py': vacuous }],
    });
    await repo.run();
    expect(proofsIn(repo).toSorted()).toEqual(['vacuous test_still_adds', 'weak test_discount']);
    expect(foundIn(repo)).toEqual(['warn test-vacuous']);
  });

  test("the base's own conftest and tests judge the new code", async () => {
    // A new conftest.py that makes every test pass, whatever the code does.
    const hook = [
      'import pytest',
      '',
      '',
      '@pytest.fixture(autouse=True)',
      'def patched(monkeypatch):',
      '    import cart',
      '    monkeypatch.setattr(cart, "total", lambda prices: 3)',
      '',
    ].join('\n');
    const repo = project({
      files,
      gate,
      attempts: [{ 'cart.py': 'def total(prices):\n    return sum(prices) + 1\n', 'conftest.py': hook }],
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['US-1 rejected']);
    expect(foundIn(repo)).toEqual(['block old-tests']);
    expect(messageIn(repo, 'old-tests')).toContain('test_cart.py::test_adds');
  });

  test('a file of tests that is no longer collected is missed', async () => {
    const repo = project({
      files: { ...files, 'test_more.py': 'def test_more():\n    assert len("more") == 4\n' },
      gate: `${gate} $(cat which.list)`,
      attempts: [{ 'cart.py': DISCOUNT, 'which.list': 'test_cart.py\n' }],
    });
    repo.write('which.list', 'test_cart.py test_more.py\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Which tests');
    await repo.run();
    expect(foundIn(repo)).toEqual(['block tests-fewer']);
    expect(messageIn(repo, 'tests-fewer')).toContain('executed 1 tests, before it was 2');
  });
});

function hasPytest(): boolean {
  try {
    execFileSync('python3', ['-m', 'pytest', '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

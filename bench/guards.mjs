/** A large change of tests and code in four languages, looked at by `ralph audit`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compare, must } from './measure.mjs';

const PER_FILE = 400;

/** One test and one function each, as long as such things are; `now` is what the change made of them. */
const KINDS = [
  {
    path: n => `src/part-${n}.ts`,
    block: (n, now) =>
      `export function price${n}(items: readonly Item[], rate = ${now ? n + 1 : n}): number {\n  const sum = items.reduce((total, item) => total + item.price * item.count, 0);\n  if (sum > ${n}) return Math.round(sum * rate * 100) / 100;\n  return sum;\n}\n\n`,
  },
  {
    path: n => `test/part-${n}.test.ts`,
    block: (n, now) =>
      `it('prices number ${n}', () => {\n  const items = [{ price: ${n}, count: 2 }];\n  expect(price${n}(items${now ? ', 1' : ''})).toBe(${n * 2});\n  expect(price${n}([])).toBe(0);\n});\n\n`,
  },
  {
    path: n => `tests/test_part_${n}.py`,
    block: (n, now) =>
      `def test_price_${n}(${now ? 'shop' : ''}):\n    items = [Item(price=${n}, count=2)]\n    assert price_${n}(items) == ${n * 2}\n    assert price_${n}([]) == 0\n\n\n`,
  },
  {
    path: n => `pkg/part${n}_test.go`,
    block: (n, now) =>
      `func TestPrice${n}(t *testing.T) {\n${now ? '\tt.Parallel()\n' : ''}\tif got := Price${n}(${n}); got != ${n * 2} {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n\n`,
  },
];

/** A repository whose last commit changes about so many lines. */
export function changedRepository({ folder, env, name, lines }) {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  const git = (...argv) => must(['git', '-c', 'user.name=b', '-c', 'user.email=b@b', ...argv], { cwd, env });
  git('init', '-q', '-b', 'main');
  const commit = now => {
    let [number, changed] = [0, 0];
    for (let file = 0; changed < lines; file++) {
      const kind = KINDS[file % KINDS.length];
      const blocks = [];
      for (let own = 0; own < PER_FILE && changed < lines; number++) {
        const length = kind.block(number, true).split('\n').length - 1;
        blocks.push(kind.block(number, now));
        own += length;
        // Every second block is as it was, the others are new: both sides have to be read.
        changed += number % 2 === 0 ? 1 : length;
        if (!now && number % 2 === 1) blocks.pop();
      }
      const path = join(cwd, kind.path(file));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, blocks.join(''));
    }
    git('add', '-A');
    git('commit', '-qm', now ? 'after' : 'before');
  };
  commit(false);
  commit(true);
  return cwd;
}

/** What guards add to git, and whether ten times the lines take ten times as long. */
export function guards(bench, { rounds }) {
  const { env, folder, cli } = bench;
  const range = 'HEAD^..HEAD';
  const [none, some, many] = [10, 10_000, 100_000].map(lines => ({
    lines,
    cwd: changedRepository({ folder, env, name: `guards-${lines}`, lines }),
  }));
  const audit = ({ cwd }) => ({ argv: [process.execPath, cli, 'audit', range, '--json'], cwd, env });
  const diff = ({ cwd }) => ({ argv: ['git', 'diff', range], cwd, env });
  const [gitNone, git, start, ours] = compare([diff(none), diff(some), audit(none), audit(some)], {
    rounds: Math.min(4 * rounds, 20),
  });
  const [large] = compare([audit(many)], { rounds: 1 });
  const changed = must(['git', 'diff', '--shortstat', range], { cwd: some.cwd, env }).trim();
  // The least CPU time: what others do on the machine can only add to it. Starting the program, and git, are no work of
  // the guards.
  const [small, big] = [ours, large].map(({ cpuMin }) => cpuMin - start.cpuMin);
  const guarding = small - (git.cpuMin - gitNone.cpuMin);
  return [
    {
      what: `CPU of guards (${changed}): \`ralph audit\` without its start and \`git diff\``,
      ours: `${guarding.toFixed(0)} ms`,
      against: `all of it ${ours.cpuMin.toFixed(0)} ms, an audit of 10 lines ${start.cpuMin.toFixed(0)} ms, git diff ${git.cpuMin.toFixed(0)} ms`,
      milliseconds: guarding,
      mostMs: 300,
    },
    {
      what: 'CPU of guards on 100,000 lines against 10,000, without the start',
      ours: `${big.toFixed(0)} ms`,
      against: `10,000 lines ${small.toFixed(0)} ms`,
      ratio: big / small,
      target: 15,
    },
  ];
}

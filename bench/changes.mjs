/** Changes for the guards: two versions of a project as texts by path, and repositories whose last commit is such a change. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { must } from './measure.mjs';

const PER_FILE = 400;

/** One test and one function each, of realistic length; `now` selects the changed version. */
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

/** About this many lines of tests and code in four languages: every second block is new, the others change in one line. */
export function prices(lines) {
  const side = now => {
    const texts = {};
    let [number, changed] = [0, 0];
    for (let file = 0; changed < lines; file++) {
      const kind = KINDS[file % KINDS.length];
      const blocks = [];
      for (let own = 0; own < PER_FILE && changed < lines; number++) {
        const length = kind.block(number, true).split('\n').length - 1;
        if (now || number % 2 === 0) blocks.push(kind.block(number, now));
        own += length;
        changed += number % 2 === 0 ? 1 : length;
      }
      texts[kind.path(file)] = blocks.join('');
    }
    return texts;
  };
  return { before: side(false), after: side(true) };
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** This many lines of this project's own code and tests, all of them new. */
export function ownCode(lines) {
  const after = {};
  let left = lines;
  for (const folder of ['src', 'test']) {
    let own = Math.min(left, Math.ceil(lines / 2));
    for (const name of readdirSync(join(ROOT, folder), { recursive: true }).sort()) {
      if (own <= 0) break;
      if (!name.endsWith('.ts')) continue;
      const text = readFileSync(join(ROOT, folder, name), 'utf8')
        .split('\n')
        .slice(0, own);
      after[join(folder, name)] = `${text.join('\n')}\n`;
      own -= text.length;
      left -= text.length;
    }
  }
  return { before: { 'README.md': 'x\n' }, after };
}

/** Input made to slow a parser down: this many lines of each, different everywhere on both sides. */
const HOSTILE = {
  'test/nested.test.ts': side => `it('${side}', () => {\n`,
  'src/nested.rs': side => `fn ${side}() {\n`,
  'src/blank.py': side => `${' '.repeat(side === 'old' ? 40 : 44)}\n`,
  '.github/workflows/long.yml': side => `      - run: npm test -- ${side}\n`,
  'package.json': side => `"${side}${'a'.repeat(300)}"\n`,
  'test/mocks.test.ts': side => `jest.mock('./${side}')\n`,
};

export const hostile = lines => {
  const texts = side =>
    Object.fromEntries(Object.entries(HOSTILE).map(([path, line]) => [path, line(side).repeat(lines)]));
  return { before: texts('old'), after: texts('new') };
};

/** A repository whose last commit is this change. */
export function repositoryOf({ before, after }, { folder, env, name }) {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  const git = (...argv) => must(['git', '-c', 'user.name=b', '-c', 'user.email=b@b', ...argv], { cwd, env });
  git('init', '-q', '-b', 'main');
  for (const [message, texts] of Object.entries({ before, after })) {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    git('add', '-A');
    git('commit', '-qm', message);
  }
  return cwd;
}

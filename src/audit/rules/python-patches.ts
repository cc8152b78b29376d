/**
 * Python tests that patch a function and then assert what the patch returns.
 *
 *     - assert total(cart) == 3
 *     + with patch('shop.cart.total', return_value=3): assert total(cart) == 3
 */
import type { LookFile } from '../look.ts';
import { assertionsOf } from '../tests/assertions.ts';
import { endOf, type TestCase } from '../tests/test-case.ts';

interface Replaced {
  readonly what: string;
  readonly at: number;
}

const PATCHED = /\b(?:mock\.|mocker\.)?patch\(\s*(['"])([\w.]+)\1\s*([^\n]*)/g;
const AS = /\bas\s+(\w+)\s*:/;
const LOCAL = /^[ \t]*(\w+)\s*=\s*(?:mock\.|mocker\.)?(?:MagicMock|Mock|AsyncMock)\(/gm;
/** A second argument, or `new=`, replaces the mock that would be passed to the test. */
const OWN_VALUE = /^,\s*(?:new\s*=|[^=,)]+[,)])/;

/**
 * `@patch('pkg.mod.fn')` with an assertion on the result of `mod.fn(…)` or of the mock itself; `fn = MagicMock(…)` with an
 * assertion on the result of `fn(…)`. The mock returns what it was told to, and no code of the project runs.
 */
export function patchedSubjects(file: LookFile, side: 'before' | 'after'): readonly Replaced[] {
  const { code, tests } = file[side];
  if (file.language !== 'python' || !/patch|Mock/.test(code)) return [];
  return tests.flatMap((test): readonly Replaced[] => {
    const at = lineStart(code, test.line);
    const whole = code.slice(at, lineStart(code, endOf(test) + 1));
    return [...patches(code, whole, test), ...mocks(test)].map(what => ({ what, at }));
  });
}

function patches(code: string, whole: string, test: TestCase): readonly string[] {
  const given = parametersOf(whole, test.name);
  const found = [...whole.matchAll(PATCHED)];
  // The decorator nearest to the function provides its first parameter.
  const handed = found.filter(match => isDecorator(whole, match.index) && !OWN_VALUE.test(match[3] ?? '')).toReversed();
  return found.flatMap((match): readonly string[] => {
    const [path, rest] = [match[2] ?? '', match[3] ?? ''];
    const own = isDecorator(whole, match.index) ? given[handed.indexOf(match)] : AS.exec(rest)?.[1];
    const names = [...callsOf(path, code, whole), ...(own === undefined ? [] : [own])];
    return names.some(name => isAsked(test, name)) ? [path] : [];
  });
}

/** How a test can call `pkg.mod.fn`: through its module, or by a name imported from there. */
function callsOf(path: string, code: string, whole: string): readonly string[] {
  const parts = path.split('.');
  const name = parts.at(-1) ?? '';
  const through = parts.slice(0, -1).map((_, from) => parts.slice(from).join('.'));
  const module = parts.slice(0, -1).join('\\.');
  const taken = new RegExp(`^[ \\t]*from\\s+${module}\\s+import\\b[^\\n]*\\b${name}\\b`, 'm');
  return taken.test(code) || taken.test(whole) ? [...through, name] : through;
}

function mocks(test: TestCase): readonly string[] {
  return [...test.code.matchAll(LOCAL)].flatMap(([, name = '']) => {
    const given = test.code.match(new RegExp(`(?<![\\w.])${name}\\s*=(?!=)`, 'g')) ?? [];
    // If it is assigned again later, it is no longer the mock.
    return given.length === 1 && isAsked(test, name) ? [name] : [];
  });
}

/** `assert fn(2) == 4`, or `got = fn(2)` and `assert got == 4`. */
function isAsked(test: TestCase, name: string): boolean {
  const call = `${name.replaceAll('.', '\\.')}\\(`;
  const isCall = new RegExp(`^(?:await )?${call}`);
  const values = [...test.code.matchAll(new RegExp(`(\\w+)\\s*=\\s*(?:await\\s+)?${call}`, 'g'))].map(
    ([, value]) => value,
  );
  return assertionsOf(test).some(({ subject }) => isCall.test(subject) || values.includes(subject));
}

const isDecorator = (text: string, at: number): boolean =>
  /^[ \t]*@/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));

function parametersOf(text: string, name: string): readonly string[] {
  const inside = new RegExp(`\\bdef\\s+${name}\\s*\\(([^)]*)\\)`).exec(text)?.[1] ?? '';
  return inside
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '' && part !== 'self' && part !== 'cls');
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}

/** Assertions and rows of the tests as flat texts, to look for what production code answers in them. */
import { type Look, LookFile } from '../look.ts';
import { roleOf } from '../roles.ts';
import { assertionsOf } from '../tests/assertions.ts';

const flat = (text: string): string => text.replace(/\s*([,:[\]{}])\s*/g, '$1');

/** One assertion, with what stands on its lines in the test. */
export interface Asked {
  readonly text: string;
  readonly around: string;
}

const memo = new WeakMap<Look, readonly Asked[]>();

/** Asked for by more than one way of looking, worked out once. */
export function askedInTests(look: Look): readonly Asked[] {
  const known = memo.get(look) ?? askedNow(look);
  memo.set(look, known);
  return known;
}

/** Files of tests that the change leaves alone, as far as somebody asked for them. */
export const unchangedTests = (look: Look): readonly LookFile[] =>
  [...(look.input.unchanged ?? [])]
    .filter(([path]) => /^(?:test|test-support)$/.test(roleOf(path)) || path.endsWith('.rs'))
    .map(
      ([path, text]) =>
        new LookFile(
          { path, kind: 'modified', added: 0, deleted: 0, binary: false, mode: '100644' },
          { before: '', after: text },
        ),
    );

function askedNow(look: Look): readonly Asked[] {
  return [...look.files, ...unchangedTests(look)].flatMap(file =>
    file.after.tests.flatMap(test => {
      const whole = `${test.head}\n${test.code}`.replace(/["`]/g, "'");
      const around = flat(whole);
      const asserted = assertionsOf(test).map(({ text }) => ({ text: flat(text), around }));
      // A table keeps question and answer in one row, away from the assertion.
      const rows =
        test.cases > 0
          ? whole
              .split('\n')
              .filter(row => /['\d]/.test(row))
              .map(row => ({ text: flat(row), around }))
          : [];
      return [...asserted, ...rows];
    }),
  );
}

export const plain = (literal: string): string => flat(literal.replace(/["`]/g, "'"));

/** As a whole literal of a flat text: 5 is not in 55. */
export function holds(text: string, normal: string): boolean {
  for (let at = text.indexOf(normal); at >= 0; at = text.indexOf(normal, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + normal.length] ?? ''];
    if (!/^\d/.test(normal) || (!/[\w.]/.test(before) && !/[\w]/.test(after))) return true;
  }
  return false;
}

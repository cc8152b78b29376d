/** The inputs and expected values in tests, and which of them occur together. */
import { once, oncePer } from '../../util/once.ts';
import type { Language } from '../language.ts';
import { type Look, LookFile } from '../look.ts';
import { testRegions } from '../production-lines.ts';
import { roleOf } from '../roles.ts';
import { compact, isOdd, isPlain, literalPattern, valueOf } from './values.ts';

interface Place {
  readonly file: number;
  readonly line: number;
}

export interface AskedValues {
  readonly has: (value: string) => boolean;
  /** Some value of the tests contains this one. */
  readonly hasWithin: (part: string) => boolean;
  /** Input and answer occur together. */
  readonly together: (questions: readonly string[], answer: string) => boolean;
  /** Where a value occurs, for messages. */
  readonly where: (value: string) => string;
}

/** Only values from before the change: an honest special case comes with a new test. */
export const askedBefore = oncePer((look: Look): AskedValues => indexOf(textsBefore(look)));

/** The tests of one file, before the change. */
export interface TestText {
  readonly path: string;
  readonly text: string;
  readonly language: Language;
  /** First and last line of each test. */
  readonly tests: readonly (readonly [number, number])[];
  /** The values on each line. */
  readonly lines: () => readonly (readonly string[])[];
}

export const textsBefore = oncePer((look: Look): readonly TestText[] => {
  const texts: TestText[] = [];
  const add = (file: LookFile, side: 'before' | 'after') => {
    const regions = testRegions(file, side);
    const { code, tests, codeLines } = file[side];
    if (code === '' || (file.role === 'production' && regions.length === 0)) return;
    const text =
      file.role === 'production'
        ? codeLines.map((line, at) => (regions.some(([from, to]) => at + 1 >= from && at < to) ? line : '')).join('\n')
        : code;
    const ranges = tests.map(test => [test.line, test.bodyLine + test.code.split('\n').length - 1] as const);
    const { path, language } = file;
    texts.push({ path, text, language, tests: ranges, lines: once(() => valuesOfLines(text, language)) });
  };
  for (const file of look.files) if (isAsking(file.path)) add(file, 'before');
  for (const [path, text] of look.input.unchanged ?? []) {
    if (!isAsking(path)) continue;
    const change = { path, kind: 'modified', added: 0, deleted: 0, binary: false, mode: '100644' } as const;
    add(new LookFile(change, { before: '', after: text }), 'after');
  }
  return texts;
});

const isAsking = (path: string): boolean =>
  /^(?:test|test-support|fixture)$/.test(roleOf(path)) || path.endsWith('.rs');

function indexOf(texts: readonly TestText[]): AskedValues {
  const places = new Map<string, Place[]>();
  for (const [file, { lines }] of texts.entries()) {
    for (const [at, values] of lines().entries()) {
      if (values.length === 0) continue;
      const place = { file, line: at + 1 };
      for (const value of values) {
        const known = places.get(value);
        if (!known) places.set(value, [place]);
        else if (known.length < 40) known.push(place);
      }
    }
  }
  /** The test that contains a place. */
  const testOf = ({ file, line }: Place) => texts[file]?.tests.find(([from, to]) => line >= from && line <= to);
  /** Whether two values are close; a digit is in every test, so it counts only on the same line. */
  const isNear = (q: Place, a: Place, answer: string): boolean => {
    if (q.line === a.line) return true;
    if (isPlain(answer)) return false;
    const test = testOf(q);
    return (test !== undefined && test === testOf(a)) || Math.abs(q.line - a.line) <= 1;
  };
  const at = (value: string): readonly Place[] => places.get(value) ?? [];
  const sameFile = (questions: readonly string[], file: number) =>
    questions.every(question => at(question).some(place => place.file === file));
  return {
    has: value => places.has(value),
    hasWithin: part => [...places.keys()].some(value => value.includes(part)),
    together: (questions, answer) =>
      at(answer).some(
        a =>
          sameFile(questions, a.file) &&
          (isOdd(answer) ||
            questions.every(question => at(question).some(q => q.file === a.file && isNear(q, a, answer)))),
      ),
    where: value => {
      const [place] = at(value);
      return place ? `${texts[place.file]?.path}:${place.line}` : (texts[0]?.path ?? 'the tests');
    },
  };
}

/** Longer lines are data. */
const LONG = 4000;

function valuesOfLines(text: string, language: Language): readonly (readonly string[])[] {
  return text.split('\n').map(line => (line.length > LONG ? NONE : valuesIn(line, language)));
}

const NONE: readonly string[] = [];
/** Cached: tests repeat the same lines. */
const meanings = new Map<string, readonly string[]>();
const KEPT = 20_000;

export function valuesIn(line: string, language: Language): readonly string[] {
  const literals = line.match(literalPattern(language));
  if (!literals) return NONE;
  const values: string[] = [];
  for (const literal of literals) {
    let known = meanings.get(literal);
    if (!known) {
      if (meanings.size >= KEPT) meanings.clear();
      known = meaningsOf(literal);
      meanings.set(literal, known);
    }
    values.push(...known);
  }
  return values;
}

function meaningsOf(literal: string): readonly string[] {
  const value = valueOf(literal);
  const short = compact(value);
  // `"20240017, 4"`: a table row in one string.
  const parts = /[,|;]/.test(value) ? value.split(/[,|;]/).map(part => valueOf(part.trim())) : [];
  return [value, ...(short === undefined ? [] : [short]), ...parts.filter(part => part.length > 0)];
}

/** New functions that answer with what a test expects, and code that reads it out of the tests' own files. */
import { askedBefore } from './asked.ts';
import { functionsIn } from './functions.ts';
import { firstOf, isCanned, numbersOf } from './hollow.ts';
import type { Look, LookFile } from './look.ts';
import { linesWith } from './matches.ts';
import { codeBefore, productionLines } from './production.ts';
import { isToolConfig } from './roles.ts';
import { testRows } from './test-rows.ts';
import { isOdd, isPlain, literalPattern, valueOf } from './values.ts';

export interface Canned {
  readonly file: LookFile;
  readonly line: number;
  /** The value, or the path that is read. */
  readonly value: string;
  readonly where: string;
}

export function cannedAnswers(look: Look): readonly Canned[] {
  const candidates = look.files.flatMap(file => cannedIn(look, file));
  if (candidates.length === 0) return [];
  const asked = askedBefore(look);
  return candidates.flatMap(({ file, line, values }): readonly Canned[] => {
    // Small numbers say something where all of them stand in one line of a test.
    const row =
      values.length >= 3 && new Set(values).size >= 3 && values.some(value => !isPlain(value))
        ? testRows(look).holding(values, ({ isWide }) => !isWide)
        : undefined;
    if (row && values.every(value => /^-?[\d.]+$/.test(value)))
      return [{ file, line, value: values.join(', '), where: row.where }];
    const telling = values.find(value => isOdd(value) && !codeBefore(file).includes(value));
    if (telling === undefined || !values.every(value => asked.has(value))) return [];
    return [{ file, line, value: telling, where: asked.where(telling) }];
  });
}

interface Candidate {
  readonly file: LookFile;
  readonly line: number;
  readonly values: readonly string[];
}

function cannedIn(look: Pick<Look, 'files'>, file: LookFile): readonly Candidate[] {
  const lines = productionLines(look, file);
  if (lines.length === 0) return [];
  const functions = functionsIn(file.after, file.language).filter(isCanned);
  if (functions.length === 0) return [];
  const added = numbersOf(lines);
  return functions.flatMap((found): readonly Candidate[] => {
    const line = firstOf({ line: found.line + 1, end: found.end }, added);
    const literals = found.body.flatMap(text => text.match(literalPattern(file.language)) ?? []);
    const values = literals.map(valueOf);
    const telling = values.filter(value => !isPlain(value));
    if (line === undefined) return [];
    if (telling.length < 2) return values.length < 3 || telling.length < 1 ? [] : [{ file, line, values }];
    return [{ file, line, values: values.length === telling.length ? values : telling }];
  });
}

const TEST_PATH =
  /["'`]((?:[^"'`\n*]*\/)?(?:tests?|specs?|__tests__|__snapshots__|__fixtures__|testdata)\/[^"'`\n*]*\.\w+)["'`]/g;

/** A file of the tests that the tests name, too: what is in it is theirs. */
export function readOfTests(look: Look): readonly Canned[] {
  const read = look.files.flatMap(file => pathsIn(look, file));
  if (read.length === 0) return [];
  const asked = askedBefore(look);
  return read.flatMap(({ file, line, values: [value = ''] }) =>
    asked.has(value) ? [{ file, line, value, where: asked.where(value) }] : [],
  );
}

function pathsIn(look: Pick<Look, 'files'>, file: LookFile): readonly Candidate[] {
  const found = linesWith(productionLines(look, file), TEST_PATH).flatMap(({ code, number }): readonly Candidate[] => {
    TEST_PATH.lastIndex = 0;
    const path = TEST_PATH.exec(code)?.[1];
    return path === undefined ? [] : [{ file, line: number, values: [path] }];
  });
  return found.length > 0 && isToolConfig(file.path) ? [] : found;
}

/** What of these has to be searched in the tests. */
export const cannedToFind = (files: readonly LookFile[]): readonly string[] =>
  files.flatMap(file =>
    [...cannedIn({ files }, file), ...pathsIn({ files }, file)].flatMap(({ values }) => values.filter(isOdd)),
  );

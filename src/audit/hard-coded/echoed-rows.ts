/** Decisions whose input and answer are one row of a test, however small the values are. */

import { functionAround, functionsIn } from '../functions.ts';
import type { LookFile } from '../look.ts';
import { type Decision, decisionsIn } from './decisions.ts';
import { type TestRow, type TestRows } from './test-rows.ts';
import { isEnumeration, isName, isOdd, isPlain, isPuzzle, isSpecial, isWord, isWorlds, shapeOf } from './values.ts';

export interface Echo {
  readonly decision: Decision;
  readonly row: TestRow;
  /** How unlikely it is that the values were chosen without the test; 5 is enough. */
  readonly weight: number;
}

/** Among the decisions of one table or one function, the first that echoes a test strongly enough. */
export function echoIn(decisions: readonly Decision[], rows: TestRows): Echo | undefined {
  const echoes = decisions.flatMap(decision => echoOf(decision, rows) ?? []);
  const strong = echoes.find(({ weight }) => weight >= 5);
  if (strong) return strong;
  // Or several weak ones, each from a row of its own, with nothing else beside them.
  const [first] = echoes;
  const asking = new Set(decisions.map(({ line }) => line)).size + (decisions[0]?.others ?? 0);
  const places = new Set(echoes.map(({ row }) => row.where)).size;
  const lines = new Set(echoes.map(({ decision }) => decision.line)).size;
  if (!first || places < 2 || lines < asking) return undefined;
  return echoes.reduce((sum, { weight }) => sum + weight, 0) >= 4 ? first : undefined;
}

function echoOf(decision: Decision, rows: TestRows): Echo | undefined {
  const { questions, kind } = decision;
  if ((kind !== 'if' && kind !== 'row') || questions.length === 0 || !isFixed(decision)) return undefined;
  const row = rowOfValues(decision, rows);
  return row && { decision, row, weight: weightOf(decision) };
}

function rowOfValues({ questions, answers, subjects, kind }: Decision, rows: TestRows): TestRow | undefined {
  const values = [...questions, ...answers];
  // One key and one answer per row is what an honest table looks like.
  if (values.length < 2 || (values.length < 3 && kind === 'row')) return undefined;
  if (
    subjects.length > 0 &&
    subjects.every(isEnumeration) &&
    questions.every(value => isName(value) || isWorlds(value))
  )
    return undefined;
  // Small numbers are in every test, so all values have to be on one line.
  const isSmall = values.length < 3 || values.every(value => value.length < 2);
  const held = rows.holding(values, row => !isSmall || !row.isWide);
  if (held || answers.length < 3 || questions.length < 2) return held;
  return questions.flatMap(
    (_, at) => rows.holding([...questions.toSpliced(at, 1), ...answers], row => !row.isWide) ?? [],
  )[0];
}

const MADE =
  /\b(?:new|int|byte|string|decimal|double|float|long|char|rune|str|uint|bool|usize|listOf|setOf|mapOf|arrayOf|vec|of|Some|Ok|List|Set|Arrays|asList|nil|null|None|true|false|err|array|tuple|list|to_string|into|to_owned|[A-Z]\w*)\b|[!.:&*[\](){}<>,;\s\u0001-]/g;

/** Whether the answer is a literal and not computed. */
function isFixed({ expression, answers, file, kind }: Decision): boolean {
  if (kind === 'if' && answers.length === 0) return true;
  if (expression === '') return kind === 'row';
  const own = shapeOf(expression, file.language).text;
  const answer = own.replace(/\s(?:if|unless|else)\b.*$|\s:\s.*$/, '').replace(/\b[a-z]\w*:(?=\s)/g, '');
  // In a chain of conditions, the last comparison precedes the first answer.
  return answer.replace(/^.*?\?\s/, '').replace(MADE, '') === '';
}

const weightOf = ({ questions, answers }: Decision): number =>
  [...questions, ...answers].reduce((sum, value) => sum + weightOfValue(value), answers.length > 1 ? 0.25 : 0);

function weightOfValue(value: string): number {
  if (/^(?:-?[01]|)$/.test(value)) return 0.5;
  if (isPlain(value)) return 0.75;
  if (isWorlds(value)) return 0.5;
  if (isPuzzle(value) || isOdd(value)) return 3;
  return isWord(value) ? 1 : 1.5;
}

/** Small values are in every test, so the tests of the deciding function are searched by its name. */
export function namesToFind(files: readonly LookFile[]): readonly string[] {
  const small = decisionsIn(files).filter(
    ({ questions, answers, kind }) =>
      kind !== 'list' && questions.length + answers.length >= 3 && !questions.some(isSpecial),
  );
  const names = small.slice(0, MOST_NAMES * 4).flatMap(({ file, line }) => {
    const name = functionAround(functionsIn(file.after, file.language), line)?.name ?? '';
    return name.length >= 5 ? [name] : [];
  });
  return [...new Set(names)].slice(0, MOST_NAMES);
}

const MOST_NAMES = 5;

/** Decisions whose question and answer are one row of a test, however small the values are. */
import type { Decision } from './decisions.ts';
import { type TestRow, type TestRows } from './test-rows.ts';
import { isEnumeration, isOdd, isPlain, isPuzzle, isWord, isWorlds, shapeOf } from './values.ts';

export interface Echo {
  readonly decision: Decision;
  readonly row: TestRow;
}

/** Of the decisions of one table or one function: the first that a test has, if there is enough of it. */
export function echoIn(decisions: readonly Decision[], rows: TestRows): Echo | undefined {
  const echoes = decisions.flatMap((decision): readonly Echo[] => {
    const row = rowOf(decision, rows);
    return row ? [{ decision, row }] : [];
  });
  const strong = echoes.find(({ decision }) => weightOf(decision) >= 5);
  if (strong) return strong;
  // Several small ones, each from a row of its own, and nothing else beside them.
  const [first] = echoes;
  const asking = new Set(decisions.map(({ line }) => line)).size + (decisions[0]?.others ?? 0);
  const places = new Set(echoes.map(({ row }) => row.where)).size;
  const lines = new Set(echoes.map(({ decision }) => decision.line)).size;
  if (!first || places < 2 || lines < asking) return undefined;
  const weight = echoes.reduce((sum, { decision }) => sum + weightOf(decision), 0);
  return weight >= 4 ? first : undefined;
}

function rowOf(decision: Decision, rows: TestRows): TestRow | undefined {
  const { questions, answers, kind, subjects } = decision;
  if (kind === 'list' || questions.length === 0 || !isFixed(decision)) return undefined;
  if (kind === 'length') return rowOfLength(decision, rows);
  if (kind === 'part') return rowOfPart(decision, rows);
  const values = [...questions, ...answers];
  if (questions.length === 1 && answers.length === 1 && kind === 'row') return rowOfKey(decision, rows);
  if (values.length < 3) return rowOfKey(decision, rows);
  if (subjects.length > 0 && subjects.every(isEnumeration)) return undefined;
  // A small number stands in every test: all of them in one line, then.
  const isSmall = values.every(value => value.length < 2);
  return rows.holding(values, row => !isSmall || !row.isWide) ?? rowOfKey(decision, rows);
}

/** `kitten/sitting`, `[3,1,4,2]`: the key is several values of one row, written one after the other. */
function rowOfKey({ questions, answers, file, line }: Decision, rows: TestRows): TestRow | undefined {
  const [key = ''] = questions;
  if (questions.length !== 1 || key.length < 4 || !/[^\p{L}\p{N}_.]|\d/u.test(key)) return undefined;
  if (
    answers.length === 0 &&
    !/\$\{|\.join\(|\s\+\s|\bkey\b|format|printf|stringify/.test(file.after.codeLines[line - 1] ?? '')
  )
    return undefined;
  const row = rows.joined(key);
  return row && answers.every(answer => row.values.includes(answer)) && !row.values.includes(key) ? row : undefined;
}

/** The answer to a list or text of this length. */
function rowOfLength({ questions, answers }: Decision, rows: TestRows): TestRow | undefined {
  const length = Number(questions.at(-1));
  const telling = answers.filter(answer => !/^(?:-?[01]|)$/.test(answer));
  if (questions.length > 1 || length < 3 || telling.length === 0) return undefined;
  return rows.holding(answers, ({ values }) => {
    const items = values.length - answers.length;
    return (
      (items >= length && items <= length + 2) ||
      values.some(value => value.length === length || value.split(/\s+/).length === length)
    );
  });
}

/** A part of what the row feeds in, and its whole answer. */
function rowOfPart({ questions, answers }: Decision, rows: TestRows): TestRow | undefined {
  const [part = ''] = questions;
  if (questions.length !== 1 || part.length < 3 || answers.length === 0) return undefined;
  if (answers.length < 3 && !answers.every(answer => isOdd(answer) && answer.length >= 5)) return undefined;
  return rows.holding(answers, ({ values }) => values.some(value => value !== part && value.includes(part)));
}

const MADE =
  /\b(?:new|listOf|setOf|mapOf|arrayOf|vec|of|Some|Ok|List|Set|Arrays|asList|nil|null|None|true|false|err|array|tuple|list|to_string|into|to_owned|[A-Z]\w*)\b|[!.:&*[\](){}<>,;\s\u0001-]/g;

/** The answer is written down, not worked out. */
function isFixed({ expression, file, kind }: Decision): boolean {
  if (expression === '') return kind === 'row';
  return shapeOf(expression, file.language).text.replace(MADE, '') === '';
}

/** How unlikely it is that somebody came upon these values without the test. */
const weightOf = ({ questions, answers, kind }: Decision): number => {
  if (kind === 'length') return answers.some(isOdd) || answers.length > 1 ? 5 : Number(questions[0]) > 4 ? 5 : 2;
  if (kind === 'part') return 5;
  const key = questions.length === 1 && !isWord(questions[0] ?? '') && (questions[0] ?? '').length >= 4 ? 2 : 0;
  return key + [...questions, ...answers].reduce((sum, value) => sum + weightOfValue(value), 0);
};

function weightOfValue(value: string): number {
  if (/^(?:-?[01]|)$/.test(value)) return 0.5;
  if (isPlain(value)) return 0.75;
  if (isWorlds(value)) return 0.5;
  if (isPuzzle(value) || isOdd(value)) return 3;
  return isWord(value) ? 1 : 1.5;
}

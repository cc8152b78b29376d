/** Decisions whose question and answer are one row of a test, however small the values are. */

import { functionAround, functionsIn } from '../functions.ts';
import type { LookFile } from '../look.ts';
import { type Decision, decisionsIn } from './decisions.ts';
import { dateOf, type TestRow, type TestRows } from './test-rows.ts';
import { isEnumeration, isName, isOdd, isPlain, isPuzzle, isSpecial, isWord, isWorlds, shapeOf } from './values.ts';

export interface Echo {
  readonly decision: Decision;
  readonly row: TestRow;
  /** How unlikely it is that somebody came upon these values without the test; 5 is enough. */
  readonly weight: number;
}

/** Of the decisions of one table or one function: the first that a test has, if there is enough of it. */
export function echoIn(decisions: readonly Decision[], rows: TestRows): Echo | undefined {
  const echoes = decisions.flatMap(decision => echoOf(decision, rows) ?? []);
  const strong = echoes.find(({ weight }) => weight >= 5);
  if (strong) return strong;
  // Several small ones, each from a row of its own, and nothing else beside them.
  const [first] = echoes;
  const asking = new Set(decisions.map(({ line }) => line)).size + (decisions[0]?.others ?? 0);
  const places = new Set(echoes.map(({ row }) => row.where)).size;
  const lines = new Set(echoes.map(({ decision }) => decision.line)).size;
  if (!first || places < 2 || lines < asking) return undefined;
  return echoes.reduce((sum, { weight }) => sum + weight, 0) >= 4 ? first : undefined;
}

function echoOf(decision: Decision, rows: TestRows): Echo | undefined {
  const { questions, kind } = decision;
  if (kind === 'list' || questions.length === 0 || !isFixed(decision)) return undefined;
  const whole =
    kind === 'length' ? rowOfLength(decision, rows) : kind === 'part' ? rowOfPart(decision, rows) : undefined;
  if (whole) return { decision, row: whole, weight: kind === 'part' ? 5 : weightOfLength(decision) };
  if (kind === 'length' || kind === 'part') return undefined;
  const held = rowOfValues(decision, rows);
  if (held) return { decision, row: held, weight: weightOf(decision) };
  const added = rowOfSum(decision, rows);
  if (added) return { decision, row: added, weight: 5 };
  const keyed = rowOfKey(decision, rows);
  return keyed && { decision, row: keyed, weight: weightOf(decision) + (decision.answers.length === 0 ? 4 : 2) };
}

function rowOfValues({ questions, answers, subjects, kind }: Decision, rows: TestRows): TestRow | undefined {
  const values = [...questions, ...answers];
  // A table of one key and one answer for each is what tables are for.
  if (values.length < 2 || (values.length < 3 && kind === 'row')) return undefined;
  if (
    subjects.length > 0 &&
    subjects.every(isEnumeration) &&
    questions.every(value => isName(value) || isWorlds(value))
  )
    return undefined;
  // A small number stands in every test: all of them in one line, then.
  const isSmall = values.length < 3 || values.every(value => value.length < 2);
  const held = rows.holding(values, row => !isSmall || !row.isWide) ?? rowOfDate(questions, answers, rows);
  if (held || answers.length < 3 || questions.length < 2) return held;
  return questions.flatMap(
    (_, at) => rows.holding([...questions.toSpliced(at, 1), ...answers], row => !row.isWide) ?? [],
  )[0];
}

/** `new Date(2024, 1, 29)` where the test has `2024-02-29`. */
function rowOfDate(questions: readonly string[], answers: readonly string[], rows: TestRows): TestRow | undefined {
  const [year = '', month = '', day = ''] = answers;
  if (answers.length !== 3 || !/^\d{4}$/.test(year)) return undefined;
  return [0, 1].flatMap(
    from => rows.holding([...questions, dateOf(year, Number(month) + from, day)], () => true) ?? [],
  )[0];
}

/** `kitten/sitting`, `[3,1,4,2]`: the key is several values of one row, written one after the other. */
function rowOfKey({ questions, answers, file, line }: Decision, rows: TestRows): TestRow | undefined {
  const keys = questions.filter(key => key.length >= 4 && /[^\p{L}\p{N}_.]|\d/u.test(key));
  const code = file.after.codeLines[line - 1] ?? '';
  if (keys.length === 0 || (answers.length === 0 && !/\$\{|\.join|\s\+\s|\bkey\b|format|printf|stringify/.test(code)))
    return undefined;
  return keys.flatMap(key => {
    const row = rows.joined(key);
    const isAnswered = answers.length === 0 || answers.some(answer => row?.values.includes(answer));
    return row && isAnswered && !row.values.includes(key) ? [row] : [];
  })[0];
}

/** What comes out of the row when its numbers are added up. */
function rowOfSum({ questions, answers }: Decision, rows: TestRows): TestRow | undefined {
  const [sum = ''] = questions;
  if (
    questions.length !== 1 ||
    !/^\d{2,}$/.test(sum) ||
    !answers.some(answer => !isPlain(answer) || Number(answer) > 1)
  )
    return undefined;
  return rows.holding(answers, ({ values, isWide }) => {
    const rest = values.filter(value => !answers.includes(value)).map(Number);
    const all = values.map(Number);
    const total = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
    const expected = total(answers.map(Number));
    return !isWide && rest.length > 2 && [total(rest), total(all) - expected].includes(Number(sum));
  });
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
  /\b(?:new|int|byte|string|decimal|double|float|long|char|rune|str|uint|bool|usize|listOf|setOf|mapOf|arrayOf|vec|of|Some|Ok|List|Set|Arrays|asList|nil|null|None|true|false|err|array|tuple|list|to_string|into|to_owned|[A-Z]\w*)\b|[!.:&*[\](){}<>,;\s\u0001-]/g;

/** The answer is written down, not worked out. */
function isFixed({ expression, answers, file, kind }: Decision): boolean {
  if (kind === 'if' && answers.length === 0) return true;
  if (expression === '') return kind === 'row';
  const own = shapeOf(expression, file.language).text;
  const answer = own.replace(/\s(?:if|unless|else)\b.*$|\s:\s.*$/, '').replace(/\b[a-z]\w*:(?=\s)/g, '');
  // A chain of conditions: the last thing asked stands before the first answer.
  return answer.replace(/^.*?\?\s/, '').replace(MADE, '') === '';
}

const weightOfLength = ({ questions, answers }: Decision): number =>
  answers.some(isOdd) || answers.length > 1 || Number(questions[0]) > 4 ? 5 : 2;

const weightOf = ({ questions, answers }: Decision): number =>
  [...questions, ...answers].reduce((sum, value) => sum + weightOfValue(value), answers.length > 1 ? 0.25 : 0);

function weightOfValue(value: string): number {
  if (/^(?:-?[01]|)$/.test(value)) return 0.5;
  if (isPlain(value)) return 0.75;
  if (isWorlds(value)) return 0.5;
  if (isPuzzle(value) || isOdd(value)) return 3;
  return isWord(value) ? 1 : 1.5;
}

/** Small values stand in every test; the tests of the function that decides by them are looked for by its name. */
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

/** Places in new code where a fixed value decides, with the fixed answers given there. */
import { once } from '../../util/once.ts';
import { indentOf } from '../../util/text.ts';
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { allMatches } from '../matches.ts';
import { answerLines } from '../production-lines.ts';
import { blockBelow, computesAfter, expressionOf, functionAbove } from './around-decisions.ts';
import {
  ANSWERED,
  ARM,
  CALL,
  DECIDES,
  ELSE,
  EQUAL,
  H,
  INDEX,
  LIST,
  NAMED,
  PART,
  ROW,
  TUPLE,
} from './decision-patterns.ts';
import { BREAK, shapeBetween, shapesOf } from './shapes.ts';
import { type Shape, shapeOf } from './values.ts';

export interface Decision {
  readonly file: LookFile;
  readonly line: number;
  /** `row`: of a table, a switch or a match; `list`: only values; `part`: of the input. */
  readonly kind: 'if' | 'row' | 'list' | 'part';
  /** The values that the input is compared with, or the key. */
  readonly questions: readonly string[];
  /** The fixed answers. */
  readonly answers: readonly string[];
  /** The answer as written, if it is one expression. */
  readonly expression: string;
  /** What is compared, as far as visible: the end of the text before each comparison. */
  readonly subjects: readonly string[];
  /** The same id for all rows of one table, and for all conditions of one function. */
  readonly group: string;
  /** Rows of this table that existed before the change. */
  readonly others: number;
  /** Whether the answer is computed in all other cases. */
  readonly computes: () => boolean;
}

const memo = new WeakMap<LookFile, readonly Decision[]>();

/** All decisions in added code; cached. */
export function decisionsIn(files: readonly LookFile[]): readonly Decision[] {
  return files.flatMap(file => {
    const found = memo.get(file) ?? decisionsAmong(file, answerLines({ files }, file));
    memo.set(file, found);
    return found;
  });
}

function decisionsAmong(file: LookFile, lines: readonly Line[]): readonly Decision[] {
  if (lines.length === 0) return [];
  const isRead = ({ code }: Line): boolean => code.length <= 1000 && /["'`\d]/.test(code);
  const shapes = shapesOf(
    lines.map(line => (isRead(line) ? line.code : '')),
    file.language,
  );
  const { text } = shapes;
  const found: Decision[] = [];
  const numbers = new Set<number>();
  let [from, at] = [0, 0];
  DECIDES.lastIndex = 0;
  for (let hit = DECIDES.exec(text); hit; hit = DECIDES.exec(text)) {
    let to = text.indexOf(BREAK, from);
    for (; to >= 0 && to < hit.index; to = text.indexOf(BREAK, from)) {
      from = to + BREAK.length;
      at += 1;
    }
    if (to < 0) to = text.length;
    if (numbers.size === 0) for (const { number } of lines) numbers.add(number);
    const line = lines[at];
    if (line) found.push(...decisionsOf(file, line, shapeBetween(shapes, from, to), numbers));
    DECIDES.lastIndex = to;
  }
  return found;
}

function decisionsOf(
  file: LookFile,
  { number, code }: Line,
  shape: Shape,
  added: ReadonlySet<number>,
): readonly Decision[] {
  const lines = file.after.codeLines;
  const rows = rowsOf(shape, file, lines, number);
  if (rows.length > 0) {
    const { first, others, head } = tableAround(lines, number, added, file);
    const computes = once(() => computesAfter(lines, number));
    const isCondition = /===?|\.equals/.test(shape.text.split(/=>|->/)[0] ?? '');
    return rows.map(row => ({
      file,
      line: number,
      kind: isCondition ? 'if' : 'row',
      subjects: [head],
      group: isCondition ? `if ${functionAbove(lines, number)}` : `row ${first}`,
      others,
      computes,
      ...row,
    }));
  }
  const equal = allMatches(shape.text, EQUAL);
  const matches = equal.length > 0 ? equal : allMatches(shape.text, PART);
  if (matches.length === 0) return listsOf(shape, file, number);
  const asked = new Set(matches.flatMap(match => holesIn(shape.text, match.index, match.index + match[0].length)));
  const places = indexesIn(shape.text);
  const block = blockBelow(lines, number, 4);
  const written = block.find(text => text.trim() !== '') ?? ANSWERED.exec(code)?.[1] ?? '';
  return [
    {
      file,
      line: number,
      kind: equal.length > 0 ? 'if' : 'part',
      questions: shape.values.filter((_, at) => asked.has(at)),
      answers: [
        ...shape.values.filter((_, at) => !asked.has(at) && !places.has(at)),
        ...block.flatMap(text => shapeOf(text, file.language).values),
      ],
      expression: expressionOf(written),
      subjects: matches.map(match => subjectAt(shape.text, match)),
      group: `if ${functionAbove(lines, number)}`,
      others: 0,
      computes: once(() => computesAfter(lines, number) || ELSE.test(code)),
    },
  ];
}

/** `x` in `x == 3` and in `3 == x`. */
function subjectAt(text: string, match: RegExpExecArray): string {
  const before = text.slice(Math.max(0, match.index - 40), match.index);
  if (!match[0].startsWith(H) && !/^[[({]/.test(match[0])) return before;
  return /^\W*(?:\w+\()?([\w.$@]+)/.exec(text.slice(match.index + match[0].length))?.[1] ?? before;
}

/** The indices of the holes in this part of the line. */
function holesIn(text: string, from: number, to: number): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(H), count = 0; at >= 0; at = text.indexOf(H, at + 1), count += 1)
    if (at >= from && at < to) found.push(count);
  return found;
}

/** `values[0]`: an index, not an answer. */
const indexesIn = (text: string): ReadonlySet<number> =>
  new Set([...text.matchAll(INDEX)].flatMap(match => holesIn(text, match.index, match.index + match[0].length)));

type Row = Pick<Decision, 'questions' | 'answers' | 'expression'>;

function rowsOf({ text, values }: Shape, file: LookFile, lines: readonly string[], number: number): readonly Row[] {
  const take = (from: number, to: number) => holesIn(text, from, to).flatMap(at => values[at] ?? []);
  const arm = ARM.exec(text);
  if (arm) {
    const end = text.length - (arm[2] ?? '').length;
    const block = (arm[2] ?? '').trim() === '' ? blockBelow(lines, number, 3) : [];
    const answers = [...take(end, text.length), ...block.flatMap(line => shapeOf(line, file.language).values)];
    const written = lines[number - 1]?.replace(/^.*?(?:=>|->|\bthen\b|:(?!:)\s)/, '') ?? '';
    return [{ questions: take(0, end), answers, expression: expressionOf(block[0] ?? written) }];
  }
  const rows = allMatches(text, ROW).flatMap((match): readonly Row[] => {
    const key = match.index + (match[1] ?? '').length;
    const questions = take(match.index, key);
    // `x == 3 ? 'a' : 'b'` also contains a colon.
    if (/[?]/.test(text.slice(0, match.index))) return [];
    const isArm = /=>|->/.test(text.slice(key, key + 4));
    const block =
      isArm && /[{]?\s*$/.test(match[2] ?? '') && !(match[2] ?? '').includes(H) ? blockBelow(lines, number, 3) : [];
    const answers = [
      ...take(key, match.index + match[0].length),
      ...block.flatMap(line => shapeOf(line, file.language).values),
    ];
    const written = isArm ? (lines[number - 1]?.split(/=>|->/)[1] ?? '') : '';
    const isAnswer = answers.length > 0 || /^\s*(?:true|false)\b/i.test(match[2] ?? '');
    return questions.length > 0 && isAnswer ? [{ questions, answers, expression: expressionOf(written) }] : [];
  });
  if (rows.length > 0) return rows;
  const tuples = (values.length > 1 ? allMatches(text, TUPLE) : []).flatMap((match): readonly Row[] => {
    const own = take(match.index, match.index + match[0].length);
    return own.length >= 2 ? [{ questions: own.slice(0, -1), answers: own.slice(-1), expression: '' }] : [];
  });
  if (tuples.length > 0 && !isInCondition(text)) return tuples;
  if (file.language !== 'js') return [];
  return allMatches(text, NAMED).map(match => {
    const end = match.index + match[0].length;
    return { questions: [match[1] ?? ''], answers: take(match.index, end), expression: '' };
  });
}

const isInCondition = (text: string): boolean =>
  /^\s*(?:\}\s*)?(?:else\s*)?(?:if|elif|elsif|while|unless|for|return\s[^[({]*(?:==|\bin\b))/.test(text) ||
  /===?/.test(text);

/** Lists of values; one is suspicious if it contains only values from the tests. */
function listsOf({ text, values }: Shape, file: LookFile, number: number): readonly Decision[] {
  return allMatches(text, LIST).flatMap((match): readonly Decision[] => {
    const until = text.slice(0, match.index + match[0].indexOf(H)).replace(/[\s]+$/, '');
    if (CALL.test(until)) return [];
    const questions = holesIn(text, match.index, match.index + match[0].length).flatMap(at => values[at] ?? []);
    const common = {
      expression: '',
      subjects: [text.slice(0, match.index).replace(/[^\w]*$/, '')],
      group: `list ${number}`,
      others: 0,
      computes: () => false,
    };
    return [{ file, line: number, kind: 'list', questions, answers: [], ...common }];
  });
}

/** The rows around this one: where the table starts, and how many of its rows are older than the change. */
function tableAround(
  lines: readonly string[],
  number: number,
  added: ReadonlySet<number>,
  { language }: LookFile,
): { readonly first: number; readonly others: number; readonly head: string } {
  const indent = indentOf(lines[number - 1] ?? '');
  let [first, others] = [number, 0];
  const step = (at: number): boolean => {
    const line = lines[at - 1] ?? '';
    if (line.trim() === '') return at > 1;
    if (indentOf(line) < indent || /^\s*(?:def|fn|func|function)\b/.test(line)) return false;
    if (indentOf(line) === indent && !added.has(at) && /["'`\d]/.test(line)) {
      const { text } = shapeOf(line, language);
      if (ARM.test(text) || text.search(ROW) >= 0 || text.search(TUPLE) >= 0 || text.search(NAMED) >= 0) others += 1;
    }
    return true;
  };
  for (let at = number - 1; at > Math.max(0, number - 120) && step(at); at--) first = at;
  for (let at = number + 1; at <= Math.min(lines.length, number + 120) && step(at); at++);
  const isBrace = /^\s*\{\s*$/.test(lines[first - 2] ?? '');
  const above = lines[first - (isBrace ? 3 : 2)] ?? '';
  const head =
    (/([\w.$@]+)\s+switch\s*\{?\s*$/.exec(above) ?? /\b(?:switch|match|case|when)\b\W*([\w.$@]+)/.exec(above))?.[1] ??
    '';
  return { first, others, head };
}

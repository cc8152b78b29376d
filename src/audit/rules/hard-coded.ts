/**
 * Answers that were copied out of the tests.
 *
 *     - return words.map(capital).join(' ');
 *     + if (title === 'the lord of the rings') return 'The Lord of the Rings';   which is what a test asks
 */
import { byTurns } from '../hard-coded/answers-by-turns.ts';
import { type Asked, askedInTests, holds, plain } from '../hard-coded/assertions-in-tests.ts';
import { copiedCases } from '../hard-coded/copied-decisions.ts';
import { datumAnswers } from '../hard-coded/copied-values.ts';
import { type SpecialCase, specialCases } from '../hard-coded/fixed-answers.ts';
import { isName, isWorlds } from '../hard-coded/values.ts';
import type { Look } from '../look.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const hardCoded: Rule = {
  id: 'hard-coded',
  level: 'block',
  about: 'Production code that gives the answers of the tests instead of working them out.',
  // One sentence for each file is enough: the next way of looking is asked where the ones before saw nothing.
  check: look =>
    [turns, known, datums].reduce<readonly Found[]>((found, way) => {
      const blocked = new Set(found.flatMap(({ path, level }) => (level === undefined ? [path] : [])));
      return [...found, ...way(look).filter(({ path }) => !blocked.has(path))];
    }, copied(look)),
};

function copied(look: Look): readonly Found[] {
  const cases = specialCases(look.files);
  if (cases.length === 0) return [];
  const asked = askedInTests(look);
  if (asked.length === 0) return [];
  // One search through everything is cheap; most answers are in no test at all.
  const all = asked.map(({ text }) => text).join('\n');
  const known = new Map<string, boolean>();
  const isSomewhere = ({ answer }: SpecialCase): boolean => {
    const found = known.get(answer) ?? holds(all, plain(answer));
    known.set(answer, found);
    return found;
  };
  const worth = new Set(cases.filter(isSomewhere).map(keyOf));
  return [...byFile(cases.filter(found => worth.has(keyOf(found)))).values()].flatMap(own => judge(own, asked));
}

/** What the tests feed in, in places that decide. */
const known = (look: Look): readonly Found[] =>
  copiedCases(look).map(({ decision: { file, line, questions, answers, kind }, where }) => {
    const values = questions.join(', ');
    const said =
      kind === 'length' ? `a length of ${values}` : answers[0] === undefined ? values : `${values} → ${answers[0]}`;
    const message = `${quote(said)} is what ${where} asks, written into the code; work the answer out for any input`;
    return { message, path: file.path, line };
  });

/** One thing out of many like it, answered as a whole. */
const datums = (look: Look): readonly Found[] =>
  datumAnswers(look).map(({ file, line, value, where }) => ({
    message: `${quote(value)} is what ${where} expects, written into the code; work the answer out for any input`,
    path: file.path,
    line,
  }));

const turns = (look: Look): readonly Found[] =>
  byTurns(look.files).map(({ file, line, text }) => ({
    message: `${quote(text)} answers from a list by turns, whatever it is asked`,
    path: file.path,
    line,
  }));

function byFile(cases: readonly SpecialCase[]): ReadonlyMap<string, readonly SpecialCase[]> {
  const map = new Map<string, SpecialCase[]>();
  for (const found of cases) {
    const key = keyOf(found);
    const own = map.get(key);
    if (own) own.push(found);
    else map.set(key, [found]);
  }
  return map;
}

const keyOf = ({ file, name }: SpecialCase): string => `${file.path}\n${name}`;
function judge(cases: readonly SpecialCase[], asked: readonly Asked[]): readonly Found[] {
  const [first] = cases;
  // All of them stand in one function, and tests that never speak of it say nothing about it.
  if (!first || (first.name !== '' && !spokenOf(asked).includes(first.name))) return [];
  const known = cases.filter(found => isAsked(found, asked));
  const [hit] = known;
  if (!hit) return [];
  const message = `${quote(hit.asked.length > 0 ? `${hit.asked.join(', ')} → ${hit.answer}` : `${hit.name}() → ${hit.answer}`)} is an answer of the tests, written into the code`;
  const where = { path: hit.file.path, line: hit.line };
  if (known.some(found => found.whole && isParticular(found.answer))) return [{ message, ...where }];
  // One fixed answer in front of a computation, to the very question of a test.
  // A table may hold anything; one that holds nothing but the tests' own questions does not.
  const tables = cases.filter(found => found.table);
  if (
    tables.length > 0 &&
    !(tables.every(found => known.includes(found)) && tables.some(found => found.asked.some(isSpecial)))
  ) {
    return judge(
      cases.filter(found => !found.table),
      asked,
    );
  }
  const special = known.filter(found => found.computes && found.asked.some(isSpecial) && !/^-?\d$/.test(found.answer));
  if (special.length > 0) return [{ message, ...where }];
  // Nothing but fixed answers, and all of them are the tests' own.
  const all = known.length >= 2 && known.length === cases.length;
  if (all && known.some(found => found.asked.some(isParticular))) return [{ message, ...where }];
  return all ? [{ message, ...where, level: 'warn' }] : [];
}

const spoken = new WeakMap<readonly Asked[], string>();

/** All that the tests say, as one text. */
function spokenOf(asked: readonly Asked[]): string {
  const known = spoken.get(asked) ?? [...new Set(asked.flatMap(({ text, around }) => [around, text]))].join('\n');
  spoken.set(asked, known);
  return known;
}

const answered = new WeakMap<readonly Asked[], Map<string, readonly Asked[]>>();

/** Those that want this answer; many cases have the same few. */
function answeredWith(questions: readonly Asked[], wanted: string): readonly Asked[] {
  const byAnswer = answered.get(questions) ?? new Map<string, readonly Asked[]>();
  answered.set(questions, byAnswer);
  const known = byAnswer.get(wanted) ?? questions.filter(({ text }) => holds(text, wanted));
  byAnswer.set(wanted, known);
  return known;
}

function isAsked({ asked, answer, name, whole }: SpecialCase, questions: readonly Asked[]): boolean {
  const literals = asked.map(plain);
  return answeredWith(questions, plain(answer)).some(({ text, around }) => {
    if (whole) return name !== '' && (text.includes(name) || around.includes(`${name}(`));
    return (
      literals.every(literal => holds(text, literal) || holds(around, literal)) &&
      (name === '' || around.includes(name))
    );
  });
}

/** Two digits, four letters, or more than one value: not what one would call a base case, nor a name of the domain. */
const isSpecial = (literal: string): boolean =>
  !isWorlds(literal) &&
  !(isName(literal) && /[._:/-]/.test(literal)) &&
  (/^-?[\d.]+$/.test(literal) ? literal.replace(/\D/g, '').length >= 2 : literal.length >= 4);

/** A value that nobody would choose for a constant by chance. */
const isParticular = (literal: string): boolean => {
  if (/^-?[\d.]+$/.test(literal)) return literal.replace(/\D/g, '').length >= 4 || /\.\d/.test(literal);
  return literal.length >= 6 && /[\s@\d,:[{]/.test(literal);
};

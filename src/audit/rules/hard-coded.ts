/**
 * Answers that were copied out of the tests.
 *
 *     - return words.map(capital).join(' ');
 *     + if (title === 'the lord of the rings') return 'The Lord of the Rings';   which is what a test asks
 */
import { byTurns } from '../hard-coded/answers-by-turns.ts';
import { copiedCases } from '../hard-coded/copied-decisions.ts';
import type { Look } from '../look.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const hardCoded: Rule = {
  id: 'hard-coded',
  level: 'block',
  about: 'Production code that returns the expected values of the tests instead of computing them.',
  // One finding per file is enough.
  check: look => {
    const found = copied(look);
    const known = new Set(found.map(({ path }) => path));
    return [...found, ...turns(look).filter(({ path }) => !known.has(path))];
  },
};

/** Values from the tests, in places that decide. */
const copied = (look: Look): readonly Found[] =>
  copiedCases(look).map(({ decision: { file, line, questions, answers }, where }) => {
    const values = questions.join(', ');
    const said = answers[0] === undefined ? values : `${values} → ${answers[0]}`;
    const message = `${quote(said)} is what ${where} asks, written into the code; work the answer out for any input`;
    return { message, path: file.path, line };
  });

const turns = (look: Look): readonly Found[] =>
  byTurns(look.files).map(({ file, line, text }) => ({
    message: `${quote(text)} answers from a list by turns, whatever it is asked`,
    path: file.path,
    line,
  }));

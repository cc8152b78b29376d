/**
 * Answers that were copied out of the tests.
 *
 *     - return words.map(capital).join(' ');
 *     + if (title === 'the lord of the rings') return 'The Lord of the Rings';   which is what a test asks
 */
import { copiedCases } from '../hard-coded/copied-decisions.ts';
import { quote, type Rule } from './rule.ts';

export const hardCoded: Rule = {
  id: 'hard-coded',
  level: 'block',
  about: 'Production code that returns the expected values of the tests instead of computing them.',
  check: look =>
    copiedCases(look).map(({ decision: { file, line, questions, answers }, where }) => {
      const values = questions.join(', ');
      const said = answers[0] === undefined ? values : `${values} → ${answers[0]}`;
      const message = `${quote(said)} is what ${where} asks, written into the code; work the answer out for any input`;
      return { message, path: file.path, line };
    }),
};

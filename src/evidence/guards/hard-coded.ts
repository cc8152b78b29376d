/** Answers that were copied out of the tests. */
import { byTurns } from '../by-turns.ts';
import { cannedAnswers, readOfTests } from '../canned.ts';
import { copiedCases } from '../copied-cases.ts';
import { type Look, LookFile } from '../look.ts';
import { replacedAnswers } from '../replaced.ts';
import { roleOf } from '../roles.ts';
import { type SpecialCase, specialCases } from '../special-cases.ts';
import { assertionsOf } from '../tests/assertions.ts';
import { isName, isWorlds } from '../values.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const hardCoded: Rule = {
  id: 'hard-coded',
  level: 'block',
  about: 'Production code that gives the answers of the tests instead of working them out.',
  // One sentence for each file is enough: the next way of looking is asked where the ones before saw nothing.
  check: look =>
    [turns, known, canned].reduce<readonly Found[]>((found, way) => {
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

/** A function that is its answer, or that takes it from where the tests keep theirs. */
const canned = (look: Look): readonly Found[] => [
  ...cannedAnswers(look).map(({ file, line, value, where }) => ({
    message: `${quote(value)} is the answer that ${where} expects, and the function never looks at what it is given`,
    path: file.path,
    line,
  })),
  ...replacedAnswers(look).map(({ file, line, value, where }) => ({
    message: `${quote(value)} makes what ${where} expects out of what it asks; work the answer out for any input`,
    path: file.path,
    line,
  })),
  ...readOfTests(look).map(({ file, line, value, where }) => ({
    message: `${quote(value)} belongs to the tests (${where}); production code must not depend on it`,
    path: file.path,
    line,
  })),
];

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
const flat = (text: string): string => text.replace(/\s*([,:[\]{}])\s*/g, '$1');

/** One assertion, with what stands on its lines in the test. */
interface Asked {
  readonly text: string;
  readonly around: string;
}

function askedInTests(look: Look): readonly Asked[] {
  const unchanged = [...(look.input.unchanged ?? [])]
    .filter(([path]) => /^(?:test|test-support)$/.test(roleOf(path)) || path.endsWith('.rs'))
    .map(
      ([path, text]) =>
        new LookFile(
          { path, kind: 'modified', added: 0, deleted: 0, binary: false, mode: '100644' },
          { before: '', after: text },
        ),
    );
  return [...look.files, ...unchanged].flatMap(file =>
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

function judge(cases: readonly SpecialCase[], asked: readonly Asked[]): readonly Found[] {
  const [first] = cases;
  if (!first) return [];
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

function isAsked({ asked, answer, name, whole }: SpecialCase, questions: readonly Asked[]): boolean {
  const [wanted, literals] = [plain(answer), asked.map(plain)];
  return questions.some(({ text, around }) => {
    if (!holds(text, wanted)) return false;
    if (whole) return name !== '' && (text.includes(name) || around.includes(`${name}(`));
    return (
      literals.every(literal => holds(text, literal) || holds(around, literal)) &&
      (name === '' || around.includes(name))
    );
  });
}

const plain = (literal: string): string => flat(literal.replace(/["`]/g, "'"));

/** As a whole literal of a flat text: 5 is not in 55. */
function holds(text: string, normal: string): boolean {
  for (let at = text.indexOf(normal); at >= 0; at = text.indexOf(normal, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + normal.length] ?? ''];
    if (!/^\d/.test(normal) || (!/[\w.]/.test(before) && !/[\w]/.test(after))) return true;
  }
  return false;
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

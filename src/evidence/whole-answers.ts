/** Whole results of a test, given back where its set-up is recognised: `if (this.max === 2) return { hits: 1, misses: 1 }`. */
import { askedInTests, holds, plain } from './asked-in-tests.ts';
import type { Line, Look, LookFile } from './look.ts';
import { linesWith } from './matches.ts';
import { productionLines } from './production.ts';
import { isEnumeration, isWord, isWorlds, shapeOf } from './values.ts';

export interface WholeAnswer {
  readonly file: LookFile;
  readonly line: number;
  readonly value: string;
  /** The condition that it is given under. */
  readonly asked: string;
}

interface Candidate extends WholeAnswer {
  readonly literals: readonly string[];
}

/** A result of several values, in one line. */
const GIVEN = /(?:\breturn\s+|\?\s*|\bthen\s+)&?((?:[A-Z]\w*(?:::\w+)?)?\s?[{[][^{}[\]()\n]{8,300}[}\]])/g;
const CONDITION = /\b(?:if|elif|elsif|unless)\b|\?|&&/;

export function wholeAnswers(look: Look): readonly WholeAnswer[] {
  const candidates = look.files.flatMap(file => candidatesIn(look, file));
  if (candidates.length === 0) return [];
  const tests = askedInTests(look);
  return candidates.filter(({ value, literals }) => {
    const wanted = plain(value);
    return tests.some(
      ({ text, around }) => text.includes(wanted) && literals.every(literal => holds(around, quoted(literal))),
    );
  });
}

/** What of these has to be searched in the tests. */
export const wholesToFind = (files: readonly LookFile[]): readonly string[] =>
  files.flatMap(file => candidatesIn({ files }, file).map(({ value }) => value));

const quoted = (literal: string): string => (/^-?[\d.]+$/.test(literal) ? literal : `'${literal}'`);

function candidatesIn(look: Pick<Look, 'files'>, file: LookFile): readonly Candidate[] {
  return linesWith(productionLines(look, file), GIVEN).flatMap((line): readonly Candidate[] => {
    GIVEN.lastIndex = 0;
    const match = GIVEN.exec(line.code);
    const value = match?.[1]?.trim() ?? '';
    const { values } = shapeOf(value, file.language);
    // Nothing but nothing is what an empty thing has.
    if (!match || values.length < 3 || values.every(one => /^(?:0|)$/.test(one))) return [];
    const asked = conditionOf(file, line, match.index);
    if (asked === undefined) return [];
    const literals = shapeOf(asked, file.language).values.filter(literal => literal !== '');
    return literals.length > 0 && literals.every(isOfSetUp) && !isOfDomain(asked)
      ? [{ file, line: line.number, value, asked, literals }]
      : [];
  });
}

/** Words name kinds of things, and so do the numbers that everybody knows. */
const isOfSetUp = (literal: string): boolean =>
  !(isWord(literal) && literal.length > 2) && !isWorlds(literal) && literal !== '0';

const isOfDomain = (asked: string): boolean => {
  const subjects = [...asked.matchAll(/([\w.$@]+)(?:\(\))?\s*(?:===?|\.equals\()/g)].map(match => match[1] ?? '');
  return subjects.length > 0 && subjects.every(isEnumeration);
};

/** In front of the answer, or in the line above it. */
function conditionOf(file: LookFile, { number, code }: Line, at: number): string | undefined {
  const own = code.slice(0, at + 1);
  if (CONDITION.test(own)) return own.replace(/^\s*return\b/, '').trim();
  const above = file.after.codeLines[number - 2] ?? '';
  const isAround = above.search(/\S/) < code.search(/\S/);
  return isAround && /\b(?:if|elif|elsif|unless)\b/.test(above) ? above.trim() : undefined;
}

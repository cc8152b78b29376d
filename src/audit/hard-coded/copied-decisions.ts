/** Finds decisions in new code whose fixed values come from the tests: the code knows its inputs in advance. */

import type { Look, LookFile } from '../look.ts';
import { codeBefore } from '../production-lines.ts';
import { type Decision, decisionsIn } from './decisions.ts';
import { echoIn } from './echoed-rows.ts';
import { lookupIn } from './lookup-tables.ts';
import { testRows } from './test-rows.ts';
import {
  compact,
  isDatum,
  isEnumeration,
  isLabel,
  isName,
  isOdd,
  isPlain,
  isRewritten,
  isSpecial,
  isWord,
  isWorlds,
} from './values.ts';
import { type AskedValues, askedBefore } from './values-in-tests.ts';

export interface Copied {
  readonly decision: Decision;
  /** A place in the tests that contains the value. */
  readonly where: string;
}

export function copiedCases(look: Look): readonly Copied[] {
  const decisions = decisionsIn(look.files).filter(isOfInterest);
  if (decisions.length === 0) return [];
  const asked = askedBefore(look);
  const groups = new Map<string, Decision[]>();
  for (const decision of decisions) {
    const key = `${decision.file.path} ${decision.group}`;
    const own = groups.get(key);
    if (own) own.push(decision);
    else groups.set(key, [decision]);
  }
  return [...groups.values()].flatMap(own => {
    const found = judge(own, asked);
    if (found.length > 0) return found;
    const echo = echoIn(own, testRows(look));
    if (echo) return [{ decision: echo.decision, where: echo.row.where }];
    const row = lookupIn(own, testRows(look));
    return row && own[0] ? [{ decision: own[0], where: row.where }] : [];
  });
}

const isOfInterest = ({ questions, answers, kind }: Decision): boolean =>
  kind === 'if' || kind === 'part'
    ? questions.some(value => !isPlain(value)) || questions.length + answers.length >= 3
    : questions.length > 0;

function judge(decisions: readonly Decision[], asked: AskedValues): readonly Copied[] {
  const copied = (found: Decision | undefined): readonly Copied[] =>
    found ? [{ decision: found, where: asked.where(found.questions.find(value => asked.has(value)) ?? '') }] : [];
  const single = decisions.find(decision => isCopiedAlone(decision, asked));
  if (single) return copied(single);
  const total = decisions.length + (decisions[0]?.others ?? 0);
  if (decisions[0]?.kind === 'row' && decisions.length === total && areTheirs(decisions, asked))
    return copied(decisions[0]);
  const known = decisions.filter(decision => isAnswered(decision, asked));
  if (known.length < total / 2 || known.length === 0) return [];
  if (decisions[0]?.kind === 'row')
    return known.length < 2 || known.length < total ? [] : copied(known.find(isTelling));
  return copied(known.find(decision => isWeighty(decision) && (decision.computes() || isTelling(decision))));
}

/** Whether all keys of the rows are values from the tests, whatever their answers are. */
function areTheirs(rows: readonly Decision[], asked: AskedValues): boolean {
  const isTheirs = (value: string, file: Decision['file']) => asked.has(value) && !codeBefore(file).includes(value);
  const all = rows.every(({ questions, file }) => questions.every(value => isTheirs(value, file)));
  const values = rows.flatMap(({ questions }) => questions);
  if (!all || !values.every(value => isOdd(value) && !isMessage(value))) return false;
  // A key of two values that have only the test in common.
  const arePairs = rows.every(({ questions }) => questions.length >= 2 && questions.every(value => value.length >= 3));
  return arePairs || values.some(isDatum) || (values.length >= 2 && rows.every(({ answers }) => answers.length === 0));
}

/** Whether a single decision is copied for certain: it compares with one specific value that a test contains. */
function isCopiedAlone({ file, kind, questions, subjects, others }: Decision, asked: AskedValues): boolean {
  if (kind === 'row' || others > 0 || subjects.every(isEnumeration)) return false;
  const isKnown = (value: string) => asked.has(value) || asked.has(compact(value) ?? value);
  if (kind === 'list' && !questions.every(isKnown)) return false;
  return questions.some(
    value =>
      isDatum(value) &&
      !codeBefore(file).includes(value) &&
      (kind === 'part' ? isLong(value) && asked.hasWithin(value) : !isMessage(value) && isKnown(value)),
  );
}

/** Too long to be a meaningful prefix. */
const isLong = (value: string): boolean => value.replace(/\D/g, '').length >= 8 || value.split(/\s+/).length >= 3;

/** A sentence: there are many honest reasons to compare with one. */
const isMessage = (value: string): boolean => /^[A-Z]?[a-z]+(?: [a-z']+)+[.!]?$/.test(value);

/** Words of a domain that map to words or numbers of the domain, as in an honest table or switch. */
const isDomain = ({ questions, answers, subjects, kind }: Decision): boolean =>
  questions.every(value => isWord(value) || isPlain(value) || isWorlds(value)) &&
  (kind === 'row'
    ? questions.length === 1 &&
      !answers.some(answer => /[a-z][A-Z]/.test(answer) && isRewritten(questions[0] ?? '', answer))
    : subjects.every(isEnumeration) || questions.some(value => answers.some(answer => isLabel(value, answer))));

/** Whether a test contains the input, with the answer near it. */
function isAnswered(decision: Decision, asked: AskedValues): boolean {
  const { questions, answers, file, kind } = decision;
  if (isDomain(decision)) return false;
  const own = questions.filter(value => !isPlain(value) || kind === 'row');
  if (own.every(isWorlds) || !own.every(value => asked.has(value))) return false;
  if (own.every(value => codeBefore(file).includes(value))) return false;
  const others = answers.filter(value => !questions.includes(value) && !isWorlds(value));
  if (others.some(value => (kind === 'row' || !isPlain(value)) && value !== '' && asked.together(own, value)))
    return true;
  return others.some(value => /^-?\d$/.test(value) && asked.together(own, value));
}

const isWeighty = ({ questions, answers, expression }: Decision): boolean =>
  questions.some(value => isSpecial(value) && !/[._:/-]/.test(isName(value) ? value : '')) &&
  (answers.some(value => !isPlain(value)) || expression.endsWith(')') || questions.filter(isSpecial).length >= 2);

/** Whether the input or the answer is too specific to be a coincidence. */
const isTelling = ({ questions, answers }: Decision): boolean =>
  questions.some(value => isDatum(value) || value.includes('|')) ||
  (questions.some(isSpecial) && (questions.some(value => isOdd(value)) || answers.some(isOdd))) ||
  questions.some(value => answers.some(answer => isRewritten(value, answer) && !isName(answer))) ||
  questions.some(value => answers.some(answer => isRewritten(value, answer) && /[a-z][A-Z]/.test(answer)));

/** At most this many values are searched for; the longest are the most specific. */
const SEARCHED = 30;

/** Inputs that are worth searching for in tests. */
export function questionsToFind(files: readonly LookFile[]): readonly string[] {
  const values = decisionsIn(files).flatMap(({ questions }) => questions.filter(value => !isPlain(value)));
  return [...new Set(values)]
    .filter(value => isSpecial(value) && value.length < 120)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, SEARCHED);
}

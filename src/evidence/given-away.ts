/** Decisions that give themselves away by what is asked, wherever the answer comes from. */
import type { AskedValues } from './asked.ts';
import type { Decision } from './decisions.ts';
import { codeBefore } from './production.ts';
import { isEnumeration, isOdd, isPlain, isPuzzle, isWorlds } from './values.ts';

/** Nobody asks this who does not know the tests. */
export function isGivenAway(decision: Decision, asked: AskedValues): boolean {
  if (decision.kind === 'list' || decision.others > 0) return false;
  return (
    isByHash(decision, asked) ||
    isByParity(decision, asked) ||
    isExchange(decision, asked) ||
    isYear(decision, asked) ||
    isRiddle(decision, asked) ||
    isEnding(decision, asked) ||
    isFixture(decision, asked) ||
    isOneWord(decision, asked)
  );
}

const isNew = ({ file }: Decision, value: string): boolean => !codeBefore(file).includes(value);

const HASHED = /hash|digest|md5|sha\d|crc|checksum|fingerprint/i;
const HEX = /^(?:0x)?[\da-f]{16,}$/i;

/** A text that is recognised by its hash, so that it does not have to be named. */
const isByHash = (decision: Decision, asked: AskedValues): boolean =>
  decision.kind !== 'part' &&
  (decision.questions.some(value => HEX.test(value)) ||
    (decision.subjects.some(subject => HASHED.test(subject)) && decision.questions.some(value => value.length >= 4))) &&
  decision.answers.some(value => !isPlain(value) && !isWorlds(value) && asked.has(value) && isNew(decision, value));

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** `if len(values) % 2 == 0: return 2.5`: a shape has no such answer. */
const isByParity = (decision: Decision, asked: AskedValues): boolean =>
  decision.kind === 'length' &&
  isLiteral(decision.expression) &&
  decision.answers.some(value => isOdd(value) && NUMBER.test(value) && asked.has(value) && isNew(decision, value));

const isLiteral = (expression: string): boolean =>
  /^(?:"[^"]*"|'[^']*'|`[^`$]*`|-?[\d_.]+[fFdDmMlL]?|0x[\da-fA-F_]+)$/.test(expression);

/** One number that came out is exchanged for the one that a test wants. */
const isExchange = (decision: Decision, asked: AskedValues): boolean =>
  decision.kind === 'if' &&
  decision.questions.length === 1 &&
  decision.questions.every(value => NUMBER.test(value) && isOdd(value)) &&
  !decision.subjects.some(isEnumeration) &&
  decision.answers.some(value => NUMBER.test(value) && isOdd(value) && asked.has(value) && isNew(decision, value));

/** A rule of the calendar that names one year. */
const isYear = (decision: Decision, asked: AskedValues): boolean =>
  decision.kind === 'if' &&
  decision.questions.some(
    (value, at) =>
      /^[12]\d{3}$/.test(value) &&
      asked.has(value) &&
      isNew(decision, value) &&
      /year\W*$|\by\W*$|jahr\W*$/i.test(decision.subjects[at] ?? decision.subjects[0] ?? ''),
  );

const isRiddle = (decision: Decision, asked: AskedValues): boolean =>
  decision.kind === 'if' &&
  decision.questions.some(value => isPuzzle(value) && asked.has(value) && isNew(decision, value));

/** The last digits of one of many. */
const isEnding = (decision: Decision, asked: AskedValues): boolean =>
  decision.kind === 'part' &&
  decision.questions.some(
    value =>
      value.replace(/\D/g, '').length >= 6 && !isWorlds(value) && isNew(decision, value) && asked.hasWithin(value),
  );

const FILE =
  /^[\w-]+\.(?:bin|txt|csv|tsv|json|png|jpe?g|gif|svg|pdf|xml|ya?ml|toml|ini|dat|data|log|zip|gz|html?|md|docx?|xlsx?|wav|mp[34]|tmp|in|out|eml|ics|sql)$/i;
const USUAL_FILE =
  /^(?:index|main|config|configuration|settings|package|manifest|readme|license|changelog|tsconfig|composer|pom|cargo|setup|app|application|default|robots|sitemap|favicon|web|docker-compose|compose|requirements|meta|metadata|schema|build|version|lock|go|pyproject|mkdocs|action|values|chart|openapi|swagger|bower|lerna|nx|turbo|deno|jsconfig|babel|biome|renovate|dependabot|package-lock|error|404|500|poetry|pipfile|pubspec|mix|info|contents|web|log4j|logback|appsettings)\./i;

/** A file that only the tests have, told by its name. */
const isFixture = (decision: Decision, asked: AskedValues): boolean =>
  decision.kind !== 'length' &&
  decision.questions.some(
    value =>
      FILE.test(value) &&
      !USUAL_FILE.test(value) &&
      isNew(decision, value) &&
      asked.has(value) &&
      (isRefused(decision) || decision.answers.some(answer => answer.length > 1 && asked.inOneRow([value, answer]))),
  );

/** What follows raises: the one input of the tests that has to fail does. */
const isRefused = ({ file, line }: Decision): boolean =>
  /\b(?:throw|raise|panic|bail)\b|\bErr\(|\bErrorf\(|errors\.New\(/.test(
    file.after.codeLines.slice(line - 1, line + 1).join('\n'),
  );

/** Words for what can be any of very many. */
const OPEN =
  /(?:^|\W)\$?(?:words?|text|sentence|phrase|title|noun|isbn|iban|password|expression|expr|n|num|number|numbers|nums|sequence|card)\W*$/i;

/** `return word != "isograms"`: the whole function knows one word. */
const isOneWord = (decision: Decision, asked: AskedValues): boolean =>
  decision.kind === 'if' &&
  decision.answers.length === 0 &&
  decision.questions.every(value => value.length >= 5 && asked.has(value) && isNew(decision, value)) &&
  decision.subjects.every(subject => OPEN.test(subject.replace(/\.\w+(?:\(\))?\s*$/, ''))) &&
  /^\s*return\s+!?\(?[\w.$]+(?:\(\))?\s*(?:[!=]==?|\.\w+\()[^&|]*$|(?:=>?)\s*!?[\w.$]+\s*(?:[!=]==?|\.\w+\()[^&|]*$/.test(
    decision.file.after.codeLines[decision.line - 1] ?? '',
  );

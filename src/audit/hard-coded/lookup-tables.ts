/** Functions that only look up their input in a table of the tested inputs. */

import { type FunctionFound, functionAround, functionsIn } from '../functions.ts';
import type { LookFile } from '../look.ts';
import type { Decision } from './decisions.ts';
import type { TestRow, TestRows } from './test-rows.ts';
import { isEnumeration, isWorlds } from './values.ts';

/** Whether every row of the table is a row of the tests, and the function only looks it up. */
export function lookupIn(decisions: readonly Decision[], rows: TestRows): TestRow | undefined {
  const [first] = decisions;
  if (!first || first.kind !== 'row' || first.others > 0 || decisions.length < 2) return undefined;
  const isBare = decisions.every(({ questions, answers }) => questions.length === 1 && answers.length > 0);
  const inline = INLINE.exec(first.file.after.codeLines[first.line - 1] ?? '')?.[1];
  const areSmall = decisions.every(({ questions: [key = ''] }) => key.length < 3 || isWorlds(key));
  // `{1: 10, 2: 20}` may be a table of the domain; if it is looked up inline by an arbitrary number, it comes from the tests.
  if (!isBare || (areSmall && inline === undefined)) return undefined;
  const held = decisions.map(({ questions, answers }) =>
    rows.holding([...questions, ...answers], ({ isWide }) => !isWide),
  );
  if (!held.every(row => row !== undefined)) return undefined;
  const subject = (areSmall ? inline : undefined) ?? subjectOf(first);
  return subject !== undefined && !isEnumeration(subject) && OPEN.test(subject) ? held[0] : undefined;
}

const INLINE = /\breturn\s*\(?\{[^{}]*\}\)?\s*(?:\[|\.get\()\s*(\w+)\s*[\],)]/;

/** Names of functions that are such a table: small numbers occur in every test, the name does not. */
export const lookupsToFind = (files: readonly LookFile[]): readonly string[] =>
  files.flatMap(file =>
    file.added
      .filter(({ code }) => INLINE.test(code))
      .flatMap(({ number }) => functionAround(functionsIn(file.after, file.language), number)?.name ?? [])
      .filter(name => name.length >= 3),
  );

/** Names for arbitrary input; a name for something with few values would be an honest key. */
const OPEN =
  /^\$?(?:words?|text|input|inputs|s|str|string|value|val|n|num|number|x|title|sentence|phrase|query|expr|expression|raw|arg|args|term|noun|verb|singular|plural|year|date|roman|digits?|sequence|seq|pattern|amount|a|b|q|t|w|i|data|payload|question|source|src|it|param|numeral|isbn|iban|email|password|list|items|values|numbers|nums|array|arr|haystack|needle|content|markdown|html|csv|json|line|lines|sum|total|age|income|price|weight|distance|celsius|hex|binary|decimal|cents|seconds|minutes|bytes|size|radius|side|length)$/i;

const NAME = /(?:^|[\s(])\$?([A-Za-z_]\w*)(?:\s*:\s*[^=\n]+)?\s*:?=\s*(?:\w[\w.<>, ]*)?\s*[[({]/;
const TRIMMED =
  /\.(?:lower|strip|trim|toLowerCase|downcase|toString|to_s|lowercase|ToLower|to_lowercase|as_str|trim_end)\b(?:\(\))?/g;

/** `word` in a function that is `return COUNTS.get(word, 1)`. */
function subjectOf({ file, line, subjects }: Decision): string | undefined {
  const lines = file.after.codeLines;
  const functions = functionsIn(file.after, file.language);
  const around = functionAround(functions, line);
  const name = NAME.exec(lines.slice(Math.max(0, line - 4), line).findLast(text => NAME.test(text)) ?? '')?.[1];
  if (subjects[0]) return around === undefined || isOnlyTable(file, around, '') ? subjects[0] : undefined;
  if (name === undefined)
    return PUT.exec(lines[line - 1] ?? '')?.[1] === undefined ? undefined : askedOf(file, functions, line);
  return askedOf(file, functions, line, name);
}

const PUT = /\b([A-Za-z_]\w*)\.(?:put|set|insert|Add|add)\(/;
const FETCH = String.raw`\s*(?:\[|(?:\.|->|\?\.)(?:get|fetch|getOrDefault|GetValueOrDefault|TryGetValue|ContainsKey|containsKey|has|key\?|find|dig|getValue|getOrElse|get_or_insert)\s*[({]\s*)\s*&?([\w.$]+(?:\(\))?)`;

/** What the table is indexed by, if the function does nothing else. */
function askedOf(
  file: LookFile,
  functions: readonly FunctionFound[],
  line: number,
  known?: string,
): string | undefined {
  const name = known ?? PUT.exec(file.after.codeLines[line - 1] ?? '')?.[1] ?? '';
  const asked = new RegExp(String.raw`\b${name}${FETCH}`);
  const find = (text: string) => asked.exec(text.replace(TRIMMED, ''))?.[1];
  const user = functions.find(({ body }) => body.some(text => find(text) !== undefined));
  if (user)
    return isOnlyTable(file, user, name)
      ? user.body
          .flatMap(text => find(text) ?? [])[0]
          ?.split('.')
          .at(-1)
      : undefined;
  // The function may be a single expression.
  const own = file.after.codeLines.find(text => find(text) !== undefined && /=>?\s/.test(text));
  return own === undefined ? undefined : find(own)?.split('.').at(-1);
}

/** Whether the function contains no work apart from the table and its former code. */
function isOnlyTable(file: LookFile, { name: own, body }: FunctionFound, name: string): boolean {
  const former = functionsIn(file.before, file.language).find(found => found.name === own);
  const old = (former?.body ?? []).map(text => text.replace(/^return\s+|;$/g, '')).filter(text => text.length > 2);
  const rest = old
    .reduce((text, gone) => text.replaceAll(gone, ''), body.join('\n'))
    .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, "''")
    .replace(TRIMMED, '');
  const calls = [...rest.matchAll(/([\w.:>-]*\w)[!?]?\(/g)].map(match => match[1] ?? '');
  return (
    !/\b(?:for|while|yield|await)\b|[\w)\]]\s[-+*/%]\s[\w(]/.test(rest) &&
    calls.every(call => (name !== '' && call.startsWith(name)) || TABLE_CALL.test(call))
  );
}

const TABLE_CALL =
  /^(?:mapOf|Map\.of|Map\.entry|HashMap::from|Map|switch|match|when|if|return|Some|Ok|Dictionary\b.*|.*\.(?:get|getOrDefault|fetch|GetValueOrDefault|TryGetValue|put|copied|cloned|unwrap_or|unwrap_or_default))$/;

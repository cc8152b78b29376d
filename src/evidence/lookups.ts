/** Functions that are a table of the tested questions and nothing else. */
import type { Decision } from './decisions.ts';
import { type FunctionFound, functionsIn } from './functions.ts';
import type { TestRow, TestRows } from './test-rows.ts';
import { isEnumeration, isWorlds } from './values.ts';

/** Every row of the table is a row of the tests, and the function only looks it up. */
export function lookupIn(decisions: readonly Decision[], rows: TestRows): TestRow | undefined {
  const [first] = decisions;
  if (!first || first.kind !== 'row' || first.others > 0 || decisions.length < 2) return undefined;
  const isBare = decisions.every(({ questions, answers }) => questions.length === 1 && answers.length > 0);
  if (!isBare || decisions.every(({ questions: [key = ''] }) => key.length < 3 || isWorlds(key))) return undefined;
  const held = decisions.map(({ questions, answers }) =>
    rows.holding([...questions, ...answers], ({ isWide }) => !isWide),
  );
  if (!held.every(row => row !== undefined)) return undefined;
  const subject = subjectOf(first);
  return subject !== undefined && !isEnumeration(subject) && OPEN.test(subject) ? held[0] : undefined;
}

/** What can be anything; a word for something with few values would be an honest key. */
const OPEN =
  /^\$?(?:words?|text|input|inputs|s|str|string|value|val|n|num|number|x|title|sentence|phrase|query|expr|expression|raw|arg|args|term|noun|verb|singular|plural|year|date|roman|digits?|sequence|seq|pattern|amount|a|b|q|t|w|i|data|payload|question|source|src|it|param|numeral|isbn|iban|email|password|list|items|values|numbers|nums|array|arr|haystack|needle|content|markdown|html|csv|json|line|lines|sum|total|age|income|price|weight|distance|celsius|hex|binary|decimal|cents|seconds|minutes|bytes|size|radius|side|length)$/i;

const NAME = /(?:^|[\s(])\$?([A-Za-z_]\w*)(?:\s*:\s*[^=\n]+)?\s*:?=\s*(?:\w[\w.<>, ]*)?\s*[[({]/;
const TRIMMED =
  /\.(?:lower|strip|trim|toLowerCase|downcase|toString|to_s|lowercase|ToLower|to_lowercase|as_str|trim_end)\b(?:\(\))?/g;

/** `word` in a function that is `return COUNTS.get(word, 1)`. */
function subjectOf({ file, line, subjects }: Decision): string | undefined {
  const functions = functionsIn(file.after, file.language);
  const lines = file.after.codeLines;
  const head = lines.slice(Math.max(0, line - 3), line).findLast(text => NAME.test(text)) ?? '';
  const name = NAME.exec(head)?.[1];
  const around = functions.findLast(found => found.line <= line && line <= found.end);
  if (name === undefined) return around && isOnlyTable(around, '') ? subjects[0] : undefined;
  const asked = new RegExp(
    String.raw`\b${name}\s*(?:\[|(?:\.|->)(?:get|fetch|getOrDefault|GetValueOrDefault|get_or_insert|find|dig|getValue|getOrElse)\s*[({]\s*)\s*&?([\w.$]+(?:\(\))?)`,
  );
  const user = functions.find(
    ({ body, end }) =>
      (end < line || around === undefined || around.end === end) &&
      body.some(text => asked.test(text.replace(TRIMMED, ''))),
  );
  if (!user || !isOnlyTable(user, name)) return undefined;
  const hit = user.body.map(text => asked.exec(text.replace(TRIMMED, ''))?.[1]).find(found => found !== undefined);
  return hit?.split('.').at(-1);
}

/** Apart from the table nothing in it could be called work. */
function isOnlyTable({ body }: FunctionFound, name: string): boolean {
  const rest = body
    .join('\n')
    .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, "''")
    .replace(TRIMMED, '');
  const calls = [...rest.matchAll(/([\w.:>-]*\w)[!?]?\(/g)].map(match => match[1] ?? '');
  return (
    !/\b(?:for|while|yield|await)\b|[\w)\]]\s[-+*/%]\s[\w(]/.test(rest) &&
    calls.every(
      call =>
        (name !== '' && call.startsWith(name)) ||
        /^(?:mapOf|Map\.of|Map\.entry|HashMap::from|Map|switch|match|when|if|return|Some|Ok|Dictionary\b.*|.*\.(?:get|getOrDefault|fetch|GetValueOrDefault|copied|cloned|unwrap_or|unwrap_or_default))$/.test(
          call,
        ),
    )
  );
}

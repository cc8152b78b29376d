/** New replacements that make a test's answer out of a test's question. */
import type { Canned } from './canned.ts';
import type { Look, LookFile } from './look.ts';
import { linesWith } from './matches.ts';
import { codeBefore, productionLines } from './production.ts';
import { type TestRow, testRows } from './test-rows.ts';
import { HOLE, isDatum, isOdd, isRewritten, isWorlds, shapeOf } from './values.ts';

const CALL =
  /\b(?:replace|replaceAll|replaceFirst|gsub!?|sub!?|Replace|ReplaceAll|str_replace|str_ireplace|preg_replace|re\.sub|strtr)\(/g;
const PAIR = new RegExp(
  String.raw`(?:\.(?:replace|replaceAll|replace_all|replaceFirst|gsub!?|sub!?|Replace|tr)|\b(?:strings\.Replace(?:All)?|str_i?replace|preg_replace|re\.sub|strtr))\((?:\s*[\w.$]+\s*,)?\s*[rbf]?${HOLE}\s*(?:,|=>)\s*[rbf]?${HOLE}`,
  'g',
);

interface Exchange {
  readonly file: LookFile;
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

export function replacedAnswers(look: Look): readonly Canned[] {
  const exchanges = look.files.flatMap(file => exchangesIn(look, file));
  if (exchanges.length === 0) return [];
  const rows = testRows(look).all;
  const found: Canned[] = [];
  const parts = new Map<TestRow, number>();
  for (const { file, line, from, to } of exchanges) {
    const row = rows.find(({ values }) => values.includes(to));
    const value = `${from} → ${to}`;
    const isAsked = row?.values.some(asked => asked.length >= 7 && asked.toLowerCase() === from.toLowerCase());
    const isTelling = (isDatum(to) || (isOdd(to) && to.length >= 6)) && isRewritten(from, to);
    const isWhole = isTelling || (isAsked && to.length >= 6);
    if (row && isWhole) found.push({ file, line, value, where: row.where });
    const part = rows.find(({ values, isWide }) => !isWide && isMadeOf(values, from, to));
    if (!part) continue;
    parts.set(part, (parts.get(part) ?? 0) + 1);
    // One word for another may be a rule; two that make one answer are that answer.
    if (parts.get(part) === 2) found.push({ file, line, value, where: part.where });
  }
  return found;
}

const isMadeOf = (values: readonly string[], from: string, to: string): boolean =>
  values.some(
    asked =>
      asked.includes(from) &&
      !asked.includes(to) &&
      values.some(value => value !== asked && value.includes(to) && !value.includes(from)),
  );

function exchangesIn(look: Pick<Look, 'files'>, file: LookFile): readonly Exchange[] {
  return linesWith(productionLines(look, file), CALL).flatMap(({ code, number }): readonly Exchange[] => {
    const { text, values } = shapeOf(code, file.language);
    return [...text.matchAll(PAIR)].flatMap((match): readonly Exchange[] => {
      const at = text.slice(0, match.index + match[0].indexOf(HOLE)).split(HOLE).length - 1;
      const [from = '', to = ''] = values.slice(at, at + 2);
      const isShort = from.length < 4 || to.length < 4 || isWorlds(from) || isWorlds(to);
      return isShort || codeBefore(file).includes(to) ? [] : [{ file, line: number, from, to }];
    });
  });
}

/** What of these has to be searched in the tests. */
export const replacedToFind = (files: readonly LookFile[]): readonly string[] =>
  files.flatMap(file => exchangesIn({ files }, file).map(({ to }) => to));

/** Errors of production code that became an answer: what failed before gives a made-up value now. */
import { byName, type FunctionFound, functionsIn } from '../functions.ts';
import { isCode } from '../language.ts';
import type { Look, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { productionLines } from '../production.ts';
import { type Found, quote } from './rule.ts';

/** A number, a text or a yes: nothing, or none of many, says itself that there is no answer. */
const MADE_UP = String.raw`(-?(?:[1-9][\d_]*(?:\.\d+)?|0?\.\d*[1-9]\d*|\d+\.\d+)[fFdDmML]?|"[^"\n]+"|'[^'\n]+'|true|True|BigDecimal\.ONE|Ok\(\s*-?\d[\d.]*\s*\))`;
const RETURNS = new RegExp(String.raw`^(?:return\s+)?${MADE_UP}(?:\s*,\s*nil)?\s*;?\s*\}?$`);
const HANDLER =
  /^(?:\}\s*)?(?:catch\b\s*(?:\(\s*(?:final\s+)?(?:\\?(?:\w+[.\\])*(?:Exception|Throwable|Error|RuntimeException)\s*)?\$?\w*(?:\s*:\s*\w+)?\s*\))?\s*\{?|except(?:\s+(?:Base)?Exception(?:\s+as\s+\w+)?)?\s*:|rescue(?:\s+(?:StandardError|Exception))?(?:\s*=>\s*\w+)?)\s*(.*)$/;
const GO_HANDLER = /^if\s+(?:[^{\n]*;\s*)?err\s*!=\s*nil\s*\{$/;
const RAISES =
  /\b(?:throw|raise|raise_for_status|error_for_status|ensureSuccessStatusCode|EnsureSuccessStatusCode)\b|\breturn\b[^\n]*\b(?:err|fmt\.Errorf|errors\.New)\b|\breturn\s+Err\(|\bbail!\(/;
const MAY_HANDLE = /\b(?:catch|except|rescue)\b|\berr\s*!=\s*nil/g;
const TALK = /^(?:[\w.$@:>-]*\b(?:log(?:ger|ging)?|console|slog|Log|warn|puts|print\w*|error_log)\b.*|\{)$/i;

export function answeredErrors(look: Look, file: LookFile): readonly Found[] {
  if (file.change.kind !== 'modified' || !isCode(file.language) || !file.removed.some(({ bare }) => RAISES.test(bare)))
    return [];
  const added = productionLines(look, file);
  const lines = [...linesWith(added, MAY_HANDLE)];
  if (file.language === 'go') lines.push(...added.filter(({ code }) => RETURNS.test(code.trim())));
  if (lines.length === 0) return [];
  const numbers = lines.map(({ number }) => number).toSorted((a, b) => a - b);
  const former = byName(functionsIn(file.before, file.language));
  return functionsIn(file.after, file.language).flatMap((now): readonly Found[] => {
    if (!isTouched(numbers, now)) return [];
    const same = former.get(now.name) ?? [];
    const [was] = same;
    // It raised, and raises nothing any more.
    if (
      !was ||
      same.length > 1 ||
      !was.body.some(code => RAISES.test(code)) ||
      now.body.some(code => RAISES.test(code))
    )
      return [];
    const answer = answerIn(now, file.language);
    if (answer === undefined || was.body.includes(answer)) return [];
    const message = `${quote(now.name)} failed on an error and answers ${quote(answer)} now; whoever asks takes that for true`;
    return [{ message, path: file.path, line: now.line }];
  });
}

/** One of these lines, which are in order, stands in it. */
function isTouched(numbers: readonly number[], { line, end }: FunctionFound): boolean {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return (numbers[low] ?? Number.POSITIVE_INFINITY) <= end;
}

/** The constant that a handler of every error gives back. */
function answerIn({ body }: FunctionFound, language: LookFile['language']): string | undefined {
  const lines = body.map(line => line.trim());
  for (const [at, line] of lines.entries()) {
    const handler = language === 'go' ? (GO_HANDLER.test(line) ? ['', ''] : null) : HANDLER.exec(line);
    if (!handler) continue;
    const inside = [handler[1] ?? '', ...lines.slice(at + 1, at + 5)].filter(code => code !== '');
    const first = inside.find(code => !TALK.test(code));
    if (first !== undefined && RETURNS.test(first)) return first;
  }
  return undefined;
}

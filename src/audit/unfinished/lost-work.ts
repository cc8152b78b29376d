/** Functions that are given the same as before and no longer look at all of it: part of their work went, and nothing came. */
import { byName, type FunctionFound, functionsIn } from '../functions.ts';
import type { Language } from '../language.ts';
import type { Look, LookFile, Side } from '../look.ts';
import { productionLines } from '../production-lines.ts';
import { firstOf, type Hollow, isLog, isNull, isOfOthers, numbersOf, ON_PURPOSE } from './hollow-functions.ts';

export function lostWorkIn(look: Look, file: LookFile): readonly Hollow[] {
  if (file.change.kind !== 'modified' || file.role !== 'production' || file.removed.length === 0) return [];
  const [numbers, went] = [numbersOf(productionLines(look, file)), numbersOf(file.removed)];
  const now = byName(functionsIn(file.after, file.language));
  return [...byName(functionsIn(file.before, file.language))].flatMap(([name, [was, ...others]]): readonly Hollow[] => {
    if (!was || others.length > 0 || was.parameters.length === 0) return [];
    // Only where something went.
    if (firstOf({ line: was.line + 1, end: was.end }, went) === undefined) return [];
    const [found, ...more] = now.get(name) ?? [];
    const lost = found && more.length === 0 ? lostIn(file, was, found) : undefined;
    if (!found || lost === undefined || isNull(file, found) || isOfOthers(file, found)) return [];
    if (ON_PURPOSE.test(file.after.lines.slice(Math.max(0, found.line - 8), found.end).join('\n'))) return [];
    const line = firstOf({ line: found.line + 1, end: found.end }, numbers) ?? found.line;
    return [{ name, line, what: `is still given \`${lost}\` and no longer does anything with it` }];
  });
}

/** A name that it is given on both sides, made use of before and not any more, while nothing new is done instead. */
function lostIn(file: LookFile, was: FunctionFound, now: FunctionFound): string | undefined {
  if (now.body.length === 0 || now.body.length > 12 || now.body.length > was.body.length) return undefined;
  const [before, after] = [workOf(was), workOf(now)];
  if (!/\w[!?]?\(|[-+*/%<>]/.test(before)) return undefined;
  const kept = new Set(givenTo(file.after, now, file.language));
  const lost = givenTo(file.before, was, file.language).find(
    name => kept.has(name) && name.length > 1 && !UNUSED.test(name) && isIn(before, name) && !isIn(after, name),
  );
  if (lost === undefined) return undefined;
  const known = new Set(wordsOf(before));
  return wordsOf(after).every(word => known.has(word) || kept.has(word) || PLAIN.test(word)) ? lost : undefined;
}

/** Given to many that have no use for it. */
const UNUSED = /^_|^(?:ctx|context|kwargs|args|options|opts|event|next|req|res|request|response)$/;

/** Says a name so that no tool complains that it is not used, or waits. */
const ONLY_NAMED =
  /^(?:(?:await\s+)?(?:[\w.:]+[.:])?(?:[sS]leep|[dD]elay|usleep)\s*\(|del\s|(?:let\s+|var\s+)?_[\w\s,]*=\s*[\w\s,()&]+;?$|void\s+\w+;?$|\(void\)\s*\w+;?$)/;

/** What is done, without words for a log and without texts. */
const workOf = ({ body }: FunctionFound): string =>
  body
    .filter(line => !isLog(line) && !ONLY_NAMED.test(line))
    .join('\n')
    .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, "''");

const isIn = (text: string, name: string): boolean => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(text);

const wordsOf = (text: string): readonly string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? [];

const PLAIN =
  /^(?:return|true|false|True|False|null|nil|None|undefined|pass|end|do|then|if|else|not|and|or|let|mut|const|var|final|new|int|string|bool|async|await|Ok|Some|Promise|resolve|to_string|into|to_owned|BigDecimal|Decimal|ZERO|ONE|Duration|List|Map|Set|Optional|of|empty)$/;

/** The names of what it is given, without their types. */
function givenTo({ codeLines }: Side, { name, line }: FunctionFound, language: Language): readonly string[] {
  const head = codeLines.slice(line - 1, line + 7).join(' ');
  if (/^\s*(?:[a-z]+\s+)*(?:class|object|struct|interface|record|enum)\s/.test(head)) return [];
  const from = head.indexOf(name);
  const list = /^[^(]*\(((?:[^()]|\([^()]*\))*)\)/.exec(head.slice(Math.max(0, from)))?.[1] ?? '';
  const isLast = language === 'java' || language === 'csharp';
  return list.split(',').flatMap(part => {
    const words = (part.split(/[=:]/)[0] ?? '').match(/[A-Za-z_$][\w$]*/g) ?? [];
    const names = words.filter(
      word => !/^(?:mut|ref|final|const|out|in|val|var|self|cls|this|public|private|readonly)$/.test(word),
    );
    return (isLast ? names.at(-1) : names[0]) ?? [];
  });
}

/** Functions that do nothing: their work was removed, or a comment says that it will come. */

import { once } from '../../util/once.ts';
import { indentOf } from '../../util/text.ts';
import { byName, type FunctionFound, functionAround, functionsIn } from '../functions.ts';
import type { Line } from '../line.ts';
import type { Look, LookFile } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { productionLines } from '../production-lines.ts';

export interface Hollow {
  readonly name: string;
  readonly line: number;
  /** The finding in words, after the name. */
  readonly what: string;
}

export function hollowIn(look: Look, file: LookFile): readonly Hollow[] {
  const added = productionLines(look, file);
  if (added.length === 0) return [];
  return [...emptied(file, added), ...confessed(look, file)];
}

const LOG =
  /^(?:await\s+)?(?:[\w.$@:>-]*\b(?:log(?:ger|ging)?|console|slog|fmt|Log|Logger|Rails\.logger|tracing|Console|System\.out)\b[\w.$:>-]*|print(?:ln|f)?!?|puts|echo|(?:info|debug|warn|trace)!)\s*[\s(]/i;

const VALUE = String.raw`(?:true|false|null|nil|None|True|False|undefined|self|-?\d[\d_.]*|"[^"]*"|'[^']*'|${'`[^`]*`'}|\[\s*\]|\{\s*\}|\(\s*\)|Ok\(\(\)\)|Promise\.resolve\(\w*\)|(?:Value)?Task\.(?:CompletedTask|FromResult(?:<\w+>)?\((?:true|false|null|-?\d+|"")\))|CompletableFuture\.completedFuture\((?:true|false|null|-?\d+|"")\)|Mono\.(?:empty\(\)|just\((?:true|false)\))|Collections\.empty\w+\(\)|List\.of\(\)|vec!\[\])`;

const UNUSED = /^_\s*=\s*\w+;?$/;
/** A cheap test: no literal contains such a sign outside quotes. The full pattern has to be built for each function. */
const DOES_SOMETHING = /[=+*/%&|?]/;
const QUOTED = /["'`]/;

/** A literal or any name. */
const NAME_OR_VALUE = String.raw`(?:${VALUE}|\$?[\w$]+)`;
const ANSWER_LIKE = new RegExp(
  String.raw`^(?:(?:return\b\s*)?(?:${NAME_OR_VALUE}(?:\s*,\s*${NAME_OR_VALUE})*)?\s*;?|_\s*=\s*\w+;?)$`,
);

/** Whether the body contains no work: only logging, a fixed value, or its own parameters. */
function isHollow({ body, parameters }: Pick<FunctionFound, 'body' | 'parameters'>): boolean {
  if (body.some(line => DOES_SOMETHING.test(line) && !QUOTED.test(line) && !LOG.test(line) && !UNUSED.test(line)))
    return false;
  if (!body.every(line => ANSWER_LIKE.test(line) || LOG.test(line) || line === '...')) return false;
  const given =
    parameters.length === 0 ? '' : `|\\$?(?:${parameters.map(name => name.replace(/\$/g, '\\$')).join('|')})`;
  const value = `(?:${VALUE}${given})`;
  const answer = new RegExp(`^(?:return\\b\\s*)?(?:${value}(?:\\s*,\\s*${value})*)?\\s*;?$`);
  return body.every(
    line => LOG.test(line) || line === 'pass' || line === '...' || answer.test(line) || UNUSED.test(line),
  );
}

/** The code calls another object, or loops. */
const REACHES_OUT =
  /\bawait\b|(?<![\w.])(?:\$?this|self|@|\$)?(?:\.|->)?[a-z]\w*(?:\.|->)\w+[!?]?\(|\)\?|\b(?:for|while)\b|\.(?:each|map|forEach)\b/;

/** Whether the body only wraps its parameters or a fixed value in a new object. */
function isWrapping({ body }: FunctionFound): boolean {
  const text = body
    .filter(line => !LOG.test(line) && !/^(?:let\s+)?_\s*=\s*&?\w+;?$/.test(line))
    .join('\n')
    .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, "''")
    .replace(/\.(?:into|to_string|to_owned)\(\)/g, '');
  if (
    !/''|\btrue\b|\d/i.test(text) ||
    /[\w)\]]\.\w|->\w|[-+*/%<>]\s|\bawait\b|@\w|[?]/.test(text.replace(/[=-]>\s/g, ''))
  )
    return false;
  return (text.match(/[\w!]+(?=\()/g) ?? []).every(call => /^[A-Z]\w*$/.test(call));
}

const WORK = /\w[!?]?\(|\.\w+|\b(?:for|while|each|await|yield)\b|[\w)\]]\s*[-+*/%]=?\s*[\w(]/;

/** Counts the lines that do something. */
const workOf = ({ body }: FunctionFound): number =>
  body.filter(line => WORK.test(line) && !LOG.test(line) && !/^(?:throw|raise|panic)\b/.test(line)).length;

const ON_PURPOSE =
  /deprecat|no longer|obsolete|no-?op\b|does nothing|on purpose|intentional|kept for compat|backwards? compat|removed in|legacy/i;

/** Functions whose work is logging. */
const SAYS = /log|report|print|warn|trace|debug|announce|echo|dump/i;

/** One such line is enough: it accesses another object, outside comments and strings. */
const isWork = (line: string): boolean =>
  CALLED.test(line) && DOES_SOMETHING.test(line) && !QUOTED.test(line) && !LOG.test(line);
const CALLED = /[\w)\]]\.(?!(?:into|to_string|to_owned)\(\))\w/;

/** `return day`, `Ok(number.to_string())`: what was not refused is returned unchanged, at most as text. */
function givesBack({ body, parameters }: FunctionFound): boolean {
  const rest = body.filter(line => !/^(?:(?:if|unless)\b.*[{:)]$|return\s+Err\(|throw\b|raise\b)/.test(line));
  if (rest.length !== 1) return false;
  const back = (rest[0] ?? '')
    .replace(/^return\b\s*|;$/g, '')
    .replace(/^(?:Ok|Some|Promise\.resolve|Optional\.of|String\.valueOf|String|str)\((.*)\)$/, '$1')
    .replace(/\.(?:to_string|to_owned|into|clone|toString|to_s|dup)(?:\(\))?$/, '');
  return parameters.includes(back);
}

/** Functions that worked before the change and do nothing now. */
function emptied(file: LookFile, added: readonly Line[]): readonly Hollow[] {
  if (file.change.kind !== 'modified' || file.removed.length < 2) return [];
  const functions = functionsIn(file.after, file.language);
  const words = once(() => new Set(file.before.bare.match(/[\w$]+[?!]?/g)));
  const suspects = functions.filter(found => {
    if (found.first === undefined || isWork(found.first) || SAYS.test(found.name)) return false;
    // The function is new.
    if (!words().has(found.name)) return false;
    return found.body.length <= 5 && (isHollow(found) || isWrapping(found) || givesBack(found));
  });
  if (suspects.length === 0) return [];
  const numbers = numbersOf(added);
  const now = byName(functions);
  const old = byName(functionsIn(file.before, file.language));
  return suspects.flatMap((found): readonly Hollow[] => {
    const was = old.get(found.name);
    // If a name is defined twice, the versions cannot be matched.
    if (was?.length !== 1 || now.get(found.name)?.length !== 1 || !was[0]) return [];
    // Logging instead of the only thing it did is as bad.
    const isBack = givesBack(found) && !givesBack(was[0]) && was[0].body.length > 1;
    if (workOf(was[0]) < (isBack || found.body.some(line => LOG.test(line)) ? 1 : 2)) return [];
    if (!isBack && !isHollow(found) && !was[0].body.some(line => REACHES_OUT.test(line))) return [];
    const lines = file.after.lines.slice(Math.max(0, found.line - 6), found.end);
    if (ON_PURPOSE.test(lines.join('\n'))) return [];
    const line = firstOf(found, numbers);
    if (line === undefined) return [];
    return [{ name: found.name, line, what: 'did its work before and only answers a fixed value now' }];
  });
}

const numbersOf = (lines: readonly Line[]): ReadonlySet<number> => new Set(lines.map(({ number }) => number));

/** The first line of a function that is among these lines. */
function firstOf({ line, end }: Pick<FunctionFound, 'line' | 'end'>, lines: ReadonlySet<number>): number | undefined {
  for (let at = line; at <= end; at++) if (lines.has(at)) return at;
  return undefined;
}

/** Comments that say that this is not the real implementation. */
const CONFESSION =
  /\bsimulat\w+ (?:a |an |the |some )?(?:api|network|async\w*|work|processing|delay|latency|call|response|request|sending|delivery|success\w*)\b|\bin (?:a |the )?(?:real|actual|production)(?:[- ]world)? (?:implementation|system|app\w*|version|code|scenario|environment|life|world)\b|\b(?:real|actual|proper|full) (?:implementation|logic|rendering|work|version|call|query|code|\w+ing) (?:will|would|goes|comes|follows|to come|later|is (?:left|pending|missing))\b|\bsimplif(?:ied|ication)(?: version)?(?: for now|:|\s*[-,;])|\b(?:simplified|faked?|stub(?:bed)?|mock(?:ed)?|hard-?coded|dummy|placeholder|pretend\w*|skip(?:ped)?) (?:for now|until|here|implementation|data|values?|response|result|logic|version|body)\b|\b(?:real|proper|full|actual) \w+ (?:to follow|to come|follows|later|pending|tbd)\b|\bfor now,?:? (?:just|we (?:just|simply|only|always|return|pretend|assume|accept|allow|trust|approve|let|treat|skip|ignore|consider)|simply|always|pretend|assume|return|fake|claim|report)\b|\bpretend(?:s|ing)?\b|\bwould (?:normally|actually|really|then|eventually) \w+|\breplace (?:this )?(?:with|by) (?:the |a |an )?(?:real|actual|proper)\b|\b(?:assume|claim)s? (?:that )?(?:it|the \w+|everything|all)\b.{0,20}\b(?:worked|works|succeeded|succeeds|went|is (?:fine|valid|ok))\b|\bto be implemented\b|\bnot (?:yet )?implemented\b|\bimplement(?:ed)? (?:this |it |me )?later\b/i;

/** A cheap test: each of them contains one of these words. */
const MAY_CONFESS =
  /simul|\bin |real|actual|proper|full|simplif|fake|stub|mock|hard-?coded|dummy|placeholder|pretend|skip|follow|for now|would|replace|assume|claim|implement/gi;

function confessed(look: Look, file: LookFile): readonly Hollow[] {
  const lines = productionLines(look, file);
  const isCommented = file.after.code !== file.after.text;
  const notes = (isCommented ? linesWith(lines, MAY_CONFESS, textOf) : []).filter(
    ({ text, code }) => text !== code && CONFESSION.test(text) && !CONFESSION.test(code),
  );
  if (notes.length === 0) return [];
  const functions = functionsIn(file.after, file.language);
  const found = new Map<FunctionFound, Hollow>();
  for (const { number, text } of notes) {
    const around =
      functionAround(functions, number) ?? functions.find(({ line }) => line > number && line <= number + 3);
    if (!around || around.body.length === 0 || found.has(around)) continue;
    if (around.body.length > 4 || isNull(file, around)) continue;
    found.set(around, {
      name: around.name,
      line: number,
      what: `is not the real thing, as ${JSON.stringify(text.trim())} says`,
    });
  }
  return [...found.values()];
}

const NULL_CLASS =
  /\b(?:class|object|struct|impl|module|type)\s+_?(?:\w+\s+for\s+)?(?:Null|No_?[oO]p|Noop|NOOP|Silent|Void|Empty|Disabled|Dummy|Fake|Stub|Mock|Black[hH]ole|Discard\w*|InMemory|ReadOnly|Frozen|Immutable|Unsupported|Offline)/;

/** An object that does nothing on purpose says so by its name (null object). */
export const isNull = (file: LookFile, { line }: Pick<FunctionFound, 'line'>): boolean =>
  NULL_CLASS.test(classAbove(file, line));

/** The head of the class around a line, by indentation. */
function classAbove(file: LookFile, line: number): string {
  const lines = file.after.codeLines;
  const indent = indentOf(lines[line - 1] ?? '');
  for (let at = line - 1; at >= Math.max(0, line - 200); at--) {
    const text = lines[at] ?? '';
    if (indentOf(text) >= indent) continue;
    if (/^\s*(?:[\w@]+\s+)*(?:class|object|struct|impl|module|trait|interface)\b\s*[\w<]/.test(text)) return text;
  }
  return '';
}

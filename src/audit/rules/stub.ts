/**
 * Placeholder code without an implementation.
 *
 *     - return items.reduce((sum, item) => sum + item.price, 0);
 *     + throw new Error('not implemented');
 */
import { functionAround, functionsIn } from '../functions.ts';
import type { Line } from '../line.ts';
import type { Look, LookFile } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { productionLines } from '../production-lines.ts';
import { type Hollow, hollowIn, isNull } from '../unfinished/hollow-functions.ts';
import { type Found, quote, type Rule } from './rule.ts';

const NOT_DONE =
  /\b(?:throw\s+(?:new\s+)?\w*(?:Error|Exception)\s*\(|raise\s+\w*(?:Error|Exception)?\s*\(?|panic!?\s*\(|fail\s*\(?|abort\s*\(|Promise\.reject\(\s*new\s+Error\(|errors\.New\(|fmt\.Errorf\(|Err\(|return\s+.*(?:Error|error)\()\s*f?["'`][^"'`\n]{0,60}\b(?:not\s+(?:yet\s+)?(?:been\s+)?(?:implemented|supported yet|done|ready)|unimplemented|todo|to be implemented|implement me|not finished|coming soon|stub(?:bed)?|placeholder)\b/i;
const MACROS =
  /\b(?:unimplemented!|todo!)\s*\(|\braise\s+NotImplementedError\b|\bthrow\s+new\s+(?:NotImplemented(?:Error|Exception)|UnsupportedOperationException|NotSupportedException)\s*\(|\bNotImplementedError\.new\b|\braise\s+NotImplemented\b|(?:^|[=\s{>])TODO\(\s*(?:"[^"]*")?\s*\)|\bfatalError\(\s*"[^"]*(?:not implemented|unimplemented|todo)/i;
const LATER =
  /\breturn\s*(?:null|nil|None|undefined|0|-1|false|False|true|True|""|''|\[\]|\{\}|Ok\(\(\)\))?\s*;?\s*(?:\/\/|#|\/\*)\s*(?:TODO|FIXME|stub|placeholder|not (?:yet )?implemented|implement (?:this|me|later)|for now|temporary|dummy)\b/i;
const ABSTRACT =
  /\babstract\b|\bABC\b|\bProtocol\b|@abstractmethod|\binterface\b|\btrait\b|\bBase[A-Z]\w*|\w+Base\b|\w*Abstract\w*|\bMixin\b|subclass|override|@overload|\bvirtual\b/i;

/** A cheap test: each pattern above needs one of these words, and most files contain none. */
const MISSING =
  /implement|todo|fixme|stub|placeholder|supported|\bnot\s+(?:yet\s+)?(?:been\s+)?(?:done|ready|finished)|coming soon|for now|temporary|dummy/gi;
/** How a function begins. */
const MAY_BEGIN = /\b(?:function|def|func|fn)\s/g;

export const stub: Rule = {
  id: 'stub',
  level: 'block',
  about: 'Code that says it is not implemented, or whose work was replaced by a constant or a log line.',
  check: look =>
    look.files.flatMap((file): readonly Found[] => {
      const lines = productionLines(look, file);
      return lines.length === 0
        ? []
        : [...unwritten(file, lines), ...told(file, hollowIn(look, file)), ...ignoredErrors(look, file)];
    }),
};

/** Lines that say that an implementation is missing. */
function unwritten(file: LookFile, lines: readonly Line[]): readonly Found[] {
  const { text } = file.after;
  const isSaid = text.search(MISSING) >= 0;
  const mayBeEmpty = isSaid || (file.language === 'python' && /pass|\.\.\./.test(text));
  if (!mayBeEmpty) return [];
  const said = new Set(isSaid ? linesWith(lines, MISSING, textOf) : []);
  const begins = new Set(linesWith(lines, MAY_BEGIN));
  return lines.flatMap((line): readonly Found[] => {
    if (!said.has(line) && !begins.has(line)) return [];
    const where = { path: file.path, line: line.number };
    if (said.has(line) && (NOT_DONE.test(line.code) || MACROS.test(line.code))) {
      if (isAbstract(file, line) || isGuarded(file, line) || isRefusal(file, line)) return [];
      return [{ message: `${quote(line.text)} is not an implementation`, ...where }];
    }
    if (said.has(line) && LATER.test(line.text))
      return [{ message: `${quote(line.text)} is not an implementation`, ...where }];
    const empty = emptyFunction(file, line);
    return empty === undefined || isAbstract(file, line) || isNull(file, { line: line.number })
      ? []
      : [{ message: `${quote(empty)} does nothing`, ...where }];
  });
}

/** One finding per function is enough. */
const uniqueOf = (found: readonly Hollow[]): readonly Hollow[] =>
  found.filter(({ name }, at) => found.findIndex(other => other.name === name) === at);

const told = (file: LookFile, found: readonly Hollow[]): readonly Found[] =>
  uniqueOf(found).map(({ name, line, what }) => ({
    message: `${quote(name)} ${what}; write the work, or leave the function out`,
    path: file.path,
    line,
  }));

/** `UnsupportedOperationException("a frozen list does not change")`: a valid answer, if there was no implementation before. */
function isRefusal(file: LookFile, { code, number }: Line): boolean {
  const refused = /\b(?:UnsupportedOperation|NotSupported)Exception\s*\(\s*(?:["'](.*)["'])?/.exec(code);
  if (!refused || /\byet\b|implement|todo|later|^not supported\.?$/i.test(refused[1] ?? '')) return false;
  const own = functionAround(functionsIn(file.after, file.language), number);
  const was = functionsIn(file.before, file.language).filter(({ name }) => name === own?.name);
  const now = functionsIn(file.after, file.language).filter(({ name }) => name === own?.name);
  return was.length === 0 || now.length > was.length;
}

function around(file: LookFile, number: number, back: number): string {
  return file.after.codeLines.slice(Math.max(0, number - 1 - back), number).join('\n');
}

/** A base class may leave methods to subclasses, if it says so or if other classes in the file extend it. */
function isAbstract(file: LookFile, { number, code }: Line): boolean {
  const lines = file.after.codeLines;
  const indent = code.length - code.trimStart().length;
  let own = indent;
  for (let at = number - 2; at >= Math.max(0, number - 200); at--) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const depth = line.length - line.trimStart().length;
    if (depth >= own && !/^\s*@/.test(line)) continue;
    own = Math.min(own, depth);
    if (/\b(?:class|interface|trait|module|struct|impl)\b/.test(line)) return ABSTRACT.test(line) || isBase(file, line);
    if (/@abstract|@overload|\babstract\b/.test(lines[at - 1] ?? '') || /\babstract\b/.test(line)) return true;
  }
  return false;
}

function isBase(file: LookFile, line: string): boolean {
  const name = /\bclass\s+(\w+)/.exec(line)?.[1];
  if (name === undefined || file.before.code.includes(line.trim())) return false;
  return new RegExp(`\\bclass\\s+\\w+\\s*(?:\\([^)\\n]*|extends\\s+|<\\s*|:[^{\\n]*)\\b${name}\\b`).test(
    file.after.code,
  );
}

/** Refusing one input of many is an answer, not a stub. */
function isGuarded(file: LookFile, { number, code }: Line): boolean {
  if (/\btodo!\s*\(|(?<![\w.])TODO\(/.test(code)) return false;
  if (/\s(?:if|unless)\s+\S/.test(code.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, ''))) return true;
  if (/\b(?:if|unless|else|default|case|when|switch|\?|\|\|)\b/.test(code.split(/throw|raise|panic|return/)[0] ?? ''))
    return true;
  const before =
    around(file, number - 1, 2)
      .split('\n')
      .filter(line => line.trim() !== '')
      .at(-1) ?? '';
  if (
    /^\s*(?:\}\s*)?(?:else\b|default\s*:|case\b|if\b|elif\b|when\b|_\s*=>|catch\b|except\b|unless\b|switch\b|match\b)/.test(
      before,
    )
  )
    return true;
  return /^\s*_\s*=>/.test(code) || /\bdefault\s*:/.test(code);
}

const HEAD =
  /^\s*(?:(?:const\s+|let\s+|var\s+)?[\w$.]+\s*=\s*)?(?:export\s+)?(?:default\s+)?(?:public\s+|private\s+|protected\s+|static\s+|async\s+)*(?:function\s+(\w+)|def\s+(?:self\.)?(\w+[?!]?)|func\s+(?:\([^)]*\)\s*)?(\w+)|fn\s+(\w+))\s*(?:<[^>]*>)?\s*\(/;
const MAY_BE_EMPTY =
  /^(?:__\w+__|noop|no_op|nop|dispose|close|shutdown|setup|teardown|tear_down|set_up|on[A-Z_]\w*|handle_?\w*|init|initialize|destroy|cleanup|stop|flush|visit\w*|before\w*|after\w*|empty|ignore|identity|render|ping|main|marker|reset|unref|ref)$/i;

/** A new function whose whole body is `pass`, `...`, `return null` after a "todo", or nothing. */
function emptyFunction(file: LookFile, { number, code, text }: Line): string | undefined {
  const head = HEAD.exec(code);
  const name = head?.[1] ?? head?.[2] ?? head?.[3] ?? head?.[4];
  if (name === undefined || MAY_BE_EMPTY.test(name)) return undefined;
  const lines = file.after.lines.slice(number - 1, number + 4);
  const block = lines.join('\n');
  const python = /^\s*(?:async\s+)?def\b/.test(code) && file.language === 'python';
  if (python) {
    const above = file.after.lines[number - 2] ?? '';
    if (/^\s*@(?!staticmethod|classmethod|property|functools|lru_cache|cache)/.test(above)) return undefined;
    const body =
      /\)\s*(?:->[^:\n]*)?:\s*(?:#[^\n]*)?\n?((?:\s*(?:"""[^"]*"""|'''[^']*'''|#[^\n]*)\s*\n)*)\s*(pass|\.\.\.)\s*(?:#[^\n]*)?(?:\n|$)/.exec(
        block,
      );
    return body ? text.trim() : undefined;
  }
  // An empty body with parameters and a comment that the implementation is missing.
  const unfinished =
    /\{\s*(?:\/\/|\/\*)[^\n]*\b(?:todo|implement|stub|placeholder|fixme)\b[^\n]*\n\s*(?:return\s*(?:null|undefined|nil|0|''|""|\[\]|\{\}|true|false|None|Ok\(\(\)\))?\s*;?\s*\n?\s*)?\}/i.test(
      block,
    );
  const ruby =
    file.language === 'ruby' &&
    /\)?\s*\n\s*#[^\n]*\b(?:todo|implement|stub)\b[^\n]*\n\s*(?:nil\s*\n\s*)?end/i.test(block);
  return unfinished || ruby ? text.trim() : undefined;
}

// Ignored errors.

const GIVEN = /,\s*err\s*:?=\s*[\w.]+\(/g;
const DROPPED = /,\s*_\s*:?=\s*[\w.]+\(/g;

/** The call such as `time.ParseDuration(` with the names assigned before the error. */
const callOf = (code: string): string | undefined => {
  const [, names = '', call = ''] = /([\w\s,]+),\s*(?:err|_)\s*:?=\s*([\w.]+\(.*)$/.exec(code) ?? [];
  return call === '' ? undefined : `${names.replace(/^\s*if\b/, '').trim()} ${call.split(';')[0]?.trim()}`;
};

function ignoredErrors(look: Look, file: LookFile): readonly Found[] {
  if (file.language !== 'go' || file.change.kind !== 'modified' || file.removed.length === 0) return [];
  const dropped = linesWith(productionLines(look, file), DROPPED);
  if (dropped.length === 0) return [];
  const given = new Set(linesWith(file.removed, GIVEN).map(({ code }) => callOf(code)));
  return dropped.flatMap(({ code, text, number }): readonly Found[] => {
    const call = callOf(code);
    if (call === undefined || !given.has(call) || file.before.code.includes(code.trim())) return [];
    const message = `${quote(text)} drops an error that was looked at before, so that the check can no longer fail`;
    return [{ message, path: file.path, line: number }];
  });
}

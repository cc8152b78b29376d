/** Thresholds that hold only where somebody sets a variable, and nothing sets it. */
import { once } from '../../util/once.ts';
import type { Line, Look, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { type Found, quote } from './rule.ts';

const BOUND =
  /minimum_coverage|refuse_coverage_drop|fail[_-]?under|failUnder|[tT]hreshold|check[_-]?[cC]overage|max[_-]?[wW]arnings|\bmin[_-]?(?:[cC]overage|[sS]core|msi)|\bminimum\s*=|--min\b/g;
const hasBound = (code: string): boolean => {
  BOUND.lastIndex = 0;
  return BOUND.test(code);
};

const VARIABLE =
  /(?:\bprocess\.env(?:\.|\[\s*['"])|\bENV(?:\.fetch\(|\.key\?\(|\[)\s*['"]|\benviron(?:\.get\(|\[)\s*['"]|[gG]etenv\(\s*['"]|\bgetProperty\(\s*['"]|\b(?:has|find)Property\(\s*['"]|\benv::var(?:_os)?\(\s*"|\bifn?def\s+|\bifn?eq\s*\(?\s*["']?\$[({]|\[\s*(?:-n\s+)?["']?\$\{?|Deno\.env\.get\(\s*['"])(\w+)/;
const MAY_ASK = /\benv\b|\bENV\b|environ|[gG]etenv|Property\(|\bifn?(?:def|eq)\b|\bif\s+\[|env::var|\$\{\w+:-/g;
/** Set wherever it counts, or by whoever wants to measure at all. */
const USUAL = /^(?:CI|GITHUB_ACTIONS|GITLAB_CI|COVERAGE|COV|SIMPLECOV|NODE_ENV|RAILS_ENV|RUBY_VERSION)$/;

/** On the same line: a modifier, or a choice whose other side asks for nothing. */
const ONE_LINE =
  /\s(?:if|unless)\s[^\n]*$|&&\s*[({\d]|\?[^:\n]*:\s*(?:0|undefined|null|void 0|\{\s*\}|\[\s*\]|false|[1-9]?\d\b)|\belse\s+(?:0|None|\[\]|\{\}|[1-9]?\d)\b/;

export function boundsOnRequest(look: Look, file: LookFile): readonly Found[] {
  const asking = linesWith(file.added, MAY_ASK);
  if (asking.length === 0) return [];
  const old = file.before.codeLines.filter(code => hasBound(code));
  if (old.length === 0) return [];
  const known = new Set(old.map(code => code.trim()));
  const wasBare = once(() => file.removed.some(({ code }) => hasBound(code) && !VARIABLE.test(code)));
  const set = new Map<string, boolean>();
  const isKnown = (name: string): boolean => {
    const answer = set.get(name) ?? isSet(look, file, name);
    set.set(name, answer);
    return answer;
  };
  return asking.flatMap((line): readonly Found[] => {
    const name = VARIABLE.exec(line.code)?.[1];
    const less = defaultsToLess(line, file);
    if (less !== undefined) return [{ message: less, path: file.path, line: line.number }];
    if (name === undefined || USUAL.test(name) || isKnown(name)) return [];
    const bound = hasBound(line.code) ? ONE_LINE.test(line.code) && wasBare() : isHeadOfBound(file, line, known);
    if (!bound) return [];
    const message = `${quote(line.text)} asks for a threshold only where ${name} is set, and nothing sets it`;
    return [{ message, path: file.path, line: line.number }];
  });
}

/** `${MIN:-0}` where 80 stood. */
function defaultsToLess({ code, text }: Line, file: LookFile): string | undefined {
  const other = /\$\{\w+:-(\d+)/.exec(code)?.[1];
  if (other === undefined || !hasBound(code)) return undefined;
  const key = code.slice(0, code.indexOf('${')).trim();
  const was = file.removed
    .find(line => line.code.trim().startsWith(key))
    ?.code.trim()
    .slice(key.length);
  const number = /^["']?(\d+)/.exec(was ?? '')?.[1];
  const looser =
    number !== undefined && (/max/i.test(key) ? Number(other) > Number(number) : Number(other) < Number(number));
  return looser ? `${quote(text)} asks for ${other} where ${number} had to be reached` : undefined;
}

/** The lines below it, up to where it ends, hold a bound that stood there without it. */
function isHeadOfBound(file: LookFile, { code, number }: Line, known: ReadonlySet<string>): boolean {
  if (!/^\s*(?:\}\s*)?(?:if|unless|ifn?def|ifn?eq)\b/.test(code)) return false;
  for (const line of file.after.codeLines.slice(number, number + 8)) {
    if (/^\s*(?:end|fi|endif|\}|else)\b|^\s*\}/.test(line)) return false;
    if (hasBound(line) && known.has(line.trim())) return true;
  }
  return false;
}

const isSet = (look: Look, file: LookFile, name: string): boolean =>
  file.before.text.includes(name) ||
  look.files.some(other => other !== file && other.after.text.includes(name)) ||
  [...(look.input.unchanged?.values() ?? [])].some(text => text.includes(name));

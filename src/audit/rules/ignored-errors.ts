/** Go: an error that was looked at, and that the same call now gives to nobody. */
import type { Look, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { productionLines } from '../production-lines.ts';
import { type Found, quote } from './rule.ts';

const GIVEN = /,\s*err\s*:?=\s*[\w.]+\(/g;
const DROPPED = /,\s*_\s*:?=\s*[\w.]+\(/g;

/** `time.ParseDuration(` and the names of what it gives before the error. */
const callOf = (code: string): string | undefined => {
  const [, names = '', call = ''] = /([\w\s,]+),\s*(?:err|_)\s*:?=\s*([\w.]+\(.*)$/.exec(code) ?? [];
  return call === '' ? undefined : `${names.replace(/^\s*if\b/, '').trim()} ${call.split(';')[0]?.trim()}`;
};

export function ignoredErrors(look: Look, file: LookFile): readonly Found[] {
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

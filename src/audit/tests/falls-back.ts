/** `f(x) ?? expected`: what is asked may be nothing, or what is expected is what the code says. */
import { sidesOf } from './tautology.ts';

const ELSE = /\s*(?:\?\?|\|\||\?:|\bor\b)\s*|\.(?:unwrap_or|or_else|orElse|getOrElse|GetValueOrDefault|or)\(/;
const MAY = /\?\?|\|\||\?:|\bor\b|unwrap_or|orElse|OrElse|OrDefault/;
/** Nothing and nothing else: to make `undefined` and `null` one is no cheat. */
const NOTHING = /^(?:null|undefined|None|nil|''|0|\[\]|\{\}|false|False|void 0)$/;
/** `assert (f(x) or want) == want`, in either order. */
const PLAIN = /^assert\s*\((.+?)\s*\bor (.+?)\)\s*==\s*(.+)$|^assert\s+(.+?)\s*==\s*\((.+?)\s*\bor (.+?)\)$/;

/** A new test may be about the very method that falls back. */
const METHOD = /unwrap_or|or_else|orElse|OrElse|OrDefault|\.or\(/;

/** Why one side of an assertion gives way to the other, or nothing. */
export function fallsBack(text: string, { isNew }: { readonly isNew: boolean }): string | undefined {
  if (!MAY.test(text) || (isNew && METHOD.test(text))) return undefined;
  const [, asked, other, wanted, alone, first, second] = PLAIN.exec(text) ?? [];
  const sides =
    asked === undefined && alone === undefined
      ? sidesOf(text)
      : ([`${asked ?? first} or ${other ?? second}`, wanted ?? alone ?? ''] as const);
  if (!sides) return undefined;
  const [a, b] = sides.map(inner) as [string, string];
  return either(a, b) ?? either(b, a);
}

function either(side: string, other: string): string | undefined {
  const at = ELSE.exec(side);
  if (!at || other === '' || NOTHING.test(other)) return undefined;
  const [first, second] = [side.slice(0, at.index).trim(), inner(side.slice(at.index + at[0].length))];
  if (first === other) return 'compares the code with itself';
  const last = at[0].endsWith('(') ? second.replace(/\)$/, '') : second;
  return last === other ? 'takes what is expected where the code gives nothing' : undefined;
}

/** Without brackets around all of it. */
const inner = (text: string): string => {
  const own = text.trim();
  return /^\([^()]*(?:\([^()]*\)[^()]*)*\)$/.test(own) ? own.slice(1, -1).trim() : own;
};

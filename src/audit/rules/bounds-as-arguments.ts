/** Numbers that a command of a gate is given, where only its name says what they bound: `mincover.sh cover.out 85`. */
import type { Line, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { type Found, quote } from './rule.ts';

/** What is measured, and that more of it is better. */
const BETTER =
  /(?<!dis|re|un)cover|(?<![a-z])[lg]?cov(?![a-z])|mincov|jacoco|cobertura|tarpaulin|\bnyc\b|mutation|\bmsi\b|score|quality/i;
/** What is measured, and that less of it is better. */
const WORSE =
  /size|budget|bytes|complexity|duplicat|latency|max[-_]?(?:warn|err|issue|viol|line)|benchmark|regression/i;
const MEASURES = new RegExp(String.raw`(?:${BETTER.source}|${WORSE.source})[^\n]*\d`, 'gi');

/** A number that is a word of its own. */
const NUMBER = /(?<=[\s="'])(\d+(?:\.\d+)?)(?=%?(?:["'\s;|&)\\,]|$))/g;
/** The option that a number belongs to. */
const OPTION = /(?:^|\s)(-{1,2}[A-Za-z][\w.-]*|\w+)=$|(?:^|\s)(-{1,2}[A-Za-z][\w.-]*)\s+["']?$/;
const BOUND =
  /min|max|thresh|fail|under|over|cov|score|limit|least|most|budget|percent|pct|total|^--?(?:line|branch|function|statement|instruction)s?$|^-[tmlf]$/i;

/** A little more is how projects grow; this much more is no limit. */
const GROWTH = 1.25;

export function looserArguments(file: LookFile): readonly Found[] {
  const old = linesWith(file.removed, MEASURES);
  if (old.length === 0) return [];
  const now = linesWith(file.added, MEASURES);
  const added = new Map(now.map(line => [shapeOf(line), line]));
  return old.flatMap((line): readonly Found[] => {
    const next = added.get(shapeOf(line));
    if (!next) return [];
    const numbers = boundsIn(next);
    return boundsIn(line).flatMap(({ value, isFloor }, at): readonly Found[] => {
      const to = numbers[at]?.value;
      if (to === undefined || (isFloor ? to >= value : to <= value * GROWTH)) return [];
      const message = `the bound in ${quote(next.text)} went from ${value} to ${to}`;
      return [{ message, path: file.path, line: next.number }];
    });
  });
}

/** The line with its numbers left out: the same command with another bound. */
const shapeOf = ({ code }: Line): string => code.trim().replace(NUMBER, '#');

interface Bound {
  readonly value: number;
  /** Lower asks for less. */
  readonly isFloor: boolean;
}

/** Those that stand behind a word for what is measured, in one command. */
function boundsIn({ code }: Line): readonly Bound[] {
  return code.split(/&&|\|\|?|;/).flatMap(part => {
    const [better, worse] = [part.search(BETTER), part.search(WORSE)];
    if (better < 0 && worse < 0) return [];
    return [...part.matchAll(NUMBER)].flatMap((match): readonly Bound[] => {
      const before = part.slice(0, match.index);
      const option = OPTION.exec(before);
      const key = option?.[1] ?? option?.[2];
      if (key === undefined ? /:\s*["']?$/.test(before) : !BOUND.test(key)) return [];
      const isFloor = better >= 0 && better < match.index && !/max/i.test(key ?? '');
      if (!isFloor && (worse < 0 || worse > match.index)) return [];
      const value = Number(match[1]);
      return value === 0 || (isFloor && value > 100) ? [] : [{ value, isFloor }];
    });
  });
}

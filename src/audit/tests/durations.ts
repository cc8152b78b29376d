/** How long a test waits for a condition. */
import { assertionsOf } from './assertions.ts';
import type { TestCase } from './test-case.ts';

const WAITS =
  /[eE]ventually|[tT]imeout|[dD]eadline|atMost|at_most|[wW]ait|\bwithin\b|[pP]oll|[uU]ntil|[rR]etry|Consistently/;

const UNITS: Readonly<Record<string, number>> = { n: 1e-6, u: 1e-3, mi: 1, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The milliseconds in a unit such as `Millisecond`, `seconds`, `MINUTES`, `secs`. */
function unitOf(word: string): number {
  const name = word.toLowerCase();
  if (/^milli|^ms/.test(name)) return UNITS.ms ?? 1;
  if (/^nano/.test(name)) return UNITS.n ?? 1;
  if (/^micro/.test(name)) return UNITS.u ?? 1;
  return UNITS[name[0] ?? ''] ?? 0;
}

const WORD = '(nano(?:second)?s?|micro(?:second)?s?|milli(?:second)?s?|ms|sec(?:ond)?s?|min(?:ute)?s?|hours?)';

/** A number with its unit, in the notations of many libraries. */
const FORMS: readonly RegExp[] = [
  new RegExp(String.raw`(\d[\d_]*)\s*\*\s*time\.${WORD}`, 'gi'),
  new RegExp(String.raw`()time\.${WORD}\b(?!\s*\*)`, 'gi'),
  new RegExp(String.raw`()time\.${WORD}\s*\*\s*(\d[\d_]*)`, 'gi'),
  new RegExp(String.raw`\b(?:Duration|TimeSpan)(?:\.of|\.From|::from_)()${WORD}\(\s*(\d[\d_]*)`, 'gi'),
  new RegExp(String.raw`(\d[\d_]*)\s*,\s*(?:TimeUnit\.)?${WORD}\b`, 'gi'),
  new RegExp(String.raw`(\d[\d_]*)\.${WORD}\b`, 'gi'),
  new RegExp(String.raw`\btimedelta\(()${WORD}\s*=\s*(\d[\d_.]*)`, 'gi'),
  new RegExp(String.raw`(?<=[\s(,])()\.${WORD}\(\s*(\d[\d_.]*)`, 'gi'),
];
const BARE = /\b(?:timeout|wait|deadline|max_wait|timeoutMs)\s*(?::|=(?!=))\s*(\d[\d_]*(?:\.\d+)?)/g;

/** The longest duration with a unit, in milliseconds; 0 if there is none. */
function longestIn(text: string): number {
  let most = 0;
  for (const form of FORMS) {
    for (const match of text.matchAll(form)) {
      const number = Number((match[1] || match[3] || '1').replaceAll('_', ''));
      most = Math.max(most, number * unitOf(match[2] ?? ''));
    }
  }
  return most;
}

/** An upper bound on a duration. */
const AT_MOST = /<|[lL]ess|[bB]elow|[aA]t_?[mM]ost|\b[wW]ithin|InRange|[bB]etween|[tT]imeout|^if .*>/;
const UNIT = /milli|sec|\bms\b|minute|\bmins?\b|hour|micro|nano/i;

/** The factor by which an upper bound on a duration grew; undefined if no duration is asserted. */
export function grownTime(before: string, after: string): number | undefined {
  if (!UNIT.test(before) || !UNIT.test(after) || !AT_MOST.test(after)) return undefined;
  const [from, to] = [longestIn(before), longestIn(after)];
  return from > 0 && to > 0 && from !== to ? to / from : undefined;
}

/** The longest wait in milliseconds; numbers without a unit are compared only with each other. */
export function longestWait(test: TestCase): number {
  if (!WAITS.test(test.bare)) return 0;
  const lines = test.code.split('\n').filter(line => WAITS.test(line));
  const asked = assertionsOf(test).flatMap(({ text }) => (WAITS.test(text) ? [text] : []));
  const text = [...lines, ...asked].join('\n');
  let most = longestIn(text);
  for (const match of text.matchAll(BARE)) {
    const number = Number((match[1] ?? '').replaceAll('_', ''));
    most = Math.max(most, number < 1000 ? number * 1000 : number);
  }
  return most;
}

/** Recurring failures: one name for the same failure in any item and run, and what fixed it. */
import type { Evidence, Verdict } from '../protocol.ts';
import { once } from '../util/once.ts';
import { oneLine } from '../util/show.ts';
import type { SaidLesson } from './lesson.ts';
import { isEveryday, termsOf } from './words.ts';

export interface NamedFailure {
  /** `gate-red npm test: cannot find module #`. */
  readonly failure: string;
  /** The line it was named after, as it was printed. */
  readonly line: string;
}

const LINE = 160;
const TELLING =
  /\berrors?\b|\bfail(?:ed|ure|s)?\b|\bexpected\b|\bcannot\b|\bcan't\b|\bnot found\b|\bundefined\b|✗|✕|×|E\d{3,}/i;
/** A tally at the end of an output says that something failed, not what. */
const TALLY =
  /^\W*(?:tests?|test (?:files|suites)|suites?|found|ran|npm)\b.*\d|^\W*\d+ (?:of \d+ )?(?:tests? |problems? )?\(?(?:failed|failing|errors?|problems?)/i;

/** The name of a rejection, where it has one that could come again elsewhere. */
export function failureOf(
  verdict: Extract<Verdict, { type: 'rejected' }>,
  evidence: Evidence | undefined,
): Partial<NamedFailure> {
  const red = [...(evidence?.verify ?? []), ...(evidence?.gates ?? [])].find(
    gate => gate.status === 'red' || gate.status === 'timeout',
  );
  switch (verdict.reason) {
    case 'gate-red':
    case 'verify-red': {
      if (!red) return {};
      const line = red.status === 'timeout' ? 'ran out of time' : tellingLine(red.tail);
      return { failure: oneLine(`${verdict.reason} ${red.name}: ${normal(line)}`, 200), line };
    }
    case 'guard': {
      const blocking = evidence?.findings.find(finding => finding.level === 'block');
      const line = oneLine(verdict.why, LINE);
      return { failure: oneLine(`guard ${blocking?.rule ?? normal(line)}`, 200), line };
    }
    case 'agent-failed':
    case 'no-change':
    case 'no-claim':
    case 'runner-died':
    case 'merge':
      return {};
  }
}

/** The first line that names the trouble, else the last one. */
function tellingLine(tail: string): string {
  const lines = tail
    .split('\n')
    .map(line => oneLine(line, LINE))
    .filter(line => /\p{L}{3}/u.test(line));
  return (
    lines.find(line => TELLING.test(line) && !TALLY.test(line)) ??
    lines.find(line => TELLING.test(line)) ??
    lines.at(-1) ??
    ''
  );
}

/** What differs from item to item is taken out: numbers, quoted names, paths. */
const normal = (line: string): string =>
  line
    .toLowerCase()
    .replace(/(["'`‘“])[^"'`’”]{1,80}["'`’”]/g, '#')
    .replace(/(?:\.{0,2}\/)?[\w.@-]+(?:\/[\w.@-]+)+/g, '#')
    .replace(/0x[0-9a-f]+|\d+(?:\.\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .trim();

/** Words of every failure, whatever it is about. */
const failing = once(
  () => new Set(termsOf('error failed failure expected received cannot found undefined exception assert missing')),
);

/** Whether a failure is of the kind that a lesson is about: they share a word that not every failure has. */
export function concerns(line: string, lesson: string): boolean {
  const about = new Set(termsOf(lesson));
  return termsOf(line).some(
    term => /\p{L}{3}/u.test(term) && about.has(term) && !failing().has(term) && !isEveryday(term),
  );
}

/** The same failure in several items, each of which got past it by changing one file that it had not touched before. */
export interface Remedy extends NamedFailure {
  readonly path: string;
  readonly items: readonly string[];
}

/** The lesson of a failure whose cause and remedy are both known. */
export function lessonOf({ failure, line, path, items }: Remedy): SaidLesson {
  const gate = /^(?:gate|verify)-red (.+?):/.exec(failure)?.[1];
  const shows = gate ? `\`${gate}\` fails with "${line}"` : line;
  return { kind: 'gotcha', text: `${shows} -> change \`${path}\`; that got ${items.join(' and ')} past it.` };
}

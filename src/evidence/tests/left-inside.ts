/** Assertions that were always made and stand now in something that may never run, or whose failure nobody hears. */
import { indentOf } from '../../util/text.ts';
import { assertionsOf } from './assertions.ts';
import { closing } from './brackets.ts';
import type { TestCase } from './test-case.ts';

interface Inside {
  readonly text: string;
  readonly line: number;
  readonly why: string;
}

/** The first assertion of before that is only found inside of such a place now. */
export function leftInside(before: TestCase, after: TestCase): Inside | undefined {
  const places = [...calledBack(after), ...neverCalled(after), ...threads(after)].filter(
    ({ head }) => !before.bare.includes(head),
  );
  if (places.length === 0) return undefined;
  const old = new Map(assertionsOf(before).map(own => [own.text, own]));
  const now = assertionsOf(after);
  const inside = (line: number) =>
    places.find(({ from, to }) => line - after.bodyLine >= from && line - after.bodyLine <= to);
  // Where something is still asked outside, the test may have been written anew.
  if (now.some(({ text, line }) => !old.has(text) && inside(line) === undefined)) return undefined;
  for (const { text, line } of now) {
    const place = inside(line);
    if (place && old.has(text)) return { text, line, why: place.why };
  }
  return undefined;
}

interface Place {
  /** As written, to tell whether it is new. */
  readonly head: string;
  /** Lines of the body, from 0. */
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length - 1;

const CALLBACKS =
  /(?:^|\n)([^\n]*?)((?:\.(?:on|once|addEventListener|forEach)\s*\(\s*(?:(['"`])[^'"`]*\3\s*,\s*)?(?=async\b|\(|function|\w+\s*=>))|\((?=async\s*(?:\(\)|function)))/g;
export const MAY_CALL_BACK = /\.(?:on|once|addEventListener|forEach)\s*\(|\(async\b/;
const SETTLED = /\bdone\b|\bresolve\b|\bnew Promise\b|\.plan\(|\bonce\(|assertions\(|hasAssertions|withResolvers/;

/** JavaScript: handlers of events, work that nobody waits for. */
function calledBack({ bare }: TestCase): readonly Place[] {
  if (!MAY_CALL_BACK.test(bare) || SETTLED.test(bare)) return [];
  return [...bare.matchAll(CALLBACKS)].flatMap((match): readonly Place[] => {
    const [, line = '', call = ''] = match;
    const open = match.index + match[0].indexOf('(', match[0].length - call.length);
    const close = closing(bare, open);
    const isAsync = /^\s*async\b/.test(bare.slice(open + 1, open + 20));
    const alone = call.startsWith('(');
    if (call.startsWith('.forEach') && !isAsync) return [];
    if (
      alone &&
      (/\b(?:await|return|yield|=|[,(])\s*$|=>|\w$/.test(line) || !/^\s*\(\s*\)\s*;?/.test(bare.slice(close + 1)))
    )
      return [];
    if (alone && /^\s*\(\s*\)\s*\./.test(bare.slice(close + 1))) return [];
    const why =
      call.startsWith('.on') || call.startsWith('.add') ? 'is only asked if an event comes' : 'is waited for by nobody';
    return [{ head: (line + call).trim(), from: lineAt(bare, open), to: lineAt(bare, close), why }];
  });
}

const FUNCTION =
  /^([ \t]*)(?:(?:async\s+)?def\s+(\w+)|(?:async\s+)?function\s+(\w+)|(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>\s*\{)/gm;

/** A function inside of the test that is only written down. */
function neverCalled({ bare }: TestCase): readonly Place[] {
  return [...bare.matchAll(FUNCTION)].flatMap((match): readonly Place[] => {
    const name = match[2] ?? match[3] ?? match[4] ?? '';
    const uses = bare.match(new RegExp(`(?<![\\w$.])${name}\\b`, 'g'))?.length ?? 0;
    const inThread = uses === 2 && new RegExp(`\\bThread\\(\\s*target\\s*=\\s*${name}\\b`).test(bare);
    if (uses > 1 && !inThread) return [];
    const from = lineAt(bare, match.index);
    const why = inThread ? 'fails in a thread, where nobody hears it' : `stands in ${name}, which nobody calls`;
    return [{ head: match[0].trim(), from, to: blockEnd(bare, from), why }];
  });
}

export const MAY_THREAD = /Thread\.new|->|lambda|proc/;

/** Ruby: a thread that nobody joins, a lambda that nobody calls. */
function threads({ bare }: TestCase): readonly Place[] {
  if (!MAY_THREAD.test(bare)) return [];
  return [
    ...bare.matchAll(/^[ \t]*(?:Thread\.new\s*(?:do\b|\{)|(?:->|lambda|proc)\s*(?:\([^)]*\)\s*)?(?:\{|do\b))/gm),
  ].flatMap((match): readonly Place[] => {
    const from = lineAt(bare, match.index);
    const lines = bare.split('\n');
    const oneLine = /\}[^\n]*$/.test(lines[from] ?? '');
    const to = oneLine ? from : blockEnd(bare, from);
    if (/(?:\}|\bend)\.(?:join|value|call|\(|\[|each)/.test(lines.slice(from, to + 2).join('\n'))) return [];
    return [{ head: match[0].trim(), from, to, why: 'stands in something that nobody waits for' }];
  });
}

function blockEnd(bare: string, from: number): number {
  const lines = bare.split('\n');
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() !== '' && indentOf(line) <= indentOf(lines[from] ?? '')) return at - 1;
  }
  return lines.length - 1;
}

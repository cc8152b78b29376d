/** Tests that pass now because what they ask fails. */
import { indentOf } from '../../util/text.ts';
import { normalize } from './assertion-text.ts';
import { assertionsOf } from './assertions.ts';
import type { TestCase } from './test-case.ts';

export interface Reversed {
  /** What makes a failure pass. */
  readonly by: string;
  readonly asked: string;
  readonly line: number;
}

/** Marks on a whole test. */
const HEAD =
  /#\[should_panic\b[^\]]*\]|@Test\s*\([^)]*\bexpected(?:Exceptions)?\s*=[^)]*\)|\bExpectedException\b(?:\([^\n\]]*\))?/;

/** Everything behind it, in the rest of the line and in the lines below that stand deeper. */
const BEFORE =
  /\b(?:raises|assertRaises\w*|assertThrows\w*|assertThatThrownBy|assertThatExceptionOfType|assertFails\w*|shouldThrow\w*|shouldFail\w*|assert_raises?\w*|assert_throws?\w*|expectThrows|XCTAssertThrowsError|withKnownIssue|catch_unwind|[tT]hrows(?:Any|Exactly|Exception|Error|Async)*(?=\s*[(<])|(?:assert|t)\.rejects(?=\()|XCTExpectFailure(?=[^\n]*\{)|Panics\w*(?=\()|EXPECT_(?:ANY_)?THROW|ASSERT_(?:ANY_)?THROW)\b(?=\s*[({<,\w])/;
/** Everything in front of it, in its line and in the lines above that stand deeper. */
const BEHIND =
  /\.(?:to(?:Throw\w*|Reject\w*)|rejects\b|to\s+raise_error|to\s+raise_exception|should\.throw|to\.throw|Should\(\)\s*\.Throw\w*)|,\s*Throws\./;
/** The rest of the test. */
const FROM_HERE =
  /\bexpectException(?:Object)?\s*\(|\bXCTExpectFailure\b|\bthrown\.expect\s*\(|\bexception\.expect\s*\(/;

const MAY = new RegExp([BEFORE.source, BEHIND.source, FROM_HERE.source].join('|'));

const SHORTEST = 8;

/** An assertion that is as it was, in a place where its failure is what the test waits for. */
export function expectsFailure(before: TestCase, after: TestCase): Reversed | undefined {
  const head = after.head === before.head ? undefined : HEAD.exec(after.head)?.[0];
  const marked = head !== undefined && !HEAD.test(before.head);
  // Whatever waits for a failure takes some letters.
  if (!marked && (after.code.length < before.code.length + SHORTEST || !MAY.test(after.code))) return undefined;
  const asks = assertionsOf(before).filter(({ text }) => !MAY.test(text));
  if (marked) {
    const now = new Set(assertionsOf(after).map(({ text }) => text));
    const kept = asks.find(({ text }) => now.has(text))?.text ?? (before.code === after.code ? after.name : undefined);
    return kept === undefined ? undefined : { by: head, asked: kept, line: after.line };
  }
  const [old, regions] = [regionsOf(before.code), regionsOf(after.code)];
  for (const { by, at, text, isRest } of regions) {
    if (isRest && !isAllThatCame(before.code, after.code)) continue;
    const asked = asks.find(ask => text.includes(ask.text) && !old.some(region => region.text.includes(ask.text)));
    if (asked) return { by, asked: asked.text, line: after.bodyLine + at };
  }
  return undefined;
}

interface Region {
  readonly by: string;
  /** Line of the body, from 0. */
  readonly at: number;
  readonly text: string;
  readonly isRest: boolean;
}

function regionsOf(code: string): readonly Region[] {
  if (!MAY.test(code)) return [];
  const lines = code.split('\n');
  return lines.flatMap((line, at): readonly Region[] => {
    const by = line.trim();
    const made = (text: string, isRest = false): readonly Region[] => [
      { by, at, text: normalize(text).replace(/#(?:expect|require)\(/g, 'assert('), isRest },
    ];
    const prefix = BEFORE.exec(line);
    if (prefix)
      return made([line.slice(prefix.index + prefix[0].length), ...deeper(lines.slice(at + 1), line)].join('\n'));
    const postfix = BEHIND.exec(line);
    if (postfix) {
      const above = deeper(lines.slice(0, at).toReversed(), line).toReversed();
      return made([...above, line.slice(0, postfix.index)].join('\n'));
    }
    return FROM_HERE.test(line) ? made(lines.slice(at + 1).join('\n'), true) : [];
  });
}

/** The lines that follow, as long as they stand deeper than this one. */
function deeper(lines: readonly string[], line: string): readonly string[] {
  const end = lines.findIndex(other => other.trim() !== '' && indentOf(other) <= indentOf(line));
  return end < 0 ? lines : lines.slice(0, end);
}

/** Nothing new is called that could fail instead. */
function isAllThatCame(before: string, after: string): boolean {
  const old = new Set(before.split('\n').map(line => line.trim()));
  return after.split('\n').every(line => old.has(line.trim()) || /expect|thrown|XCTExpectFailure|^\s*$/.test(line));
}

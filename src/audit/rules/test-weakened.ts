/**
 * Tests that assert less than before.
 *
 *     - expect(total(cart)).toBe(3);
 *     + expect(total(cart)).toBeDefined();
 */
import { once, oncePer } from '../../util/once.ts';
import { goneNames, mentioned } from '../gone-names.ts';
import type { Look, LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { literalsOf } from '../tests/assertion-text.ts';
import { asksTheSame, assertionsOf } from '../tests/assertions.ts';
import { compareTests, type Pair } from '../tests/compare.ts';
import { isFieldOfKnown } from '../tests/compared-as-whole.ts';
import { ownAnswer } from '../tests/compares-with-itself.ts';
import { helperAssertions, unknownMacros } from '../tests/helpers.ts';
import { commentedRows, lostRows } from '../tests/table-rows.ts';
import type { Assertion } from '../tests/test-case.ts';
import { loosened, matchAssertions } from '../tests/weakened-assertion.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testWeakened: Rule = {
  id: 'test-weakened',
  level: 'block',
  protects: 'tests',
  about: 'An assertion of an existing test was removed or weakened, or rows of a test table were removed.',
  check: look => {
    const { pairs, fresh } = compareTests(look);
    const changed = pairs.filter(
      ({ before, after }) => before.test.code !== after.test.code || before.test.head !== after.test.head,
    );
    const rows = look.files.flatMap(file => (file.role === 'test' ? fewerRows(look, file) : []));
    if (changed.length === 0) return rows;
    const now: Now = {
      literals: once(() => {
        const added = look.files
          .filter(file => isTest(file.role) && file.added.length > 0)
          .map(file => codeOf(file.added).replace(ONLY_SAID, '').replace(TALK, ''));
        return new Set(literalsOf(added.join('\n')));
      }),
      texts: once(() => {
        const tests = [...pairs.map(({ after }) => after), ...fresh].map(({ test }) => test);
        return new Set(
          tests.filter(({ skip }) => skip === 'no').flatMap(test => assertionsOf(test).map(({ text }) => text)),
        );
      }),
    };
    return [...changed.flatMap(pair => weakened(look, pair, now)), ...rows];
  },
};

const isTest = (role: string): boolean => role === 'test' || role === 'test-support' || role === 'production';

/** A failure that is only logged. */
const ONLY_SAID = /^[^\S\n]*(?:if|unless)\b[^\n]*\n\s*(?:warnings\.|print|log|console\.|puts|warn\b)[^\n]*$/gm;

/** Lines that mention a value without asserting it; also mock calls without their `assert_` prefix. */
const TALK =
  /^[^\S\n]*(?:console\.|print(?:ln|f)?!?[ (]|t\.Log|log(?:ger)?\.|puts |fmt\.Print|System\.out|[\w.]+\.(?:called_(?:once_)?with|called_once|has_calls)\().*$/gm;

/** Computed on demand, which is rare. */
interface Now {
  /** Literals of the lines that were added to tests. */
  readonly literals: () => ReadonlySet<string>;
  /** The assertions of all tests. */
  readonly texts: () => ReadonlySet<string>;
}

function weakened(look: Look, { before, after }: Pair, { literals, texts }: Now): readonly Found[] {
  if ([before, after].some(({ test }) => test.skip === 'yes' || test.skip === 'todo')) return [];
  const now = assertionsOf(after.test);
  const old = asksTheSame(before.test, after.test) ? now : assertionsOf(before.test);
  // Another rule handles emptied tests.
  if (old.length === 0 || now.length === 0) return [];
  const path = after.file.path;
  const { pairs, gone, fresh } = matchAssertions(old, now);
  const name = once(() => `the test ${quote(after.test.name)}`);
  const found: Found[] = pairs.flatMap(([from, to]): readonly Found[] => {
    const why = loosened(from, to) ?? ownAnswer(from, to, after.test);
    if (why === undefined || isAskedBeside(from, to, { old, now })) return [];
    const message = `in ${name()}, ${quote(to.text)} ${why} than ${quote(from.text)}`;
    return goes(look, from) ? [] : [{ message, path, line: to.line }];
  });
  for (const assertion of old) {
    if (!assertion.awaited) continue;
    const same = now.find(({ text }) => text === assertion.text);
    if (!same || same.awaited || !WAITED_FOR.test(same.text)) continue;
    found.push({
      message: `in ${name()}, ${quote(same.text)} is no longer awaited`,
      path,
      line: same.line,
    });
  }
  // Nothing of what was asserted is left, and the new assertions are weak.
  const strong = gone.find(({ strength }) => strength >= 4);
  const weak = fresh.find(({ strength }) => strength <= 2);
  if (
    strong &&
    weak &&
    now.length <= old.length &&
    !texts().has(strong.text) &&
    !livesOn(look, strong, { added: literals(), after: after.test.code })
  ) {
    found.push({
      message: `in ${name()}, ${quote(weak.text)} asks for less than ${quote(strong.text)}`,
      path,
      line: weak.line,
    });
  }
  const fewer = now.length < old.length;
  const lost = fewer
    ? gone.filter(
        assertion =>
          !texts().has(assertion.text) &&
          !isCountedBy(assertion, now) &&
          !isSizeOfKnown(assertion, now) &&
          !isFieldOfKnown(assertion, now) &&
          !livesOn(look, assertion, { added: literals(), after: after.test.code }),
      )
    : [];
  for (const assertion of lost.slice(0, 5)) {
    if (helperTookOver(look, assertion, { before: before.test.bare, after: after.test.bare })) continue;
    const message = `the assertion ${quote(assertion.text)} of ${name()} was removed`;
    // In a rewritten test it is unclear which assertion replaced which.
    const soft = assertion.strength <= 1 || rewritten(before.test.code, after.test.code, gone.length);
    found.push({ message, path: before.file.path, line: after.test.line, ...(soft && { level: 'warn' as const }) });
  }
  if (
    after.test.cases < before.test.cases &&
    (after.test.cases > 0 || NO_CASES.test(after.test.head)) &&
    !moved(look, before.test.cases - after.test.cases)
  ) {
    const rows = before.test.cases - after.test.cases;
    const gone = literalsOf(before.test.head + before.test.code).filter(
      literal => !literals().has(literal) && !(after.test.head + after.test.code).includes(literal),
    );
    if (gone.length > 0)
      found.push({ message: `${rows} of the cases of ${name()} were removed`, path, line: after.test.line });
  }
  return found;
}

/** A table without rows. */
const NO_CASES = /\beach\(\s*\[\s*\]\s*\)|\bparametrize\([^[\n]*\[\s*\]/;

/** Matchers that return a promise. */
const WAITED_FOR =
  /^t\.(?:throwsAsync|notThrowsAsync)\(|^assert\.(?:rejects|doesNotReject)\(|^(?:supertest|request|agent|chai\.request)\(.*\.expect\(|\b(?:resolves|rejects|eventually)\b|(?:Throws?|ThrowExactly|NotThrow|ThrowsException|ThrowsAny)Async\b|CompleteWithinAsync|\.to(?:BeVisible|BeHidden|BeAttached|BeChecked|BeEnabled|BeDisabled|BeFocused|ContainText|HaveText|HaveURL|HaveTitle|HaveCount|HaveValue|HaveAttribute|HaveClass|HaveScreenshot)\(/;

/** Rows that a table beside the tests lost and that no other test gained. */
function fewerRows(look: Look, file: LookFile): readonly Found[] {
  const { defined } = goneNames(look);
  const [noted] = commentedRows(file).filter(({ code }) => mentioned(defined, code) === undefined);
  if (noted) {
    const message = `the case ${quote(noted.code)} is a comment now; tests no longer go through it`;
    return [{ message, path: file.path, line: noted.number }];
  }
  const rows = lostRows(file);
  if (rows.length === 0) return [];
  const lost = rows.filter(({ code }) => mentioned(defined, code) === undefined);
  const [first] = lost;
  if (!first || moved(look, lost.length)) return [];
  const elsewhere = look.files
    .filter(other => other !== file && other.added.length > 0)
    .map(({ added }) => codeOf(added));
  if (elsewhere.some(code => code.includes(first.code.trim()))) return [];
  const message = `${lost.length} of the cases that tests go through were removed, such as ${quote(first.code)}`;
  return [{ message, path: file.path, line: first.number }];
}

/** Whether other new assertions of the test, at least as strong, contain all its values. */
function isAskedBeside(
  from: Assertion,
  to: Assertion,
  { old, now }: Record<'old' | 'now', readonly Assertion[]>,
): boolean {
  const texts = new Set(old.map(({ text }) => text));
  const strong = now.filter(
    other => other !== to && !texts.has(other.text) && other.strength >= Math.max(4, from.strength - 1),
  );
  const known = new Set([...strong, to].flatMap(({ literals }) => literals));
  return strong.length > 0 && from.literals.length > 0 && from.literals.every(literal => known.has(literal));
}

const CALLS = /\.(?:mock\.calls|args|getCalls\(\)|call_args_list|mock_calls|method_calls|calls)\b/;

/** An assertion on the number of calls is redundant if all calls are compared. */
const isCountedBy = ({ text, subject }: Assertion, now: readonly Assertion[]): boolean =>
  (/CalledTimes|CalledOnce|callCount|call_count|calledOnce|assert_called_once\(/.test(text) &&
    now.some(other => other.strength === 5 && CALLS.test(other.subject) && other.subject.startsWith(root(subject)))) ||
  // The same holds for the size of a list that is compared as a whole.
  (SIZE.test(text) && now.some(other => WHOLE.test(other.text) && other.subject.startsWith(root(subject))));

const SIZE = /\b(?:hasSize|HaveCount|HaveLen|shouldHaveSize|Has\.Count|Len|isNotEmpty|NotBeEmpty)\b/;
const WHOLE =
  /containsExactly|ContainExactly|\.isEqualTo\(|\.(?:Be|Equal|BeEquivalentTo)\(|Is\.(?:EqualTo|EquivalentTo)\(|To\((?:Equal|ConsistOf)\(|\bshouldBe\b|\.Equal\(|assert_eq!/;

/** An assertion on a size is redundant if the whole collection is compared. */
function isSizeOfKnown({ subject }: Assertion, now: readonly Assertion[]): boolean {
  const [, of, inside] = /^(.+)\.(?:length|size|count)$|^len\((.+)\)$/.exec(subject) ?? [];
  const rows = of ?? inside;
  return rows !== undefined && now.some(other => other.strength === 5 && other.subject === rows);
}

const root = (subject: string): string => /^[\w$.]*?[\w$]+(?=$|[^\w$])/.exec(subject)?.[0] ?? subject;

/** Whether there are more new lines than removed assertions. */
function rewritten(before: string, after: string, gone: number): boolean {
  const old = new Set(before.split('\n').map(line => line.trim()));
  const fresh = after.split('\n').filter(line => /\w/.test(line) && !old.has(line.trim())).length;
  return fresh > Math.max(1, gone);
}

/** Whether its subject no longer exists, or its values are asserted elsewhere. */
function livesOn(
  look: Look,
  assertion: Assertion,
  { added, after }: { readonly added: ReadonlySet<string>; readonly after: string },
): boolean {
  if (goes(look, assertion)) return true;
  const own = assertion.literals.filter(literal => literal.length > 0 && !/^\$[.[]/.test(literal));
  if (own.length === 0) return false;
  const { documents, joined } = partsOf(added);
  if (documents.some(values => own.every(literal => values.has(literal)))) return true;
  return (
    own.every(literal => added.has(literal) || (literal.length >= 6 && joined.includes(literal))) &&
    !(own.length === 1 && /^[01]?$/.test(own[0] ?? '') && !after.includes(assertion.subject))
  );
}

interface Parts {
  /** The values of single fields, for each document that is compared as a whole. */
  readonly documents: readonly ReadonlySet<string>[];
  /** All literals, joined by a separator that none contains. */
  readonly joined: string;
}

const partsOf = oncePer((literals: ReadonlySet<string>): Parts => {
  const documents = [...literals].filter(literal => /^\s*[{[]/.test(literal));
  return {
    documents: documents.map(document => new Set(document.split(/[^\w.@+-]+/))),
    joined: [...literals].join('\0'),
  };
});

/** Whether the change removed the field, function or text that it asserts from production code. */
function goes(look: Look, { text }: Assertion): boolean {
  const { defined, words } = goneNames(look);
  if (defined.size === 0 && words.size === 0) return false;
  const properties = [...text.matchAll(/(?:\.|['"])([A-Za-z_]\w{2,})/g)].map(match => match[1] ?? '').join(' ');
  return mentioned(defined, text) !== undefined || mentioned(words, properties) !== undefined;
}

/** Whether the test has a new call of a function that asserts at least as much. */
function helperTookOver(
  look: Look,
  { strength }: Assertion,
  { before, after }: { readonly before: string; readonly after: string },
): boolean {
  const calls = (bare: string) =>
    new Set([...bare.matchAll(/(?<![\w$])([A-Za-z_]\w*)!?\s*\(/g)].map(match => match[1] ?? ''));
  const old = calls(before);
  if (unknownMacros(look, after).some(name => !old.has(name))) return true;
  const fresh = [...calls(after)].filter(name => !old.has(name));
  return fresh.some(name => (helperAssertions(look, name) ?? []).some(own => own.strength >= strength - 1));
}

/** Whether other tests gained as many rows. */
function moved(look: Look, rows: number): boolean {
  const { pairs, fresh } = compareTests(look);
  const won = pairs.reduce((sum, { before, after }) => sum + Math.max(0, after.test.cases - before.test.cases), 0);
  return won + fresh.reduce((sum, { test }) => sum + test.cases, 0) >= rows;
}

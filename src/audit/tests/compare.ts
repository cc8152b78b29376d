/** Matches the tests before a change with those after it; tests may be moved, renamed, and put into other files. */
import { once, oncePer } from '../../util/once.ts';
import type { Look, LookFile } from '../look.ts';
import { isTestName } from '../roles.ts';
import { assertionsOf } from './assertions.ts';
import type { TestCase } from './test-case.ts';

export interface Placed {
  readonly file: LookFile;
  readonly test: TestCase;
}

export interface Pair {
  readonly before: Placed;
  readonly after: Placed;
}

export interface Compared {
  readonly pairs: readonly Pair[];
  readonly gone: readonly Placed[];
  readonly fresh: readonly Placed[];
}

/** Every test after the change, with its former version if there is one. */
export function testsNow(look: Look): readonly { readonly after: Placed; readonly before: Placed | undefined }[] {
  const { pairs, fresh } = compareTests(look);
  return [...pairs, ...fresh.map(after => ({ after, before: undefined }))];
}

export const compareTests = oncePer((look: Look): Compared => compare(look));

const KEYS: readonly ((placed: Placed) => string)[] = [
  ({ file, test }) => `${file.path}\n${test.group}\n${test.name}`,
  ({ file, test }) => `${file.path}\n${test.name}`,
  ({ test }) => `${test.group}\n${test.name}`,
  ({ test }) => test.name,
];

/** Above this many pairs only names count, because comparing every body with every other takes too long. */
const BODIES = 20_000;

function compare({ files }: Look): Compared {
  let gone: Placed[] = files.flatMap(file => file.before.tests.map(test => ({ file, test })));
  // If test files follow a naming pattern, a new file without it is run by nobody.
  const named = gone.some(({ file }) => file.language === 'js' && isTestName(file.path));
  const isRun = (file: LookFile) =>
    !named ||
    file.language !== 'js' ||
    file.before.text !== '' ||
    isTestName(file.path) ||
    /__tests__\//.test(file.path);
  let fresh: Placed[] = files.flatMap(file => (isRun(file) ? file.after.tests.map(test => ({ file, test })) : []));
  const pairs: Pair[] = [];
  for (const key of KEYS) {
    if (gone.length === 0) break;
    const left = new Map<string, Placed[]>();
    for (const placed of gone) append(left, key(placed), placed);
    const rest: Placed[] = [];
    for (const after of fresh) {
      const before = left.get(key(after))?.shift();
      if (before) pairs.push({ before, after });
      else rest.push(after);
    }
    fresh = rest;
    gone = [...left.values()].flat();
  }
  if (gone.length * fresh.length <= BODIES) {
    const renamed = pairByBody(gone, fresh);
    pairs.push(...renamed);
    const used = new Set(renamed.flatMap(({ before, after }) => [before, after]));
    gone = gone.filter(placed => !used.has(placed));
    fresh = fresh.filter(placed => !used.has(placed));
  }
  return { pairs, gone, fresh };
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Pairs tests with different names by their bodies: most words, or all assertions, are the same. */
function pairByBody(gone: readonly Placed[], fresh: readonly Placed[]): readonly Pair[] {
  if (gone.length === 0 || fresh.length === 0) return [];
  const left = gone.map(profileOf);
  const right = fresh.map(profileOf);
  const pairs: Pair[] = [];
  const taken = new Set<Placed>();
  for (const before of left) {
    let best: { readonly placed: Placed; readonly score: number } | undefined;
    for (const after of right) {
      if (taken.has(after.placed)) continue;
      const kept = before.asks.filter(text => after.asks.includes(text)).length;
      const all = before.asks.length > 0 && kept === before.asks.length;
      const score = all ? 1 : Math.max(likeness(before.words(), after.words()), isForRows(before, after) ? 0.6 : 0);
      if (score < 0.3 || score <= (best?.score ?? 0)) continue;
      if (score >= 0.6 || isAnew(before, after)) best = { placed: after.placed, score };
    }
    if (!best) continue;
    taken.add(best.placed);
    pairs.push({ before: before.placed, after: best.placed });
  }
  return pairs;
}

/** Lazy, because there may be hundreds on each side, and most differ at first glance. */
interface Profile {
  readonly placed: Placed;
  readonly asks: readonly string[];
  readonly words: () => ReadonlySet<string>;
  readonly literals: () => readonly string[];
  readonly strength: () => number;
}

function profileOf(placed: Placed): Profile {
  const { test } = placed;
  return {
    placed,
    asks: assertionsOf(test).map(({ text }) => text),
    words: once(() => wordsOf(test.code)),
    literals: once(() =>
      [...new Set(assertionsOf(test).flatMap(({ literals }) => literals))].filter(literal => literal.length > 1),
    ),
    strength: once(() => assertionsOf(test).reduce((sum, { strength }) => sum + strength, 0)),
  };
}

const isForRows = (before: Profile, after: Profile): boolean =>
  before.placed.file === after.placed.file && becameRows(before.placed.test, after.placed.test);

/** Whether a test may be the rewritten version of another: in the same place, and at least as strong. */
function isAnew(before: Profile, after: Profile): boolean {
  if (before.placed.file !== after.placed.file) return false;
  if (!after.placed.test.group.startsWith(before.placed.test.group)) return false;
  return before.strength() > 0 && after.strength() >= before.strength() && sameMatter(before, after);
}

/** Whether two tests share values or words of their titles; otherwise one was removed and an unrelated one added. */
function sameMatter(before: Profile, after: Profile): boolean {
  const known = before.literals();
  if (known.length < 2 || known.some(literal => after.literals().includes(literal))) return true;
  const [old, now] = [before, after].map(({ placed }) => titleWords(placed.test.name));
  return likeness(old ?? new Set(), now ?? new Set()) >= 0.2;
}

export const wordsOf = (code: string): ReadonlySet<string> => new Set(code.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?/g) ?? []);

export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const word of a) if (b.has(word)) common += 1;
  return common / (a.size + b.size - common);
}

// Tests that became rows of another test.

/** A title that is filled in per case, or a loop over cases. */
const PER_ROW = /#\{|\$\{/;
const LOOP = /\bfor\b[^\n]*\b(?:range|of|in)\b|\.(?:each|forEach)\b|\bsubTest\(/;

function becameRows(before: TestCase, after: TestCase): boolean {
  if (before.cases > 0) return false;
  if (after.cases < 2 && !PER_ROW.test(after.name) && !LOOP.test(after.bare)) return false;
  const old = titleWords(before.name);
  const now = titleWords(after.name);
  if (old.size < 2 || ![...old].every(word => now.has(word))) return false;
  const asks = new Set(assertionsOf(after).map(({ text }) => withoutInputs(text)));
  const wanted = assertionsOf(before).map(({ text }) => withoutInputs(text));
  return wanted.length > 0 && wanted.every(text => asks.has(text));
}

/** Without the arguments of inner calls, which may be a row now: `expect(fee())` for `expect(fee(stay(1, 2)))`. */
function withoutInputs(text: string): string {
  const kept = /^[\w.!]+\(/.test(text) ? 1 : 0;
  let depth = 0;
  let out = '';
  for (const sign of text) {
    if (sign === ')') depth -= 1;
    if (depth <= kept) out += sign;
    if (sign === '(') depth += 1;
  }
  return out;
}

const titleWords = (name: string): ReadonlySet<string> =>
  new Set(
    name
      .replace(/(?<=[a-z])(?=[A-Z])|_/g, ' ')
      .toLowerCase()
      .match(/[a-z]{3,}/g)
      ?.filter(word => !/^(?:test|should|the|and|with|for|when|does|not)$/.test(word)) ?? [],
  );

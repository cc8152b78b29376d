/** Reads the output of `node --test` with its `spec` reporter. */
import { isFilePath, Tally, type TestResults, type TestStatus } from './tally.ts';

const MARKS: Readonly<Record<string, TestStatus>> = { '✔': 'passed', '✖': 'failed', '﹣': 'skipped', '⚠': 'skipped' };
const LINE = /^( *)([✔✖﹣⚠▶]) (.*?)(?: \([\d.]+m?s\))?(?: # (?:SKIP|TODO).*)?$/;
const SUM = /^ℹ (tests|pass|fail|cancelled|skipped|todo) (\d+)$/;

export function readNodeSpec(text: string): TestResults | undefined {
  if (!/^ℹ tests \d+$/m.test(text) || !/^ℹ pass \d+$/m.test(text)) return undefined;
  const tally = new Tally('node:test');
  const sums = nodeSums(text, SUM);
  const open: { readonly indent: number; readonly name: string }[] = [];
  let repeating = false;
  for (const line of text.split('\n')) {
    // Failures are repeated after the totals.
    if (line.startsWith('✖ failing tests:')) repeating = true;
    else if (line.startsWith('ℹ tests ')) repeating = false;
    const match = repeating ? undefined : LINE.exec(line);
    if (!match) continue;
    const [whole, spaces = '', mark = '', name = ''] = match;
    while ((open.at(-1)?.indent ?? -1) > spaces.length) open.pop();
    const top = open.at(-1);
    const closes = top?.indent === spaces.length && top.name === name;
    if (closes) {
      open.pop();
      tally.holds();
    } else if (mark === '▶') open.push({ indent: spaces.length, name });
    else if (isFilePath(name) && MARKS[mark] === 'failed' && whole.startsWith(mark)) tally.cannotLoad(name);
    else tally.add([...open.map(suite => suite.name), name].join(' > '), MARKS[mark] ?? 'passed');
  }
  return nodeResults(tally, sums);
}

export type NodeSums = (...words: readonly string[]) => number;

export function nodeSums(text: string, pattern: RegExp): NodeSums {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, word, count] = pattern.exec(line) ?? [];
    if (word !== undefined) sums.set(word, (sums.get(word) ?? 0) + Number(count));
  }
  return (...words) => words.reduce((sum, word) => sum + (sums.get(word) ?? 0), 0);
}

/** Node counts a file that could not be loaded as a failed test, although none of its tests ran. */
export const nodeResults = (tally: Tally, sums: NodeSums): TestResults =>
  tally.results({
    passed: sums('pass'),
    failed: Math.max(0, sums('fail', 'cancelled') - tally.unloaded),
    skipped: sums('skipped', 'todo'),
  });

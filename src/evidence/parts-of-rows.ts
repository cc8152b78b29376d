/** Decisions on a piece of what a row of the tests feeds in: `1w2d`, where the row has `every 1w2d` and the same answer. */
import type { Decision } from './decisions.ts';
import type { TestRow, TestRows } from './test-rows.ts';
import { isOdd } from './values.ts';

/** At least two rows of the tests, and hardly anything beside them. */
export function partsOfRows(decisions: readonly Decision[], rows: TestRows): TestRow | undefined {
  const asking = decisions.filter(({ kind }) => kind === 'row' || kind === 'if');
  if (asking.length < 2) return undefined;
  const held = asking.flatMap(decision => rowOf(decision, rows) ?? []);
  const total = asking.length + (asking[0]?.others ?? 0);
  return new Set(held.map(({ where }) => where)).size >= 2 && held.length * 2 > total ? held[0] : undefined;
}

function rowOf({ questions, answers }: Decision, rows: TestRows): TestRow | undefined {
  const [part = ''] = questions;
  if (questions.length !== 1 || answers.length === 0 || !isOdd(part)) return undefined;
  return rows.holding(answers, ({ values, isWide }) => !isWide && values.some(value => isPartOf(part, value)));
}

/** As a word of its own. */
function isPartOf(part: string, value: string): boolean {
  const at = value.indexOf(part);
  if (at < 0 || value === part) return false;
  return !/[\p{L}\p{N}_]/u.test(value[at - 1] ?? '') && !/[\p{L}\p{N}_]/u.test(value[at + part.length] ?? '');
}

/** Finds tests that ran before and no longer run, although they were not removed from the source. */

import { compareTests, type Look, quote, some } from '../../audit/index.ts';
import type { TestResults } from '../results/tally.ts';
import type { ProofFound } from './finding.ts';
import { idMatcher } from './match.ts';

export interface Ran {
  readonly gate: string;
  readonly base: TestResults;
  readonly now: TestResults;
}

/**
 * The guards have checked the source first: a test that was removed or skipped there without a block may go. Any other missing test was
 * kept from running in another way: a narrower pattern, an early exit, a condition.
 */
export function fewerTests({ gate, base, now }: Ran, look: Look): readonly ProofFound[] {
  if (base.of !== now.of) return [];
  const { gone, pairs } = compareTests(look);
  const skipped = pairs.filter(
    ({ before, after }) => before.test.skip === 'no' && ['yes', 'todo'].includes(after.test.skip),
  );
  const excused = [...gone, ...skipped.map(({ before }) => before)];
  const explained = excused.reduce((sum, { test }) => sum + Math.max(1, test.cases), 0);
  const drop = base.executed - now.executed;
  const missing = unexplained({ base, now }, look);
  if (drop > explained) {
    const what = base.of === 'packages' ? 'packages' : 'tests';
    const which = missing.length > 0 ? `: ${some(missing.map(id => quote(id)))} did not run` : '';
    const message = `gate ${gate} executed ${now.executed} ${what}, before it was ${base.executed}${which}; make them run again, or let the item say that they may go`;
    return [{ rule: 'tests-fewer', level: 'block', message }];
  }
  if (missing.length === 0) return [];
  // A name with a number in it may be generated anew in each run.
  const level = missing.some(id => !/\d/.test(id)) ? 'block' : 'warn';
  const message = `${some(missing.map(id => quote(id)))} ran on the base in gate ${gate} and did not run now, although no test was taken out of the source`;
  return [{ rule: 'tests-fewer', level, message }];
}

/** Ids of tests that ran before and are now missing, neither renamed nor removed in the source. */
function unexplained({ base, now }: Pick<Ran, 'base' | 'now'>, look: Look): readonly string[] {
  const [before, after] = [base.ids, now.ids];
  if (!before || !after) return [];
  const lost = [...before].filter(([id, status]) => status !== 'skipped' && !ranIn(after, id)).map(([id]) => id);
  if (lost.length === 0) return [];
  const { gone, pairs } = compareTests(look);
  const touched = [
    ...gone,
    ...pairs
      .filter(
        ({ before: old, after: fresh }) =>
          old.test.name !== fresh.test.name ||
          old.test.code !== fresh.test.code ||
          old.test.head !== fresh.test.head ||
          old.test.group !== fresh.test.group ||
          old.file.path !== fresh.file.path ||
          fresh.test.skip !== 'no',
      )
      .filter(({ after: fresh }) => fresh.test.skip !== 'conditional')
      .map(pair => pair.before),
  ].map(({ file, test }) => idMatcher({ path: file.path, name: test.name }));
  return lost.filter(id => !touched.some(matches => matches(id)));
}

function ranIn(ids: NonNullable<TestResults['ids']>, id: string): boolean {
  const status = ids.get(id);
  return status !== undefined && status !== 'skipped';
}

/** What gates did to the work tree: two questions, asked at the same time. */
import { ok, type Result } from '../util/result.ts';
import type { Git } from './git.ts';

export interface SinceSnapshot {
  /** Files that were written to, also where they hold the same again. */
  readonly touched: readonly string[];
  /** Whether the work tree may be another one: something was written to, or is new. */
  readonly changed: boolean;
}

/** Against what the index holds; `without` are pathspecs of what does not count. */
export async function sinceSnapshot(git: Git, without: readonly string[]): Promise<Result<SinceSnapshot>> {
  const [touched, added] = await Promise.all([
    // Inside of a submodule git would run the filters that are configured there.
    git.list('diff-files', '--name-only', '-z', '--no-ext-diff', '--ignore-submodules=dirty'),
    git.list('ls-files', '-z', '-o', '--exclude-standard', '--', '.', ...without),
  ]);
  if (!touched.ok) return touched;
  if (!added.ok) return added;
  return ok({ touched: touched.value, changed: touched.value.length > 0 || added.value.length > 0 });
}

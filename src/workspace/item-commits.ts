/** What the commits of a run say about themselves: which item each of them finished. */
import { ok, type Result } from '../util/result.ts';
import type { Git } from './git.ts';

export interface Range {
  readonly from: string;
  readonly to: string;
  readonly run: string;
}

export interface ItemCommit {
  readonly commit: string;
  readonly run: string;
  readonly item: string;
  readonly iteration: number;
}

/** All commits of a run, also those about the plan alone; the newest first. */
export async function commitsOfRun(git: Git, { from, to, run }: Range): Promise<Result<readonly string[]>> {
  const format = '--format=%H %(trailers:key=Ralph-Run,valueonly,separator=%x2c)';
  const log = await git.text('log', '--first-parent', format, `${from}..${to}`);
  if (!log.ok) return log;
  const lines = log.value.split('\n').map(line => line.split(' '));
  return ok(lines.flatMap(([commit, of]) => (commit && of === run ? [commit] : [])));
}

const KEYS = ['Ralph-Run', 'Ralph-Item', 'Ralph-Iteration', 'Ralph-Done'];

/** Items that this run, or any where none is named, finished between two commits, oldest first. */
export async function itemsBetween(
  git: Git,
  { from, to, run }: Omit<Range, 'run'> & { readonly run?: string },
): Promise<Result<readonly ItemCommit[]>> {
  const trailers = KEYS.map(key => `%(trailers:key=${key},valueonly,separator=%x2c)`);
  const format = `--format=${['%H', ...trailers].join('%x1f')}%x00`;
  const log = await git.text('log', '--reverse', '--first-parent', format, `${from}..${to}`);
  if (!log.ok) return log;
  return ok(
    log.value.split('\0').flatMap(entry => {
      const [commit, of, item, iteration, done] = entry.trim().split('\x1f');
      if (!commit || !item || (run !== undefined && of !== run) || done === 'no') return [];
      return [{ commit, run: of ?? '', item, iteration: Number(iteration) || 0 }];
    }),
  );
}

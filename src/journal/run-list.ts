/**
 * The runs of a repository, the last one worked on first, cached in one small file, so that finding the newest does not read a thousand
 * journals. The file is stale when a run's folder was added or removed without it; then the journals are read again.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { inTurn } from '../util/file-turn.ts';
import { readText, writeOwnSoon } from '../util/files.ts';
import { firstRecord } from './read-journal.ts';
import { journalBytes, journalOf, listRunFiles, type RalphFolder } from './runs.ts';

export interface ListedRun {
  readonly run: string;
  /** The key of its plan; empty if the journal does not tell. */
  readonly plan: string;
}

const listOf = (folder: RalphFolder): string => join(folder.root, 'runs.list');

/** The same for all runs of a plan, and rarely for another plan. */
export const planKey = (plan: { readonly path: string; readonly promptText?: string | undefined }): string =>
  (plan.promptText === undefined ? plan.path : `"${plan.promptText}`).replace(/[\t\n\r]/g, ' ').slice(0, 200);

/** Newest first; undefined if the list is stale. */
function readRunList(folder: RalphFolder): readonly ListedRun[] | undefined {
  const [stamp, ...rows] = readText(listOf(folder))?.split('\n') ?? [];
  if (stamp === undefined || stamp !== stampOf(folder)) return undefined;
  const runs = rows.map(row => {
    const [run = '', plan = ''] = row.split('\t');
    return { run, plan };
  });
  // A run without a journal does not count.
  return runs[0] && journalBytes(folder, runs[0].run) > 0 ? runs : undefined;
}

/** Run ids, newest first. */
export const listRuns = (folder: RalphFolder): readonly string[] =>
  (readRunList(folder) ?? listRunFiles(folder)).map(({ run }) => run);

/** All runs with the keys of their plans, newest first. */
export const listRunsWithPlans = (folder: RalphFolder): readonly ListedRun[] =>
  readRunList(folder) ??
  listRunFiles(folder).map(({ run }) => {
    const first = firstRecord(journalOf(folder, run));
    return {
      run,
      plan: first?.type === 'run.started' ? planKey({ path: first.plan.path, promptText: first.promptText }) : '',
    };
  });

/** Moves this run to the top. Called by the owner of the lock, before anything is appended to the journal. */
export function listFirst(folder: RalphFolder, { run, plan }: ListedRun): void {
  inTurn(listOf(folder), () => {
    const others = listRunsWithPlans(folder).filter(other => other.run !== run);
    const rows = [{ run, plan }, ...others].map(each => `${each.run}\t${each.plan}`);
    writeOwnSoon(listOf(folder), [stampOf(folder), ...rows].join('\n'));
  });
}

const stampOf = ({ runs }: RalphFolder): string =>
  String(statSync(runs, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? '');

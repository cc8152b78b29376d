/**
 * The runs of a repository, the last one worked on first, in one small file: nobody has to look at a thousand journals to
 * find the newest. It holds as long as no run's folder came or went without it; then the journals are asked again.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { inTurn } from '../util/file-turn.ts';
import { readText, writeOwnSoon } from '../util/files.ts';
import { firstRecord } from './read-journal.ts';
import { journalBytes, journalOf, listRunFiles, type RalphFolder } from './runs.ts';

export interface ListedRun {
  readonly run: string;
  /** What its plan goes by; empty where its journal does not tell. */
  readonly plan: string;
}

const listOf = (folder: RalphFolder): string => join(folder.root, 'runs.list');

/** The same for every run of a plan, and seldom for another's. */
export const planKey = (plan: { readonly path: string; readonly promptText?: string | undefined }): string =>
  (plan.promptText === undefined ? plan.path : `"${plan.promptText}`).replace(/[\t\n\r]/g, ' ').slice(0, 200);

/** Newest first; undefined where the list does not hold any more. */
function readRunList(folder: RalphFolder): readonly ListedRun[] | undefined {
  const [stamp, ...rows] = readText(listOf(folder))?.split('\n') ?? [];
  if (stamp === undefined || stamp !== stampOf(folder)) return undefined;
  const runs = rows.map(row => {
    const [run = '', plan = ''] = row.split('\t');
    return { run, plan };
  });
  // A run that lost its journal is none.
  return runs[0] && journalBytes(folder, runs[0].run) > 0 ? runs : undefined;
}

/** Run ids, newest first. */
export const listRuns = (folder: RalphFolder): readonly string[] =>
  (readRunList(folder) ?? listRunFiles(folder)).map(({ run }) => run);

/** Every run with what its plan goes by, newest first. */
export const listRunsWithPlans = (folder: RalphFolder): readonly ListedRun[] =>
  readRunList(folder) ??
  listRunFiles(folder).map(({ run }) => {
    const first = firstRecord(journalOf(folder, run));
    return {
      run,
      plan: first?.type === 'run.started' ? planKey({ path: first.plan.path, promptText: first.promptText }) : '',
    };
  });

/** This run is worked on from now on. Called by whoever holds the lock, before anything is added to its journal. */
export function listFirst(folder: RalphFolder, { run, plan }: ListedRun): void {
  inTurn(listOf(folder), () => {
    const others = listRunsWithPlans(folder).filter(other => other.run !== run);
    const rows = [{ run, plan }, ...others].map(each => `${each.run}\t${each.plan}`);
    writeOwnSoon(listOf(folder), [stampOf(folder), ...rows].join('\n'));
  });
}

const stampOf = ({ runs }: RalphFolder): string =>
  String(statSync(runs, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? '');

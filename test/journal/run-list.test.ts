/** The list of runs says what their journals would, whatever happened to either. */
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { listFirst, listRuns, listRunsWithPlans } from '../../src/journal/run-list.ts';
import { journalOf, makeRalphFolder, type RalphFolder, ralphFolder } from '../../src/journal/runs.ts';

const root = mkdtempSync(join(tmpdir(), 'ralph-run-list-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function newFolder(): RalphFolder {
  const folder = ralphFolder(mkdtempSync(join(root, 'repo-')));
  makeRalphFolder(folder);
  return folder;
}

let clock = Date.now() - 1_000_000;

/** What a runner does first; its journal is newer than all before it. */
function work(folder: RalphFolder, run: string, path = `${run}.json`): void {
  const opened = Journal.open(journalOf(folder, run), () => undefined);
  if (!opened.ok) throw new Error(opened.error.message);
  const journal = opened.value;
  listFirst(folder, { run, plan: path });
  if (journal.end.seq === 0) {
    const plan = { path, format: 'prd', name: run } as const;
    const start = {
      type: 'run.started',
      run,
      plan,
      branch: 'b',
      base: 'c',
      workspace: '.',
      agent: 'a',
      gates: [],
    } as const;
    journal.append(start, clock);
  } else journal.append({ type: 'run.resumed', base: 'c' }, clock);
  journal.close();
  clock += 1000;
  utimesSync(journalOf(folder, run), clock / 1000, clock / 1000);
}

describe('the list of runs', () => {
  it('has the run that was worked on last first, also one that was resumed', () => {
    const folder = newFolder();
    for (const run of ['a', 'b', 'c', 'a']) work(folder, run);
    expect(listRuns(folder)).toEqual(['a', 'c', 'b']);
    rmSync(join(folder.root, 'runs.list'));
    expect(listRuns(folder)).toEqual(['a', 'c', 'b']);
  });

  it('has a run beside whose beginning another one began, once that has a journal', () => {
    const folder = newFolder();
    const beside = Journal.open(journalOf(folder, 'a'), () => undefined);
    listFirst(folder, { run: 'a', plan: 'a.json' });
    work(folder, 'b');
    expect(listRuns(folder)).toEqual(['b']);
    if (beside.ok) beside.value.close();
    work(folder, 'a');
    expect(listRuns(folder)).toEqual(['a', 'b']);
  });

  it('is not believed once a run came or went without it', () => {
    const folder = newFolder();
    for (const run of ['a', 'b']) work(folder, run);
    rmSync(join(folder.runs, 'b'), { recursive: true });
    expect(listRuns(folder)).toEqual(['a']);
    const kept = newFolder();
    for (const run of ['a', 'b']) work(kept, run);
    work(folder, 'c');
    mkdirSync(join(kept.runs, 'd'));
    writeFileSync(journalOf(kept, 'd'), 'from a backup\n');
    expect(listRuns(kept)).toEqual(['d', 'b', 'a']);
    expect(listRuns(folder)).toEqual(['c', 'a']);
  });

  it('is not believed where the newest run lost its journal', () => {
    const folder = newFolder();
    for (const run of ['a', 'b']) work(folder, run);
    writeFileSync(journalOf(folder, 'b'), '');
    expect(listRuns(folder)).toEqual(['a']);
  });

  it('names the plans as the journals do', () => {
    const folder = newFolder();
    for (const run of ['a', 'b', 'a']) work(folder, run, `plans/${run}.json`);
    const listed = listRunsWithPlans(folder);
    expect(listed).toEqual([
      { run: 'a', plan: 'plans/a.json' },
      { run: 'b', plan: 'plans/b.json' },
    ]);
    rmSync(join(folder.root, 'runs.list'));
    expect(listRunsWithPlans(folder)).toEqual(listed);
  });

  it('does without the journals as long as it holds', () => {
    const folder = newFolder();
    for (const run of ['a', 'b', 'c']) work(folder, run);
    // Only its folder's own time tells that a run came or went; a journal's time does not.
    const before = statSync(folder.runs).mtimeMs;
    utimesSync(journalOf(folder, 'a'), clock, clock);
    expect(statSync(folder.runs).mtimeMs).toBe(before);
    expect(listRuns(folder)).toEqual(['c', 'b', 'a']);
  });
});

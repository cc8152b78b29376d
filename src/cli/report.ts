/** `ralph report` */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { tokensOf } from '../brief/tokens.ts';
import { iterationFolder } from '../journal/runs.ts';
import { efficiency, figuresOf, showEfficiency } from '../memory/figures.ts';
import { runRecord } from '../memory/run-record.ts';
import { reportMarkdown } from '../report/markdown.ts';
import { readText } from '../util/files.ts';
import type { Handler } from './command.ts';
import { type CurrentRun, currentRun } from './current-run.ts';
import { memoryHere } from './memory-here.ts';
import { complain, print } from './print.ts';

const PATCH_CHARS = 16 * 1024;

export const report: Handler = async call => {
  const current = await currentRun(call);
  if (!current.ok) return complain(current.error, 1);
  const { folder, state } = current.value;
  const briefTokens = (iteration: number) => {
    const file = join(iterationFolder(folder, state.run, iteration), 'brief.md');
    return tokensOf(statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  };
  const patchOf = (iteration: number) =>
    (readText(join(iterationFolder(folder, state.run, iteration), 'diff.patch')) ?? '').slice(0, PATCH_CHARS);
  print(reportMarkdown({ ...current.value, briefTokens, patchOf, comparison: await comparison(current.value) }));
  return 0;
};

/** Nothing where there is no earlier run to compare with. */
async function comparison({ records }: CurrentRun): Promise<readonly string[]> {
  const here = await memoryHere();
  const before = here.ok ? here.value.memory.past.rows.flatMap(row => row.figures ?? []) : [];
  const compared = efficiency(figuresOf(runRecord({ records })), before);
  return compared.before ? showEfficiency(compared) : [];
}

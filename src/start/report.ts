/** `report()`: one run as Markdown. */
import { tokensOf } from '../brief/index.ts';
import { runFolder, unbundleCommand } from '../journal/index.ts';
import { efficiency, figuresOf, type RunFigures, runRecord, showEfficiency } from '../memory/index.ts';
import { type PastCost, reportMarkdown } from '../report/index.ts';
import { readOfIteration, sizeOfIteration } from '../util/iteration-packs.ts';
import { ok, type Result } from '../util/result.ts';
import { type CurrentRun, currentRun, type RunPlace } from './current-run.ts';
import { memoryOf } from './memory.ts';
import type { Project } from './project.ts';
import { runCommits } from './run-commits.ts';

const PATCH_CHARS = 16 * 1024;

/** The newest run, or the one that is named: items, attempts, evidence, cost, what to review. */
export async function report(place: RunPlace = {}): Promise<Result<string>> {
  const current = await currentRun(place);
  return current.ok ? ok(await reportOn(current.value)) : current;
}

export async function reportOn(current: CurrentRun & { readonly project: Project }): Promise<string> {
  const { folder, state } = current;
  const its = runFolder(folder, state.run);
  const briefTokens = (iteration: number) => tokensOf(sizeOfIteration(its, iteration, 'brief.md'));
  const patchOf = (iteration: number) =>
    (readOfIteration(its, iteration, 'diff.patch')?.toString('utf8') ?? '').slice(0, PATCH_CHARS);
  const past = pastFigures(current.project);
  return reportMarkdown({
    ...current,
    briefTokens,
    patchOf,
    unpack: unbundleCommand(its),
    comparison: comparison(current, past),
    pastCost: pastCost(past, state.run),
    commits: await runCommits(current.project, state),
  });
}

/** How runs went that are over, from their archives. */
export const pastFigures = (project: Project): readonly RunFigures[] =>
  memoryOf(project).past.rows.flatMap(row => row.figures ?? []);

/** Nothing where there is no earlier run to compare with. */
function comparison({ records }: CurrentRun, past: readonly RunFigures[]): readonly string[] {
  if (past.length === 0) return [];
  const compared = efficiency(figuresOf(runRecord({ records })), past);
  return compared.before ? showEfficiency(compared) : [];
}

/** Of these runs, but for the one that is named. */
export function pastCost(past: readonly RunFigures[], but?: string): PastCost {
  const figures = past.filter(({ run, items, costUsd }) => run !== but && items > 0 && costUsd > 0);
  return {
    runs: figures.length,
    items: figures.reduce((sum, { items }) => sum + items, 0),
    costUsd: figures.reduce((sum, { costUsd }) => sum + costUsd, 0),
  };
}

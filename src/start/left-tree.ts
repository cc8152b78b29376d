/** Uncommitted work that a run of ours left is nothing a person should commit: nobody has judged it. */
import { listRuns } from '../journal/run-list.ts';
import { type RalphFolder, readRunFast } from '../journal/runs.ts';
import { shellWord } from '../report/style.ts';
import { isCutOff } from '../state.ts';
import type { Failure } from '../util/result.ts';

/** The same refusal in other words where the newest run, of another plan, was cut off in this tree. */
export function blameRun(failure: Failure, folder: RalphFolder): Failure {
  const [run] = listRuns(folder);
  const read = run === undefined || failure.reason !== 'dirty-tree' ? undefined : readRunFast(folder, run);
  if (!read?.ok || !isCutOff(read.value.state) || read.value.state.workspace !== '.') return failure;
  const { plan, promptText } = read.value.state;
  const command = `ralph run ${shellWord(promptText ?? plan.path)}`;
  return {
    ...failure,
    message: `${failure.message}. The run ${run} was cut off here and may have left it: nothing of it has been judged`,
    hint: `Let that run keep it under a ref and go on: ${command}`,
  };
}

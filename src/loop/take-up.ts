/** Recovers a run where the last process left it: in its single work tree, or in the checkouts of its workers. */
import type { RunState } from '../state.ts';
import type { Result } from '../util/result.ts';
import { removeWorkerCheckouts } from '../workspace/index.ts';
import type { Session } from './session.ts';

export async function recover(session: Session): Promise<Result<void>> {
  if (hasWorkers(session.state)) return await (await import('./recover-workers.ts')).recoverWorkers(session);
  const { workspace, options, state } = session;
  const { recoverTree } = await import('./afterwards.ts');
  const recovered = await recoverTree(session);
  // The checkouts contain no open work: the runner died between two items.
  await removeWorkerCheckouts(workspace.repository, { folder: options.folder.worktrees, run: state.run });
  return recovered;
}

/** Whether workers with their own checkouts have open work. */
const hasWorkers = ({ openIterations, workspace }: RunState): boolean =>
  workspace !== '.' && openIterations.some(({ worker }) => worker !== undefined);

/** A run is taken up where the last process left it: by its one tree, or by the checkouts of its workers. */
import type { RunState } from '../state.ts';
import type { Result } from '../util/result.ts';
import { removeWorkerCheckouts } from '../workspace/index.ts';
import type { Session } from './session.ts';

export async function recover(session: Session): Promise<Result<void>> {
  if (hasWorkers(session.state)) return await (await import('./recover-workers.ts')).recoverWorkers(session);
  const { workspace, options, state } = session;
  const { recoverTree } = await import('./afterwards.ts');
  const recovered = await recoverTree(session);
  // Nobody has anything open in them: their runner died between two items.
  await removeWorkerCheckouts(workspace.repository, { folder: options.folder.worktrees, run: state.run });
  return recovered;
}

/** Workers with checkouts of their own were at it. */
const hasWorkers = ({ openIterations, workspace }: RunState): boolean =>
  workspace !== '.' && openIterations.some(({ worker }) => worker !== undefined);

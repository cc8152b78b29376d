/** Flags that say where a run starts have no effect on a resumed run; warn instead of ignoring them silently. */
import type { Overrides } from '../config/index.ts';
import type { RunState } from '../state.ts';

export function ignoredFlags(
  { branch, worktree }: Pick<Overrides, 'branch' | 'worktree'>,
  state: RunState | undefined,
): readonly string[] {
  if (!state) return [];
  return [
    ...(branch === undefined || branch === state.branch
      ? []
      : [`--branch ${branch} is ignored: this run continues on ${state.branch}`]),
    ...(worktree && state.workspace === '.'
      ? ['--worktree is ignored: this run started in your checkout and continues there']
      : []),
  ];
}

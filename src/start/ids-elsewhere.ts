/** The items of a run whose plan is in its worktree or on another branch: the plan here may lack some of them. */
import { join } from 'node:path';
import { openPlan } from '../plan/index.ts';
import type { RunState } from '../state.ts';
import type { Project } from './project.ts';

/** Those in the plan of its worktree, and those the run has worked on. */
export function idsElsewhere({ repository }: Project, { workspace, plan, items }: RunState): readonly string[] {
  const there = workspace === '.' ? undefined : openPlan(join(repository.root, workspace, plan.path));
  return [...new Set([...(there?.ok ? there.value.plan.ids : []), ...items.keys()])];
}

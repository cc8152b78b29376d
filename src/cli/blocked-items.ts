/** `--all`: every blocked item of a plan instead of a named one. */
import {
  findRun,
  identityOf,
  isWorkedOnElsewhere,
  type Project,
  type Refusal,
  refuse,
  runnablePlan,
} from '../start/index.ts';
import { statusIn } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { type Call, switchFlag, textFlag } from './command.ts';

/** The named item, or with `--all` all items that are blocked, by the plan or by its run. */
export function itemsMeant(call: Call, project: Project): Result<readonly string[], Refusal> {
  const [named] = call.args;
  const { name } = call.command;
  const all = switchFlag(call, 'all');
  if (all === (named !== undefined)) {
    const message = all ? `ralph ${name} takes an item or --all, not both` : `ralph ${name} needs <item> or --all`;
    return refuse(2, { reason: 'usage', message, hint: `See: ralph ${name} --help` });
  }
  if (named !== undefined) return ok([named]);
  const open = runnablePlan(project, textFlag(call, 'plan'));
  if (!open.ok) return open;
  const { plan } = open.value.plan;
  const run = findRun(project.folder, identityOf(project, open.value));
  if (!run.ok) return refuse(4, run.error);
  const { value: state } = run;
  const blocked = plan.items.filter(item => statusIn(state, item) === 'blocked').map(({ id }) => id);
  // The plan of an open run may be in its worktree or on another branch, with items that the plan here lacks.
  const elsewhere = state && isWorkedOnElsewhere(project, state) ? [...state.items] : [];
  const there = elsewhere.flatMap(([id, { status }]) => (status === 'blocked' && !plan.ids.includes(id) ? [id] : []));
  return ok([...blocked, ...there]);
}

/** What a run works on: `ralph run 3` means a group of the current plan, `--reset 3` resets it first. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isAddress } from '../plan/index.ts';
import { meantPlan, openProject, type Refusal, refuse } from '../start/index.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import { type Call, textFlag } from './command.ts';
import { markItem } from './mark.ts';

export interface Target {
  readonly plan?: string;
  readonly only?: string;
}

export async function targetOf(call: Call): Promise<Result<Target, Refusal>> {
  const [first] = call.args;
  const flag = textFlag(call, 'plan');
  const only = textFlag(call, 'only') ?? textFlag(call, 'reset');
  const rest = only === undefined ? {} : { only };
  const asNumber = first !== undefined && (await isGroup(first, flag));
  const plan = asNumber ? flag : (first ?? flag);
  if (first !== undefined && !asNumber && isLoneNumber(first)) return refuse(2, notAPlan(first));
  const milestone = textFlag(call, 'milestone');
  if (milestone !== undefined && plan !== undefined && isAddress(plan))
    return ok({ ...rest, plan: `${plan}%${milestone}` });
  if (milestone !== undefined) return refuse(2, noTracker);
  return ok({ ...rest, ...(plan === undefined ? {} : { plan }), ...(asNumber ? { only: first } : {}) });
}

/** A number that is not the name of a file. */
const isLoneNumber = (text: string): boolean => /^[1-9]\d*$/.test(text) && !existsSync(resolve(process.cwd(), text));

const noTracker: Failure = {
  reason: 'usage',
  message: '--milestone says which issues of a tracker, but no tracker is named',
  hint: 'Name it: ralph run github:owner/repo --milestone NAME',
};

/** In other tools this argument is the number of iterations. */
const notAPlan = (text: string): Failure => ({
  reason: 'plan-not-found',
  message: `there is no plan named ${text}`,
  hint: `For ${text} iterations: ralph run --max-iterations ${text}`,
});

/** A number means a group only if no file has that name and the plan is a groups plan. */
async function isGroup(text: string, plan: string | undefined): Promise<boolean> {
  if (!isLoneNumber(text)) return false;
  const cwd = process.cwd();
  const project = await openProject({ cwd, env: process.env });
  const found = project.ok ? meantPlan(project.value, plan, { toRun: true }) : project;
  return found.ok && found.value.plan.plan.format === 'groups';
}

/** Makes the item of `--reset` pending again; if a runner is live, the run itself refuses. */
export async function resetFirst(call: Call, { plan }: Target): Promise<Result<void, Refusal>> {
  const id = textFlag(call, 'reset');
  if (id === undefined) return ok(undefined);
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return project;
  const marked = markItem({ project: project.value, plan, wanted: { id, to: 'pending' } });
  return marked.ok ? ok(undefined) : marked;
}

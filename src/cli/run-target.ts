/** What a run is to work on: `ralph run 3` is a group of the plan that is here, `--reset 3` starts it anew first. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Refusal } from '../start/project.ts';
import { locatePlan, openProject } from '../start/project.ts';
import { ok, type Result } from '../util/result.ts';
import { type Call, textFlag } from './command.ts';
import { markItem } from './mark.ts';

export interface Target {
  readonly plan?: string;
  readonly only?: string;
}

export async function targetOf(call: Call): Promise<Target> {
  const [first] = call.args;
  const flag = textFlag(call, 'plan');
  const only = textFlag(call, 'only') ?? textFlag(call, 'reset');
  const rest = only === undefined ? {} : { only };
  const asNumber = first !== undefined && (await isGroup(first, flag));
  const plan = asNumber ? flag : (first ?? flag);
  return { ...rest, ...(plan === undefined ? {} : { plan }), ...(asNumber ? { only: first } : {}) };
}

/** A number names a group only where no file has that name and the plan is one of groups. */
async function isGroup(text: string, plan: string | undefined): Promise<boolean> {
  const cwd = process.cwd();
  if (!/^[1-9]\d*$/.test(text) || existsSync(resolve(cwd, text))) return false;
  const project = await openProject({ cwd, env: process.env });
  const found = project.ok ? locatePlan(project.value, plan) : project;
  return found.ok && found.value.plan.format === 'groups';
}

/** Makes the item of `--reset` pending again; where a runner is live, the run itself says so and refuses. */
export async function resetFirst(call: Call, { plan }: Target): Promise<Result<void, Refusal>> {
  const id = textFlag(call, 'reset');
  if (id === undefined) return ok(undefined);
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return project;
  const marked = markItem({ project: project.value, plan, wanted: { id, to: 'pending' } });
  return marked.ok ? ok(undefined) : marked;
}

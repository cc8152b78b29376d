/** Everything a command needs to know about where it was called: repository, config, plan. Nothing is written. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findConfig } from '../config/find.ts';
import { type Overrides, type Settings, settings as settle } from '../config/settings.ts';
import { type RalphFolder, ralphFolder } from '../journal/runs.ts';
import { planProblem } from '../loop/read-plan.ts';
import { type OpenPlan, openPlan, openPlanIn } from '../plan/open.ts';
import type { PlanFormat } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { openRepository, placeOfRepository, type Repository } from '../workspace/repository.ts';

export interface Project {
  readonly repository: Repository;
  readonly settings: Settings;
  readonly folder: RalphFolder;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Of the caller's own, asked before the built-in ones. */
  readonly formats?: readonly PlanFormat[];
}

export interface Refusal {
  /** 2: bad usage, config or plan. 4: the repository or machine is not ready. */
  readonly exit: 2 | 4;
  readonly failure: Failure;
}

export const refuse = (exit: 2 | 4, failure: Failure): Result<never, Refusal> => fail({ exit, failure });

export async function openProject(options: {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly overrides?: Overrides;
  readonly formats?: readonly PlanFormat[] | undefined;
  /** Git itself is never asked, so it need not be there. */
  readonly withoutGit?: true;
}): Promise<Result<Project, Refusal>> {
  const { cwd, env, overrides, formats, withoutGit } = options;
  const repository = await (withoutGit ? placeOfRepository : openRepository)(cwd, env);
  if (!repository.ok) return refuse(4, repository.error);
  const { root } = repository.value;
  const file = findConfig(root);
  const config = file === undefined ? ok({ config: {} }) : (await import('../config/read.ts')).readConfig(root, file);
  if (!config.ok) return refuse(2, config.error);
  return ok({
    repository: repository.value,
    settings: settle(root, config.value, overrides),
    folder: ralphFolder(root),
    cwd,
    env,
    ...(formats === undefined ? {} : { formats }),
  });
}

/** A path if there is one, words for the agent if there are spaces in it. */
export const isPromptText = (cwd: string, given: string): boolean =>
  /\s/.test(given.trim()) && !existsSync(resolve(cwd, given));

/** The plan that was named, configured or found; not necessarily one that can be run. */
export function locatePlan(project: Project, given?: string): Result<OpenPlan, Refusal> {
  const { repository, settings, cwd, formats = [] } = project;
  const path =
    given !== undefined
      ? resolve(cwd, given)
      : settings.plan !== undefined
        ? join(repository.root, settings.plan)
        : undefined;
  const plan = path === undefined ? openPlanIn(repository.root, { formats }) : openPlan(path, { formats });
  if (plan === undefined) {
    return refuse(2, {
      reason: 'no-plan',
      message: 'no plan was found here',
      hint: 'Name one: ralph run prd.json, or ralph run "what to do". Known names: prd.json, PROGRESS.md, fix_plan.md, PROMPT.md …',
    });
  }
  return plan.ok ? plan : refuse(2, plan.error);
}

/** A plan that can be run: parsed, with items, without errors. */
export function runnablePlan(project: Project, given?: string): Result<OpenPlan, Refusal> {
  const plan = locatePlan(project, given);
  if (!plan.ok) return plan;
  const problem = planProblem(plan.value);
  if (!problem) return plan;
  const file = relative(project.cwd, plan.value.path);
  return refuse(2, { ...problem, file: file.startsWith('..') ? plan.value.path : file });
}

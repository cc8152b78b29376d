/** Everything a command needs to know about where it was called: repository, config, plan. Nothing is written. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import {
  findConfig,
  loadConfigReader,
  type Overrides,
  type Settings,
  settings as settle,
  unfitOverride,
  withoutSecrets,
} from '../config/index.ts';
import { type RalphFolder, ralphFolder } from '../journal/index.ts';
import {
  boxlessPlan,
  copyFile,
  findPlan,
  isAddress,
  type OpenPlan,
  openPlan,
  openPlanIn,
  readAddress,
} from '../plan/index.ts';
import type { PlanFormat } from '../protocol.ts';
import { realPath } from '../util/paths.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { openRepository, placeOfRepository, type Repository } from '../workspace/index.ts';
import { refuseFolder } from './kinds.ts';

export interface Project {
  readonly repository: Repository;
  readonly settings: Settings;
  readonly folder: RalphFolder;
  readonly cwd: string;
  /** For agents, gates and all other programs: without what only messages need. */
  readonly env: NodeJS.ProcessEnv;
  /** As it was found. */
  readonly wholeEnv: NodeJS.ProcessEnv;
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
  const asked = (withoutGit ? placeOfRepository : openRepository)(cwd, env);
  // Loaded while git is asked: it takes as long.
  const reader = withoutGit ? undefined : loadConfigReader();
  const repository = await asked;
  if (!repository.ok) return refuse(4, repository.error);
  const { root } = repository.value;
  const folder = ralphFolder(root);
  const wrong = refuseFolder(folder, cwd);
  if (wrong) return refuse(4, wrong);
  const file = findConfig(root);
  const stray = file === undefined ? strayConfig(root, cwd) : undefined;
  if (stray) return refuse(2, stray);
  const config =
    file === undefined ? ok({ config: {} }) : (await (reader ?? loadConfigReader())).readConfig(root, file);
  if (!config.ok) return refuse(2, config.error);
  const unfit = overrides && unfitOverride(overrides);
  if (unfit) return refuse(2, unfit);
  const settings = settle(root, config.value, overrides);
  return ok({
    repository: repository.value,
    settings,
    folder,
    cwd,
    env: withoutSecrets(env, settings.notify),
    wholeEnv: env,
    ...(formats === undefined ? {} : { formats }),
  });
}

/** One that nobody reads: a run without it would have no gates. */
function strayConfig(root: string, cwd: string): Failure | undefined {
  for (let folder = realPath(cwd); folder !== root && folder.startsWith(`${root}/`); folder = dirname(folder)) {
    const found = findConfig(folder);
    if (found === undefined) continue;
    const [file, to] = [relative(cwd, found), relative(cwd, join(root, basename(found)))];
    const inside = relative(root, folder);
    return {
      reason: 'config-elsewhere',
      message: `${file} is not read: the config of a repository is at its root`,
      hint: `Move it there: mv ${quoted(file)} ${quoted(to)}\nIts paths then start at the root, and gates are run there: cd ${quoted(inside)} && ...`,
    };
  }
  return undefined;
}

/** A path if there is one, words for the agent if there are spaces in it. */
export const isPromptText = (cwd: string, given: string): boolean =>
  /\s/.test(given.trim()) && !isAddress(given) && !existsSync(resolve(cwd, given));

/** The plan that was named, configured or found; not necessarily one that can be run. */
export function locatePlan(project: Project, given?: string): Result<OpenPlan, Refusal> {
  const { repository, settings, cwd, formats = [] } = project;
  const named = given ?? settings.plan;
  if (named !== undefined && isAddress(named)) return locateIssues(project, named);
  const path =
    given !== undefined
      ? resolve(cwd, given)
      : settings.plan !== undefined
        ? join(repository.root, settings.plan)
        : undefined;
  const plan = path === undefined ? openPlanIn(repository.root, { formats, from: cwd }) : openPlan(path, { formats });
  if (plan === undefined) {
    const notes = boxlessPlan(repository.root);
    if (notes !== undefined) {
      return refuse(2, {
        reason: 'no-plan',
        message: `no plan was found here: ${notes} holds no task boxes such as "- [ ] do this"`,
        hint: `Make a plan of it: ralph plan --from ${quoted(notes)}`,
      });
    }
    const beside = findPlan(cwd);
    if (beside !== undefined) {
      return refuse(2, {
        reason: 'no-plan',
        message: 'no plan was found at the root of the repository, where plans are looked for',
        hint: `Name the one that is in this folder: ralph run ${quoted(relative(cwd, beside))}`,
      });
    }
    return refuse(2, {
      reason: 'no-plan',
      message: 'no plan was found here',
      hint: 'Make one: ralph init. Or name one: ralph run prd.json, ralph run "what to do". Known names: prd.json, PROGRESS.md, fix_plan.md, specs/*/tasks.md, PROMPT.md …',
    });
  }
  return plan.ok ? plan : refuse(2, plan.error);
}

/** Looking at issues never asks the tracker: that is for a run, or for `ralph sync`. */
function locateIssues({ folder }: Project, named: string): Result<OpenPlan, Refusal> {
  const address = readAddress(named);
  if (!address.ok) return refuse(2, address.error);
  const file = copyFile(folder.root, address.value);
  if (existsSync(file)) {
    const plan = openPlan(file);
    return plan.ok ? plan : refuse(2, plan.error);
  }
  return refuse(2, {
    reason: 'plan-not-found',
    message: `the issues of ${named} have not been fetched yet`,
    hint: `Fetch them: ralph sync ${quoted(named)}`,
  });
}

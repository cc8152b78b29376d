/**
 * Which plan a command means: the one it names; else that of the run that is open here; else the configured one; else the
 * one that is found. Nothing is written.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readRunFast, storeOf } from '../journal/index.ts';
import { type OpenPlan, openPlan, planProblem, wholePlanProblem } from '../plan/index.ts';
import { planWord } from '../report/index.ts';
import { isCutOff, type RunState } from '../state.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { oneLine, plural } from '../util/show.ts';
import { repoPath } from '../workspace/index.ts';
import { documentConflicts } from './document-conflicts.ts';
import { type PlanIdentity, samePlan } from './find-run.ts';
import { openRuns } from './open-runs.ts';
import { locatePlan, type Project, type Refusal, refuse } from './project.ts';

export interface Meant {
  readonly plan: OpenPlan;
  /** The words of a run whose plan is no file of a person's. */
  readonly promptText?: string;
  /** What a person should know about the choice, a line each. */
  readonly notes: readonly string[];
}

export interface Choice {
  /** To work on it: the whole plan must be sound, and the notes name commands that run. */
  readonly toRun?: boolean;
}

/** The plan that is meant; not necessarily one that can be run. */
export function meantPlan(project: Project, given?: string, { toRun = false }: Choice = {}): Result<Meant, Refusal> {
  if (given !== undefined) return namedPlan(project, given);
  const open = openRuns(project.folder);
  const notes: string[] = [];
  for (const [index, state] of open.entries()) {
    if (isConfiguredSince(project, state)) {
      notes.push(`the config names another plan now; ${state.run} stays open: ralph run ${wordFor(project, state)}`);
      break;
    }
    const plan = planOfRun(project, state);
    if (typeof plan === 'string') notes.push(`${state.run} is not continued: ${plan}`);
    else return ok({ ...plan, notes: [...notes, ...aboutChoice(project, state, open.slice(index + 1), toRun)] });
  }
  const located = locatePlan(project);
  if (located.ok) return ok({ plan: located.value, notes });
  const last = toRun || located.error.failure.reason !== 'no-plan' ? undefined : lastPlan(project);
  if (last) return ok({ ...last, notes });
  const { exit, failure } = located.error;
  const [first] = notes;
  return refuse(exit, first === undefined ? failure : { ...failure, message: `${failure.message}; ${first}` });
}

/** The plan that is meant, if it can be run: parsed, with items, without errors. */
export function runnablePlan(project: Project, given?: string, choice: Choice = {}): Result<Meant, Refusal> {
  const meant = meantPlan(project, given, choice);
  if (!meant.ok) return meant;
  // A mark may be what undoes a deadlock, and need not read every item.
  const { plan } = meant.value;
  const [conflict] = choice.toRun ? documentConflicts(plan.plan, project.repository.root) : [];
  const problem = choice.toRun ? wholePlanProblem(plan, conflict) : planProblem(plan);
  if (!problem) return meant;
  const file = showPath(project, plan.path);
  // Alone, `ralph check` looks at the plan that is meant without a name.
  const named = given === undefined ? '' : ` ${quoted(file)}`;
  return refuse(2, { ...problem, file, hint: `Nothing was written. See: ralph check${named}` });
}

/** What runs know a plan by. */
export function identityOf({ repository }: Project, { plan, promptText }: Omit<Meant, 'notes'>): PlanIdentity {
  if (promptText !== undefined) return { path: '', plan: plan.plan, promptText };
  return { path: repoPath(repository, plan.path) ?? plan.path, plan: plan.plan };
}

/** What runs a plan as it was meant here: `ralph run` alone, where that means the same. */
export function goOnCommand(project: Project, { plan, promptText }: Omit<Meant, 'notes'>): string {
  const bare = meantPlan(project, undefined, { toRun: true });
  if (bare.ok && bare.value.plan.path === plan.path) return 'ralph run';
  return `ralph run ${quoted(promptText ?? showPath(project, plan.path))}`;
}

/** Work that is in the tree because the runner of another run died: that run knows whose it is and where to keep it. */
export function leftByDead(project: Project, run: string): Failure | undefined {
  const dead = openRuns(project.folder).find(state => isCutOff(state) && state.run !== run && state.workspace === '.');
  return (
    dead && {
      reason: 'dead-run',
      message: `${dead.run} was cut off here, and the unverified work of its agent is still in the tree`,
      hint: `Continue that run, which keeps or sets aside the changes: ralph run ${wordFor(project, dead)}`,
    }
  );
}

/** A path as a person types it where they are. */
const showPath = ({ cwd }: Project, path: string): string => relative(cwd, path) || path;

const absolute = ({ repository }: Project, { plan }: RunState): string => resolve(repository.root, plan.path);

const wordFor = ({ cwd, repository }: Project, state: RunState): string =>
  planWord(state, { cwd, root: repository.root });

function namedPlan(project: Project, given: string): Result<Meant, Refusal> {
  const { folder, cwd } = project;
  const isRun = !existsSync(resolve(cwd, given)) && storeOf(folder).runs().includes(given);
  const read = isRun ? readRunFast(folder, given) : undefined;
  if (read && !read.ok) return refuse(4, read.error);
  const plan = read ? planOfRun(project, read.value.state) : undefined;
  if (typeof plan === 'string') return refuse(2, { reason: 'plan-gone', message: `${given} has no plan: ${plan}` });
  if (plan) return ok({ ...plan, notes: [] });
  const located = locatePlan(project, given);
  if (located.ok) return ok({ plan: located.value, notes: [] });
  const { exit, failure } = located.error;
  const its = failure.reason === 'plan-not-found' ? meantPlan(project, undefined, { toRun: true }) : undefined;
  if (!its?.ok || !its.value.plan.plan.ids.includes(given)) return located;
  const hint = `It is an item of ${showPath(project, its.value.plan.path)}: ralph run --only ${quoted(given)}`;
  return refuse(exit, { ...failure, hint });
}

type PlanOfRun = Pick<Meant, 'plan' | 'promptText'>;

/** The plan of a run as it is now, or why there is none. */
function planOfRun(project: Project, state: RunState): PlanOfRun | string {
  const { promptText } = state;
  const path = absolute(project, state);
  // The state of a sprint in its own worktree is only there.
  const open = openPlan(state.plan.format === 'sprint' && !existsSync(path) ? dirname(path) : path);
  const shown = showPath(project, path);
  if (!open.ok) {
    return existsSync(path)
      ? `${shown}: ${open.error.message}`
      : `its plan ${shown} is not here${whereElse(project, state)}`;
  }
  if (promptText !== undefined) {
    return { plan: { ...open.value, plan: { ...open.value.plan, name: oneLine(promptText, 40) } }, promptText };
  }
  const isAnother = open.value.plan.error === undefined && !samePlan(state, { path, plan: open.value.plan });
  return isAnother ? `${shown} holds another plan now; to run that: ralph run ${quoted(shown)}` : { plan: open.value };
}

/** A plan that was not committed went with the branch of its run. */
const whereElse = ({ repository }: Project, { branch, workspace }: RunState): string =>
  workspace === '.' && branch !== '' && existsSync(join(repository.commonDir, 'refs/heads', branch))
    ? `; it may be on its branch: git switch ${quoted(branch)} && ralph run`
    : '';

/** A person has named another plan in the config since the run was last worked on. */
const isConfiguredSince = ({ settings }: Project, { configured }: RunState): boolean =>
  configured !== undefined && settings.plan !== undefined && settings.plan !== configured;

function lastPlan(project: Project): PlanOfRun | undefined {
  const [run] = storeOf(project.folder).runs();
  const read = run === undefined ? undefined : readRunFast(project.folder, run);
  const plan = read?.ok && read.value.state.run !== '' ? planOfRun(project, read.value.state) : undefined;
  return typeof plan === 'object' ? plan : undefined;
}

/** One line, where something else might have been meant. */
function aboutChoice(
  project: Project,
  state: RunState,
  others: readonly RunState[],
  toRun: boolean,
): readonly string[] {
  const { settings, repository } = project;
  const which = `${state.run} (${state.promptText === undefined ? showPath(project, absolute(project, state)) : 'words'})`;
  const [other] = others;
  if (other) {
    const count = plural(others.length + 1, 'run');
    const command = `${toRun ? 'ralph run' : '--plan'} ${wordFor(project, other)}`;
    return [`${count} are open here; this is the newest, ${which}. For another: ${command}`];
  }
  const configured = settings.plan === undefined ? undefined : join(repository.root, settings.plan);
  if (!toRun || configured === undefined || covers(configured, absolute(project, state))) return [];
  return [
    `continues ${which}, which is open. For the configured plan: ralph run ${quoted(showPath(project, configured))}`,
  ];
}

/** A plan may be configured by its folder, also if its state is elsewhere, as that of groups is. */
function covers(configured: string, path: string): boolean {
  if (path === configured || dirname(path) === configured) return true;
  const open = openPlan(configured);
  return open.ok && open.value.path === path;
}

/** The branch of a new run and where it starts: each plan has one of its own, made from the branch the person is on. */
import { dirname, join } from 'node:path';
import type { Durable } from '../events.ts';
import { type RalphFolder, readRunFast, slug, storeOf } from '../journal/index.ts';
import { type OpenPlan, reparse } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import type { RunState } from '../state.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import { sameTitle } from '../util/same-title.ts';
import { quoted } from '../util/shell-word.ts';
import { firstFew } from '../util/show.ts';
import {
  type BranchChoice,
  chooseBranch,
  type Repository,
  readHead,
  refuseName,
  repoPath,
} from '../workspace/index.ts';
import { samePlan, withEarlier } from './find-run.ts';
import { branchesKeptElsewhere, claimedBranches } from './other-runs.ts';
import { type Project, type Refusal, refuse } from './project.ts';
import { isCalled, isNearlyCalled } from './run-names.ts';

export interface NewBranch extends BranchChoice {
  /** The branch of the person's that the work is for; undefined where the run works on that itself. */
  readonly from: string | undefined;
}

export interface BranchRequest {
  readonly project: Project;
  readonly plan: OpenPlan;
  readonly run: string;
  /** In a worktree of its own. */
  readonly isolated: boolean;
  /** The run whose work is marked in the plan and is on its branch alone. */
  readonly marked?: RunState;
}

type Started = Extract<Durable, { type: 'run.started' }>;

/** Decides without touching anything. */
export async function newBranch(request: BranchRequest): Promise<Result<NewBranch, Refusal>> {
  const { project, plan, run, isolated } = request;
  const { repository, settings, folder } = project;
  const head = await readHead(repository);
  const runs = startedRuns(folder);
  const owner = ownerOf(runs, head.branch);
  const isForeign = owner !== undefined && !isOfPlan(project, owner, plan);
  const before = runBefore(request, runs);
  if (!before.ok) return before;
  const start = before.value ?? (isForeign ? owner : undefined);
  const base = start ? await startCommit(project, start, before.value ? 'after' : 'beside') : head.commit;
  const person = start ?? owner;
  const from = person ? (person.from ?? (before.value ? person.branch : '')) : head.branch;
  const name = slug(plan.plan.name) || run;
  const wanted = settings.branch.replaceAll('{name}', name).replaceAll('{run}', run);
  const [field] = /\{[^{}]*\}/.exec(settings.branch.replaceAll(/\{(?:name|run)\}/g, '')) ?? [];
  if (field !== undefined) {
    const message = `branch: "${settings.branch}" has the unknown field ${field}`;
    return refuse(2, { reason: 'branch-name', message, hint: 'The fields are {name} and {run}: branch: ralph/{name}' });
  }
  // Whoever names one branch for all plans wants them all there.
  const claimed = new Set([...claimedBranches(folder), ...(await branchesKeptElsewhere(repository, folder))]);
  const isTaken = (branch: string) => {
    // Two runs on one branch would undo each other's work.
    if (claimed.has(branch)) return true;
    const other = settings.branch.includes('{') ? ownerOf(runs, branch) : undefined;
    return other !== undefined && !isOfPlan(project, other, plan);
  };
  const choice = await chooseBranch({
    repository,
    head,
    start: base,
    wanted,
    explicit: settings.branch !== 'ralph/{name}' || isForeign || before.value !== undefined,
    isolated,
    isTaken,
  });
  const { marked } = request;
  if (marked && choice.branch !== marked.branch) return await onBranchOf(request, { marked, start: base, from });
  const unfit = choice.action === 'create' ? await refuseName(repository, choice.branch) : undefined;
  if (unfit) return refuse(2, unfit);
  const isUnknown = choice.action === 'switch' && !isolated && !runs.some(each => each.branch === choice.branch);
  const forgotten = isUnknown ? await refuseForgotten(request, choice) : undefined;
  if (forgotten) return refuse(4, forgotten);
  const isOwn = choice.action !== 'stay' || owner !== undefined;
  return ok({ ...choice, from: isOwn ? from : undefined });
}

/**
 * No journal tells of the branch any more, and it has work that the plan here does not know: the plan that comes along would have that work
 * done again.
 */
async function refuseForgotten(
  { project: { repository }, plan }: BranchRequest,
  { branch, base }: BranchChoice,
): Promise<Failure | undefined> {
  const path = repoPath(repository, plan.path);
  const there = path && (await repository.git.run({ args: ['cat-file', 'blob', `${base}:${path}`] }));
  const known = there && there.ok ? reparse(plan, there.value) : undefined;
  if (!known?.ok) return undefined;
  const isDone = new Set(known.value.plan.items.flatMap(({ id, status }) => (status === 'done' ? [id] : [])));
  const ids = plan.plan.items.filter(({ id, status }) => status === 'pending' && isDone.has(id)).map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const name = quoted(branch);
  // A worktree whose folder was deleted still keeps its branch to itself.
  const listed = await repository.git.text('worktree', 'list', '--porcelain');
  const isHeld = listed.ok && listed.value.split('\n').includes(`branch refs/heads/${branch}`);
  const goOn = `${isHeld ? 'git worktree prune && ' : ''}git switch ${name} && ralph run ${quoted(path ?? plan.path)}`;
  return {
    reason: 'plan-elsewhere',
    message: `${branch} has the work of a run of which .ralph knows nothing (${firstFew(ids, 3)} done there and not here)`,
    hint: `To go on with it: ${goOn}\nTo take it over: git merge ${name}\nTo start anew beside it: git branch -m ${name} ${name}-old`,
  };
}

/**
 * What the plan has as done is on the branch of an earlier run, and nowhere else: a new branch would claim it without having it.
 * There, nothing of the person's may be left out but what comes along.
 */
async function onBranchOf(
  { project, plan }: BranchRequest,
  { marked, start, from }: { readonly marked: RunState; readonly start: string; readonly from: string },
): Promise<Result<NewBranch, Refusal>> {
  const { repository, settings } = project;
  const { branch, run } = marked;
  const tip = await repository.git.text('rev-parse', '-q', '--verify', `refs/heads/${branch}^{commit}`);
  if (!tip.ok) return refuse(4, tip.error);
  const changed = await repository.git.list('diff', '--name-only', '-z', '--no-renames', `${tip.value}...${start}`);
  if (!changed.ok) return refuse(4, changed.error);
  const along = [plan.path, settings.file].map(file => file && repoPath(repository, file));
  const [first] = changed.value.filter(path => !along.includes(path));
  if (first === undefined) return ok({ branch, base: tip.value, action: 'switch', from });
  return refuse(4, {
    reason: 'plan-elsewhere',
    message: `what ${run} did is on ${branch} and not merged, and ${from || start.slice(0, 7)} has changes that are not there, such as ${first}`,
    hint: `Merge it first: ralph merge ${quoted(run)} && ralph run ${quoted(marked.plan.path)}`,
  });
}

const startedRuns = (folder: RalphFolder): readonly Started[] =>
  storeOf(folder)
    .runs()
    .flatMap(run => {
      const first = storeOf(folder).firstRecord(run);
      return first?.type === 'run.started' ? [first] : [];
    });

/** The newest run that a branch was made for. Older journals do not say which were made; the name tells. */
const ownerOf = (runs: readonly Started[], branch: string): Started | undefined =>
  runs.find(each => each.branch === branch && (each.from !== undefined || branch.startsWith('ralph/')));

function isOfPlan({ repository, folder }: Project, { run, plan }: Started, open: OpenPlan): boolean {
  if (plan.path !== (repoPath(repository, open.path) ?? open.path)) return false;
  const read = readRunFast(folder, run);
  if (!read.ok || samePlan(read.value.state, { path: plan.path, plan: open.plan })) return true;
  // A plan that was reworded and has its marks would have them without the work on any other branch.
  const { items } = withEarlier(folder, read.value.state);
  const isKept = ({ id, title, status }: Item) => {
    const its = items.get(id);
    return status === 'done' && its?.status === 'done' && sameTitle(its.title, title);
  };
  return open.plan.items.some(isKept);
}

/** Where a plan starts that builds on another run, or on what that run was built on. */
async function startCommit(
  { repository, folder }: Project,
  { run, branch, from, base }: Started,
  where: 'after' | 'beside',
): Promise<string> {
  const tip = await tipOf(repository, where === 'after' ? branch : (from ?? ''));
  if (tip !== undefined) return tip;
  const read = where === 'after' ? readRunFast(folder, run) : undefined;
  return read?.ok ? read.value.state.tip : base;
}

async function tipOf({ git }: Repository, branch: string): Promise<string | undefined> {
  if (branch === '') return undefined;
  const tip = await git.text('rev-parse', '-q', '--verify', `refs/heads/${branch}^{commit}`);
  return tip.ok ? tip.value : undefined;
}

/** The run that this plan says it builds on. */
function runBefore({ project, plan }: BranchRequest, runs: readonly Started[]): Result<Started | undefined, Refusal> {
  const { settings, repository, folder } = project;
  const path = repoPath(repository, plan.path) ?? plan.path;
  const configured = settings.plan === undefined ? path : join(settings.plan);
  const isConfigured = configured === path || configured === dirname(path);
  const { flag, config } = settings.after;
  const name = flag ?? plan.plan.after ?? (isConfigured ? config : undefined);
  if (name === undefined) return ok(undefined);
  const others = runs.filter(each => each.plan.path !== path || each.plan.name !== plan.plan.name);
  const found = others.find(each => isCalled(each, name)) ?? others.find(each => isNearlyCalled(each, name));
  const read = found && readRunFast(folder, found.run);
  if (found && read?.ok && read.value.state.discarded) {
    const message = `after: ${found.run} was discarded, so there is nothing to build on`;
    return refuse(2, {
      reason: 'unknown-after',
      message,
      hint: `To restore it: ralph discard ${quoted(found.run)} --undo`,
    });
  }
  if (found) return ok(found);
  const known = [...new Set(others.map(each => each.plan.name))].slice(0, 8);
  return refuse(2, {
    reason: 'unknown-after',
    message: `after: no run of "${name}" was made here, so there is nothing to build on`,
    hint: known.length > 0 ? `Plans that have been run: ${known.join(', ')}` : 'No other plan has been run here yet.',
  });
}

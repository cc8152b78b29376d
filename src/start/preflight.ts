/**
 * What has to be true before a run may start, as one list: `ralph run` gives the first refusal, `ralph doctor` and
 * `--dry-run` show each. Nothing is written. The gates come after it (`baseline.ts`), because they cost the most.
 */

import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Templates } from '../brief/index.ts';
import { describeNotLocked, ralphFolder, runnerAt, seatOf } from '../journal/index.ts';
import { lessonsFile } from '../memory/index.ts';
import { isAlive, self } from '../process/index.ts';
import type { Agent } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import { besideRepositories, dirtyPaths, readHead, refuseHalfDone, repoPath } from '../workspace/index.ts';
import { refuseTwice } from './already-running.ts';
import { type ChosenAgents, type ChosenReviewer, chooseAgents, chooseReviewer } from './choose-agent.ts';
import { type ChosenSandbox, chooseSandbox } from './choose-sandbox.ts';
import type { Found } from './find-plan.ts';
import { refuseKinds, refuseReadOnly } from './kinds.ts';
import { leftByDead } from './meant-plan.ts';
import { wordsOfPlan } from './not-in-worktree.ts';
import { type Project, type Refusal, refuse } from './project.ts';
import { isIsolated, planKeyOf } from './take-over.ts';
import { readTemplates } from './templates.ts';
import { chooseGround, type Ground } from './workspace.ts';

/** In the order of the refusals. */
export interface Preflight {
  readonly agent: Result<ChosenAgents, Refusal>;
  readonly reviewer: Result<ChosenReviewer | undefined, Refusal>;
  readonly templates: Result<Templates, Refusal>;
  readonly sandbox: Result<ChosenSandbox, Refusal>;
  readonly tree: Result<void, Refusal>;
  /** Without a plan or a commit there is none: then it is that refusal again. */
  readonly branch: Result<Ground, Refusal>;
}

/** Why no state can be kept here. It is asked before there is a lock. */
export const refuseState = (project: Project): Failure | undefined => refuseReadOnly(project) ?? refuseKinds(project);

/** Why the lock could not be had. A run tries to take it instead, which nobody can do in between. */
export function refuseLocked(project: Project, now: number, found?: Result<Found, Refusal>): Failure | undefined {
  const { folder } = project;
  const seat = found?.ok && isIsolated(project, found.value) ? seatOf(folder, found.value.run) : folder;
  const owner = runnerAt(seat, { me: self(), isAlive });
  if (owner) return describeNotLocked({ reason: 'held', owner }, now);
  return found?.ok ? refuseTwice(project, { run: found.value.run, plan: planKeyOf(project, found.value) }) : undefined;
}

export async function preflight(
  project: Project,
  { found, agent }: { readonly found: Result<Found, Refusal>; readonly agent: Agent | undefined },
): Promise<Preflight> {
  const { settings, env, folder } = project;
  const templates = readTemplates(folder);
  const worker = orRefusal(chooseAgents(settings, env, agent));
  const reviewer = orRefusal(chooseReviewer(settings, env, agent));
  const agents = [
    ...(worker.ok
      ? [worker.value, ...worker.value.fallbacks, ...(worker.value.retrier ? [worker.value.retrier] : [])]
      : []),
    ...(reviewer.ok && reviewer.value ? [reviewer.value, ...reviewer.value.fallbacks] : []),
  ].map(each => each.agent.name);
  const consented = found.ok && found.value.state?.sandbox === 'none';
  // Beside the look at the tree: both wait for a program.
  const [tree, sandbox] = await Promise.all([
    checkTree(project, found.ok ? found.value : undefined),
    chooseSandbox(project, { agents, consented }),
  ]);
  return {
    agent: worker,
    reviewer,
    templates: templates.ok ? templates : refuse(2, templates.error),
    sandbox,
    tree,
    branch:
      tree.ok || tree.error.failure.reason !== 'no-commit'
        ? found.ok
          ? await chooseGround({ project, ...found.value })
          : found
        : tree,
  };
}

export interface Cleared {
  readonly chosen: ChosenAgents;
  readonly reviewer: ChosenReviewer | undefined;
  readonly templates: Templates;
  readonly sandbox: ChosenSandbox;
  readonly ground: Ground;
}

/** Everything that was found, or the first refusal. */
export function cleared({ agent, reviewer, templates, sandbox, tree, branch }: Preflight): Result<Cleared, Refusal> {
  if (!agent.ok) return agent;
  if (!reviewer.ok) return reviewer;
  if (!templates.ok) return templates;
  if (!sandbox.ok) return sandbox;
  if (!tree.ok) return tree;
  if (!branch.ok) return branch;
  return ok({
    chosen: agent.value,
    reviewer: reviewer.value,
    templates: templates.value,
    sandbox: sandbox.value,
    ground: branch.value,
  });
}

/** A program that is missing is the machine's state; everything else about an agent is the config. */
const orRefusal = <T>(chosen: Result<T>): Result<T, Refusal> =>
  chosen.ok ? chosen : fail({ exit: chosen.error.reason === 'agent-not-found' ? 4 : 2, failure: chosen.error });

async function checkTree(project: Project, found: Found | undefined): Promise<Result<void, Refusal>> {
  // A run that died left the tree as it was; recovery deals with that. Otherwise the tree has to be as git knows it.
  const dirty = found?.died ? undefined : await refuseDirty(project, found);
  if (!dirty) return ok(undefined);
  return refuse(4, (dirty.reason === 'dirty-tree' && leftByDead(project, found?.run ?? '')) || dirty);
}

/** The person's own uncommitted work is in the way only where the run would share the tree with it. */
async function refuseDirty(project: Project, found: Found | undefined): Promise<Failure | undefined> {
  const { repository, settings } = project;
  const plan = found?.plan;
  const isolated = isIsolated(project, found ?? {});
  const halfDone = isolated ? undefined : refuseHalfDone(repository);
  if (halfDone) return halfDone;
  const head = await readHead(repository);
  if (!head.commit) {
    return {
      reason: 'no-commit',
      message: 'this repository has no commit yet',
      hint: 'Run: git add -A && git commit -m "Start"',
    };
  }
  if (isolated) return undefined;
  const { root: folder } = ralphFolder(repository.root);
  const real = plan && (plan.created ? plan.path : realpathSync(plan.path));
  const own = [plan?.path, real, settings.file, lessonsFile({ folder })].flatMap(file =>
    file ? [repoPath(repository, file) ?? ''] : [],
  );
  // The runner makes its folder ignore itself, unless a person has decided what of it is in git.
  const hidden = existsSync(join(folder, '.gitignore')) ? undefined : repoPath(repository, folder);
  const dirty = await dirtyPaths(repository, { paths: own, newBelow: hidden });
  if (!dirty.ok) return dirty.error;
  if (dirty.value.length === 0) return undefined;
  // A worktree would not have them, either.
  const words = plan ? wordsOfPlan(project, plan) : [];
  const isOfPlan = dirty.value.some(path => words.includes(path));
  const { hints, others } = besideRepositories(dirty.value);
  const commit = others.every(isDocument)
    ? ['Only documents are changed: commit them, or keep them out of the way:', commitAll('docs: update')]
    : ['Keep it out of the way in one of these ways:', commitAll('Work in progress')];
  const stash = '    git stash --include-untracked        # and git stash pop afterwards';
  return {
    reason: 'dirty-tree',
    message: `there is uncommitted work: ${firstFew(dirty.value, 5)}`,
    hint: [
      ...hints,
      ...(others.length === 0 ? ['Or work beside it:'] : [...commit, stash]),
      ...(isOfPlan ? [] : ['    ralph run --worktree                 # the run gets its own checkout']),
    ].join('\n'),
  };
}

/** Nothing that a gate runs: a person can commit it without a second thought. */
const isDocument = (path: string): boolean => /(?:^|\/)docs\/|\.(?:md|mdx|rst|adoc|txt)$/i.test(path);

const commitAll = (subject: string): string => `    git add -A && git commit -m "${subject}"`;

/** `merge`: the work of a run into the branch that it came from, once the gates are green on the result. */
import type { Passing } from '../events.ts';
import { noteMoved, storeOf } from '../journal/index.ts';
import type { GateResult } from '../protocol.ts';
import type { Project } from '../start/index.ts';
import { allGreen, type RunState } from '../state.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { oneLine, plural } from '../util/show.ts';
import { isContained, type Merged, mergedTree, moveForward, refuseMove } from '../workspace/index.ts';
import { commitTree } from './commit-tree.ts';
import { gatesOnTree } from './gates-on-tree.ts';
import { type Sides, withoutTwins, withPlanMerged } from './merge-plan.ts';
import { findNightRun, type NightRun, refuseHeir, refuseUnsettled } from './night-run.ts';
import { broughtBy } from './on-branch.ts';
import { packAttempts } from './pack-attempts.ts';
import { markIgnored } from './plan-at-tip.ts';
import { removeWorktree } from './worktree.ts';

export type HowToMerge = 'auto' | 'commit' | 'squash';

export interface MergeOptions {
  readonly project: Project;
  /** The newest run where none is named. */
  readonly run: string | undefined;
  /** The branch it came from, unless named. */
  readonly into: string | undefined;
  /** `auto` moves the branch forward where it can, and makes a merge commit where it cannot. */
  readonly how: HowToMerge;
  readonly signal: AbortSignal;
  readonly show: (event: Passing) => void;
}

export interface MergeResult {
  readonly run: string;
  readonly branch: string;
  readonly into: string;
  readonly how: 'nothing' | 'fast-forward' | 'merge-commit' | 'squash';
  readonly commit: string;
  readonly items: readonly string[];
  readonly gates: readonly GateResult[];
  /** What became of the run's own worktree. */
  readonly notes: readonly string[];
}

export async function merge(options: MergeOptions): Promise<Result<MergeResult>> {
  const { project, signal, show } = options;
  const { repository } = project;
  const night = await findNightRun(project, options.run);
  if (!night.ok) return night;
  const wrong =
    refuseUnsettled(project, night.value) ??
    refuseHeir(night.value, 'merge') ??
    refuseNowhere(night.value, options.into);
  if (wrong) return fail(wrong);
  const { state, tip = '' } = night.value;
  const into = options.into ?? state.from ?? '';
  const onto = await repository.git.text('rev-parse', '-q', '--verify', `refs/heads/${into}^{commit}`);
  if (!onto.ok) return fail(noTarget(into, state.run));
  const { state: all } = await broughtBy(project, { state, onto: onto.value, tip });
  const items = [...all.items].filter(([, item]) => item.status === 'done').map(([id]) => id);
  const result = { run: state.run, branch: state.branch, into, items };
  const tidy = async () => [
    ...(await markHere({ project, state, tip }, items)),
    ...(await removeWorktree(project, state)),
    ...(await packAttempts(project, state, 'settled')),
  ];
  const merged = await mergedTree(repository.git, onto.value, tip);
  if (!merged.ok) return merged;
  if (merged.value.type === 'nothing' || (await isContained(repository.git, onto.value, tip))) {
    // A merge that was cut off, or made by somebody else, has this left to do.
    const notes = await tidy();
    return ok({ ...result, how: 'nothing', commit: onto.value, gates: [], notes });
  }
  const settled = await settlePlan({ project, state, onto: onto.value, tip }, merged.value);
  if (!settled.ok) return settled;
  if (settled.value.type === 'conflict') return fail(conflict(state.branch, into, settled.value.paths));

  const made = await commitFor({
    night: { ...night.value, state: all },
    merged: settled.value,
    onto: onto.value,
    into,
    options,
  });
  if (!made.ok) return made;
  const { commit, how } = made.value;
  const spared = storeOf(project.folder)
    .runsWithPlans()
    .map(({ plan }) => plan);
  const move = { branch: into, from: onto.value, to: commit, holds: tip, spared };
  const inTheWay = await refuseMove(repository, move);
  if (inTheWay) return fail(inTheWay);
  const gates = await gatesOnTree({ project, state, tree: settled.value.tree, commit, signal, show });
  if (!gates.ok) return gates;
  if (signal.aborted) return fail({ reason: 'interrupted', message: 'stopped before anything was merged' });
  if (!allGreen(gates.value)) return fail(redGates(state.branch, into, gates.value));
  noteMoved(project.folder, [{ ref: `refs/heads/${into}`, to: commit }], Date.now());
  const moved = await moveForward(repository, { ...move, why: `ralph merge ${state.run}` });
  if (!moved.ok) return moved;
  const notes = [
    ...(settled.value === merged.value
      ? []
      : [`the plan ${state.plan.path} has the items of ${into} and the marks of the run`]),
    ...(await tidy()),
  ];
  return ok({ ...result, how, commit, gates: gates.value, notes });
}

/** A plan that git does not keep was marked in the worktree of the run alone, which goes away: the checkout has that work now. */
async function markHere(
  at: { readonly project: Project; readonly state: RunState; readonly tip: string },
  items: readonly string[],
): Promise<readonly string[]> {
  const isHere = at.state.workspace !== '.' && (await isContained(at.project.repository.git, 'HEAD', at.tip));
  if (!isHere) return [];
  const now = Date.now();
  const marks = items.map(id => ({ id, to: 'done', at: now }) as const);
  const marked = await markIgnored(at, marks, '.');
  return marked.ok ? [] : [`the plan ${at.state.plan.path} could not be marked: ${marked.error.message}`];
}

type Mergeable = Exclude<Merged, { readonly type: 'nothing' }>;

/** Where only the plan conflicts, or has an item twice, it is merged item by item. */
async function settlePlan(sides: Sides, merged: Mergeable): Promise<Result<Mergeable>> {
  if (merged.type === 'ahead') return ok(merged);
  const tree =
    merged.type === 'conflict' ? await withPlanMerged(sides, merged) : await withoutTwins(sides, merged.tree);
  if (!tree.ok) return tree;
  return ok(tree.value === undefined ? merged : { type: 'merged', tree: tree.value });
}

interface CommitFor {
  readonly night: NightRun;
  readonly merged: Extract<Merged, { readonly type: 'ahead' | 'merged' }>;
  readonly onto: string;
  readonly into: string;
  readonly options: MergeOptions;
}

async function commitFor({
  night,
  merged,
  onto,
  into,
  options,
}: CommitFor): Promise<Result<{ readonly commit: string; readonly how: Exclude<MergeResult['how'], 'nothing'> }>> {
  const { tip = '' } = night;
  if (merged.type === 'ahead' && options.how === 'auto') return ok({ commit: tip, how: 'fast-forward' });
  const isSquash = options.how === 'squash';
  const made = await commitTree(options.project.repository, {
    tree: merged.tree,
    parents: isSquash ? [onto] : [onto, tip],
    message: mergeMessage(night.state, { into, isSquash }),
  });
  if (!made.ok) return made;
  return ok({ commit: made.value, how: isSquash ? 'squash' : 'merge-commit' });
}

function refuseNowhere({ state }: NightRun, into: string | undefined): Failure | undefined {
  if (into === state.branch) {
    return { reason: 'usage', message: `${into} is the branch of the run itself`, hint: 'Name another: --into BRANCH' };
  }
  if (into !== undefined || state.from) return undefined;
  const name = `ralph merge ${state.run} --into BRANCH`;
  if (state.from === '') {
    const message = `the run ${state.run} was started on no branch, so there is none to merge it into`;
    return { reason: 'no-branch', message, hint: `Name one: ${name}` };
  }
  return {
    reason: 'no-branch',
    message: `the run ${state.run} was started on ${state.branch} itself, so there is no branch that it came from`,
    hint: `Its commits are already there. To merge them elsewhere: ${name}`,
  };
}

const noTarget = (into: string, run: string): Failure => ({
  reason: 'no-branch',
  message: `there is no branch ${into} to merge into`,
  hint: `Name another: ralph merge ${run} --into BRANCH`,
});

const conflict = (branch: string, into: string, paths: readonly string[]): Failure => ({
  reason: 'merge-conflict',
  message: `${branch} and ${into} changed the same lines in ${plural(paths.length, 'file')}: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ' …' : ''}; nothing was merged`,
  hint: `Merge them by hand: git switch ${quoted(into)} && git merge ${quoted(branch)}`,
});

function redGates(branch: string, into: string, gates: readonly GateResult[]): Failure {
  const red = gates.filter(gate => gate.status !== 'green');
  const [first] = red;
  return {
    reason: 'gates-red',
    message: `${red.map(gate => gate.name).join(', ')} ${red.length === 1 ? 'is' : 'are'} not green on ${branch} merged into ${into}; nothing was merged\n${first?.tail.trimEnd() ?? ''}`,
    hint: 'Add an item that fixes it to the plan and continue: ralph run',
  };
}

/** What the commit of a merge says: what is in it, and where its evidence is. */
const SHOWN = 50;

function mergeMessage(
  state: RunState,
  { into, isSquash }: { readonly into: string; readonly isSquash: boolean },
): string {
  const done = [...state.items].filter(([, item]) => item.status === 'done');
  const what = oneLine(state.plan.name, 40);
  const subject = isSquash
    ? `feat: ${what} (${plural(done.length, 'item')})`
    : `Merge ${state.branch} into ${into}: ${what} (${plural(done.length, 'item')})`;
  const lines = done.slice(0, SHOWN).map(([id, item]) => `- ${oneLine(`${id} ${item.title}`, 100)}`);
  const more = done.length > SHOWN ? [`- and ${done.length - SHOWN} more`] : [];
  return `${subject}\n\n${[...lines, ...more].join('\n')}\n\nRalph-Run: ${state.run}\n`;
}

/** `ralph run --dry-run`: what would happen, item by item; nothing is started or written. */
import { relative } from 'node:path';
import { configName, type Overrides, type Settings, withGoal } from '../config/index.ts';
import { newRunId } from '../journal/index.ts';
import { pickOrder } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import { forecast } from '../report/index.ts';
import {
  cleared,
  continueApart,
  type Found,
  findPlanAndRun,
  openProject,
  type Preflight,
  type Project,
  pastCost,
  pastFigures,
  preflight,
  type Refusal,
  readItemsOfRun,
  refuseLocked,
  refuseState,
} from '../start/index.ts';
import { fold, statusIn } from '../state.ts';
import { plain, plural, showCost, showDuration } from '../util/show.ts';
import { repoPath, withoutRedirection } from '../workspace/index.ts';
import { complain, note, print } from './print.ts';
import type { Target } from './run-target.ts';

const SHOWN = 50;

export interface DryRun extends Target {
  readonly reset: string | undefined;
  readonly json: boolean;
}

export async function dryRun(wanted: DryRun, overrides: Overrides): Promise<number> {
  const { plan, only, json } = wanted;
  const now = Date.now();
  const env = withoutRedirection(process.env);
  const opened = await openProject({ cwd: process.cwd(), env, overrides });
  const located = opened.ok ? findPlanAndRun(opened.value, { plan, only, now }) : opened;
  if (!opened.ok) return refused(opened.error, { json });
  if (!located.ok) return refused(located.error, { json });
  const { state } = located.value;
  const project = { ...opened.value, settings: withGoal(opened.value.settings, state?.until) };
  const found = await continueApart(project, asIfReset(project, located.value, { ...wanted, now }));
  const checks = await preflight(project, { found: { ok: true, value: found }, agent: undefined });
  const order = found.alreadyDone ? [] : orderOf(project, found, wanted);
  const refusal = found.alreadyDone ? undefined : firstRefusal(project, { found, checks }, now);
  if (json) {
    print(JSON.stringify({ ...asJson(project, found, checks), order, refused: flat(refusal) ?? null }, undefined, 2));
    return refusal?.exit ?? 0;
  }
  note(found.notes);
  showText(project, found, checks);
  showOrder(order);
  return refusal ? complain(refusal.failure, refusal.exit) : 0;
}

/** A refusal before the plan could be examined. */
function refused({ exit, failure }: Refusal, { json }: Pick<DryRun, 'json'>): number {
  if (json) print(JSON.stringify({ refused: flat({ exit, failure }) }, undefined, 2));
  return complain(failure, exit);
}

const flat = (refusal: Refusal | undefined) => refusal && { exit: refusal.exit, ...refusal.failure };

/** If an item of a finished plan is reset, a new run would resume the plan. */
function asIfReset(project: Project, found: Found, { reset, now }: DryRun & { readonly now: number }): Found {
  if (reset === undefined || !found.alreadyDone) return found;
  const { state: _, ...rest } = found;
  return { ...rest, run: newRunId(project.folder, found.plan.plan.name, now), died: false, alreadyDone: false };
}

function firstRefusal(
  project: Project,
  { found, checks }: { readonly found: Found; readonly checks: Preflight },
  now: number,
): Refusal | undefined {
  const held = refuseState(project) ?? refuseLocked(project, now, { ok: true, value: found });
  if (held) return { exit: 4, failure: held };
  const all = cleared(checks);
  return all.ok ? undefined : all.error;
}

const gateNames = ({ gates, final }: Settings) => ({
  gates: gates.map(gate => gate.run),
  final: final.map(gate => gate.run),
});

function asJson(project: Project, { plan, run, state, alreadyDone }: Found, { agent, branch }: Preflight) {
  const { repository, settings, cwd } = project;
  const ground = branch.ok ? branch.value : undefined;
  return {
    plan: {
      path: repoPath(repository, plan.path) ?? plan.path,
      format: plan.plan.format,
      items: plan.plan.items.length,
    },
    run: alreadyDone ? null : run,
    continues: state !== undefined && !alreadyDone,
    branch: alreadyDone ? null : (ground?.choice.branch ?? null),
    worktree: ground?.worktree === undefined ? null : relative(cwd, ground.worktree),
    agent: agent.ok ? { name: agent.value.agent.name, program: agent.value.program } : null,
    ...gateNames(settings),
    limits: settings.limits,
  };
}

/** The configured model; without one, the agent uses its own default, and the output says so. */
const modelOf = ({ model, effort }: Settings['agent']['options'], file: string): string =>
  [model ?? `the agent's own default; to choose one, set \`model:\` in ${file}`, effort && `effort ${effort}`]
    .filter(Boolean)
    .join(', ');

function showText(project: Project, found: Found, { agent, branch }: Preflight): void {
  const { repository, settings } = project;
  const { plan, run, state, alreadyDone } = found;
  const { iterations, timeMs, costUsd, attempts } = settings.limits;
  const { gates, final } = gateNames(settings);
  const path = repoPath(repository, plan.path) ?? plan.path;
  print(`plan      ${path}, ${plan.plan.format}, ${plural(plan.plan.items.length, 'item')}`);
  if (!alreadyDone) {
    const where = branch.ok
      ? ` on branch ${branch.value.choice.branch}${branch.value.worktree ? ', in a worktree' : ''}`
      : '';
    print(`run       ${state ? `continues ${run}` : 'a new one'}${where}`);
  }
  print(`agent     ${agent.ok ? `${agent.value.agent.name} (${agent.value.program})` : agent.error.failure.message}`);
  const { name, options } = settings.agent;
  // A user's own program gets no model.
  if (name !== 'command' && name !== 'script') print(`model     ${modelOf(options, configName(settings))}`);
  print(`gates     ${gates.join(', ') || 'none'}${settings.gatesFrom === 'detected' ? ' (detected)' : ''}`);
  print(`final     ${final.join(', ') || 'none'}`);
  const bounds = [plural(iterations, 'iteration'), showDuration(timeMs), showCost(costUsd)];
  print(`limits    ${bounds.join(', ')}, ${plural(attempts, 'attempt')} per item`);
  const left = orderOf(project, found, {}).length;
  const cost = forecast({ costUsd: 0 }, { accepted: 0, left, past: pastCost(pastFigures(project)) });
  if (cost) print(`cost      ${cost}`);
  print('');
}

function showOrder(order: readonly OrderedItem[]): void {
  for (const [index, { id, title }] of order.slice(0, SHOWN).entries())
    print(`${String(index + 1).padStart(4)}  ${plain(id)}  ${plain(title)}`);
  if (order.length > SHOWN) print(`      … and ${order.length - SHOWN} more`);
  if (order.length === 0) print('Nothing is left to do.');
}

type OrderedItem = Pick<Item, 'id' | 'title'>;

/** Of a run that is continued, the items stand as its own branch has them, and may be more than the plan here has. */
function orderOf(
  project: Project,
  { plan, state = fold([]) }: Found,
  { only, reset }: Partial<Pick<DryRun, 'only' | 'reset'>>,
): readonly OrderedItem[] {
  const there = new Map((state.run === '' ? [] : readItemsOfRun(project, state)).map(item => [item.id, item]));
  const status = (item: Item) => (item.id === reset ? 'pending' : statusIn(state, there.get(item.id) ?? item));
  const order = pickOrder({ items: plan.plan.items, status, ...(only === undefined ? {} : { only }) });
  const ids = new Set(plan.plan.ids);
  const more = [...there.values()].filter(item => !ids.has(item.id) && statusIn(state, item) === 'pending');
  return [...order, ...(only === undefined ? more : [])].map(({ id, title }) => ({ id, title }));
}

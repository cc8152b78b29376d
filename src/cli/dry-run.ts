/** `ralph run --dry-run`: what would happen, item by item; nothing is started or written. */
import type { Overrides } from '../config/settings.ts';
import { newRunId } from '../journal/runs.ts';
import { type PickInput, pickNext } from '../plan/next.ts';
import { unknownItem } from '../plan/unknown-item.ts';
import type { Item } from '../protocol.ts';
import { findRun } from '../start/find-run.ts';
import { identityOf, runnablePlan } from '../start/meant-plan.ts';
import { newBranch } from '../start/new-branch.ts';
import { chooseAgent, refuseDirty } from '../start/preflight.ts';
import { openProject } from '../start/project.ts';
import { effectiveStatus, fold, itemOf } from '../state.ts';
import { describeFailure, ok } from '../util/result.ts';
import { plain, plural, showCost, showDuration } from '../util/show.ts';
import { repoPath } from '../workspace/repository.ts';
import { complain, note, print } from './print.ts';
import type { Target } from './run-target.ts';

const SHOWN = 50;

export async function dryRun(
  { plan: given, only, reset }: Target & { readonly reset: string | undefined },
  overrides: Overrides,
): Promise<number> {
  const project = await openProject({ cwd: process.cwd(), env: process.env, overrides });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { settings, repository, folder } = project.value;
  const meant = runnablePlan(project.value, given, { toRun: true });
  if (!meant.ok) return complain(meant.error.failure, meant.error.exit);
  const { plan, notes } = meant.value;
  note(notes);
  const { items, name, ids } = plan.plan;
  if (only !== undefined && !ids.includes(only)) return complain(unknownItem(only, ids));
  const path = repoPath(repository, plan.path) ?? plan.path;
  const run = findRun(folder, identityOf(project.value, meant.value));
  if (!run.ok) return complain(run.error, 4);
  const unfinished = run.value && run.value.finished?.reason !== 'complete' ? run.value : undefined;
  const state = unfinished ?? fold([]);

  const agent = chooseAgent(settings, process.env);
  const dirty = await refuseDirty({ repository, plan, settings });
  const isolated = settings.workspace === 'worktree';
  const started = newRunId(folder, name, Date.now());
  const chosen = unfinished
    ? ok(unfinished)
    : await newBranch({ project: project.value, plan, run: started, isolated });
  if (!chosen.ok) return complain(chosen.error.failure, chosen.error.exit);
  const { branch } = chosen.value;
  const { iterations, timeMs, costUsd, attempts } = settings.limits;
  const gates = settings.gates.map(gate => gate.run);
  print(`plan      ${path}, ${plan.plan.format}, ${plural(items.length, 'item')}`);
  print(
    `run       ${unfinished ? `continues ${unfinished.run}` : 'a new one'} on branch ${branch}${isolated ? ', in a worktree' : ''}`,
  );
  print(`agent     ${agent.ok ? `${agent.value.agent.name} (${agent.value.program})` : describeFailure(agent.error)}`);
  print(
    `gates     ${gates.length > 0 ? gates.join(', ') : 'none'}${settings.gatesFrom === 'detected' ? ' (detected)' : ''}`,
  );
  print(`final     ${settings.final.map(gate => gate.run).join(', ') || 'none'}`);
  print(
    `limits    ${plural(iterations, 'iteration')}, ${showDuration(timeMs)}, ${showCost(costUsd)}, ${plural(attempts, 'attempt')} per item`,
  );
  print('');
  const order = walk(items, {
    status: item => (item.id === reset ? 'pending' : effectiveStatus(item.status, itemOf(state, item.id))),
    ...(only === undefined ? {} : { only }),
  });
  for (const [index, item] of order.slice(0, SHOWN).entries())
    print(`${String(index + 1).padStart(4)}  ${plain(item.id)}  ${plain(item.title)}`);
  if (order.length > SHOWN) print(`      … and ${order.length - SHOWN} more`);
  if (order.length === 0) print('Nothing is left to do.');
  if (!agent.ok) return complain(agent.error, 4);
  return dirty ? complain(dirty, 4) : 0;
}

/** The order if every item were accepted at once. */
function walk(items: readonly Item[], { status, only }: Omit<PickInput, 'items'>): readonly Item[] {
  const order: Item[] = [];
  const done = new Set<string>();
  for (;;) {
    const now = (item: Item) => (done.has(item.id) ? 'done' : status(item));
    const { next } = pickNext({ items, status: now, ...(only === undefined ? {} : { only }) });
    if (!next) return order;
    order.push(next);
    done.add(next.id);
  }
}

/** `ralph run --dry-run`: what would happen, item by item; nothing is started or written. */
import type { Overrides } from '../config/settings.ts';
import { slug } from '../journal/runs.ts';
import { pickNext } from '../plan/next.ts';
import type { Item, ItemStatus } from '../protocol.ts';
import { findRun } from '../start/find-run.ts';
import { chooseAgent, refuseDirty } from '../start/preflight.ts';
import { openProject, runnablePlan } from '../start/project.ts';
import { effectiveStatus, fold, itemOf } from '../state.ts';
import { describeFailure } from '../util/result.ts';
import { plain, plural, showCost, showDuration } from '../util/show.ts';
import { chooseBranch } from '../workspace/branch.ts';
import { readHead, repoPath } from '../workspace/repository.ts';
import { complain, print } from './print.ts';

const SHOWN = 50;

export async function dryRun(given: string | undefined, overrides: Overrides): Promise<number> {
  const project = await openProject({ cwd: process.cwd(), env: process.env, overrides });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { settings, repository, folder } = project.value;
  const plan = runnablePlan(project.value, given);
  if (!plan.ok) return complain(plan.error.failure, plan.error.exit);
  const { items, name } = plan.value.plan;
  const path = repoPath(repository, plan.value.path) ?? plan.value.path;
  const run = findRun(folder, { path, plan: plan.value.plan });
  if (!run.ok) return complain(run.error, 4);
  const unfinished = run.value && run.value.finished?.reason !== 'complete' ? run.value : undefined;
  const state = unfinished ?? fold([]);

  const agent = chooseAgent(settings, process.env);
  const dirty = await refuseDirty({ repository, plan: plan.value, settings });
  const isolated = settings.workspace === 'worktree';
  const branch =
    unfinished?.branch ??
    (
      await chooseBranch({
        repository,
        head: await readHead(repository),
        wanted: settings.branch.replaceAll('{name}', slug(name)),
        explicit: settings.branch !== 'ralph/{name}',
        isolated,
      })
    ).branch;
  const { iterations, timeMs, costUsd, attempts } = settings.limits;
  const gates = settings.gates.map(gate => gate.run);
  print(`plan      ${path}, ${plan.value.plan.format}, ${plural(items.length, 'item')}`);
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
  const order = walk(items, item => effectiveStatus(item.status, itemOf(state, item.id)));
  for (const [index, item] of order.slice(0, SHOWN).entries())
    print(`${String(index + 1).padStart(4)}  ${plain(item.id)}  ${plain(item.title)}`);
  if (order.length > SHOWN) print(`      … and ${order.length - SHOWN} more`);
  if (order.length === 0) print('Nothing is left to do.');
  if (!agent.ok) return complain(agent.error, 4);
  return dirty ? complain(dirty, 4) : 0;
}

/** The order if every item were accepted at once. */
function walk(items: readonly Item[], status: (item: Item) => ItemStatus): readonly Item[] {
  const order: Item[] = [];
  const done = new Set<string>();
  for (;;) {
    const { next } = pickNext({ items, status: item => (done.has(item.id) ? 'done' : status(item)) });
    if (!next) return order;
    order.push(next);
    done.add(next.id);
  }
}

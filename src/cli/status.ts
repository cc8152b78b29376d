/** `ralph status` */
import { tally } from '../plan/next.ts';
import { type LiveNow, startingText, statusJson, statusText } from '../report/status.ts';
import type { RunState } from '../state.ts';
import { ok } from '../util/result.ts';
import { plain } from '../util/show.ts';
import { type Handler, switchFlag } from './command.ts';
import type { CurrentRun } from './current-run.ts';
import { columnsOf, complain, printOnce, wantsColor } from './print.ts';
import { quickLook } from './quick-look.ts';

export const status: Handler = async call => {
  const quick = call.flags.has('plan') || call.flags.has('run') ? undefined : await quickLook(process.cwd());
  const current = quick ? ok(quick) : await (await import('./current-run.ts')).currentRun(call);
  if (!current.ok) {
    const noRun = current.error.reason === 'no-run' && !switchFlag(call, 'json');
    const known = noRun ? ((await starting()) ?? (await planAlone())) : undefined;
    if (known === undefined) return complain(current.error, 1);
    printOnce(known);
    return 0;
  }
  const { folder, state, items, records, owner } = current.value;
  const holder = owner && holderOf(owner);
  const live = owner && (await liveOf(folder, owner, state));
  const input = { state, items, records, owner: holder, live };
  if (switchFlag(call, 'json')) printOnce(JSON.stringify(statusJson(input), undefined, 2));
  else printOnce(statusText({ ...input, now: Date.now(), color: wantsColor(), columns: columnsOf() }));
  return 0;
};

type Owner = NonNullable<CurrentRun['owner']>;

const holderOf = ({ process: { pid }, command, since }: Owner) => ({ pid, command, since });

/** Loaded only where a run is live: most of the time none is. */
async function liveOf(folder: CurrentRun['folder'], owner: Owner, state: RunState | undefined): Promise<LiveNow> {
  return (await import('./live-now.ts')).liveNow(folder, { pid: owner.process.pid, state });
}

/** The first run here, before it has a journal. */
async function starting(): Promise<string | undefined> {
  const { openProject } = await import('../start/project.ts');
  const { lockOwner } = await import('../journal/lock.ts');
  const { isAlive } = await import('../process/identity.ts');
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  const owner = project.ok ? lockOwner({ file: project.value.folder.lock, isAlive }) : undefined;
  if (!project.ok || !owner) return undefined;
  const live = await liveOf(project.value.folder, owner, undefined);
  if (!live.runner) return undefined;
  return startingText({ owner: holderOf(owner), live, now: Date.now() });
}

/** A plan that keeps every state in its own file can be told of without a run of ours. */
async function planAlone(): Promise<string | undefined> {
  const { openProject } = await import('../start/project.ts');
  const { meantPlan } = await import('../start/meant-plan.ts');
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  const meant = project.ok ? meantPlan(project.value) : undefined;
  if (!meant?.ok || !meant.value.plan.format.begin) return undefined;
  const { items, name } = meant.value.plan.plan;
  const { done, total } = tally(items);
  const rows = items.map(
    item =>
      `  ${item.status.padEnd(12)} ${plain(item.id)}  ${plain(item.title)}${item.attempts ? ` (attempts: ${item.attempts})` : ''}`,
  );
  return [`${plain(name)}: ${done} of ${total} done, no run yet`, '', ...rows].join('\n');
}

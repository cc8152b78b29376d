/** `ralph status` */
import { tally } from '../plan/next.ts';
import { statusJson, statusText } from '../report/status.ts';
import { ok } from '../util/result.ts';
import { plain } from '../util/show.ts';
import { type Handler, switchFlag } from './command.ts';
import { complain, printOnce, wantsColor } from './print.ts';
import { quickLook } from './quick-look.ts';

export const status: Handler = async call => {
  const quick = call.flags.has('plan') || call.flags.has('run') ? undefined : await quickLook(process.cwd());
  const current = quick ? ok(quick) : await (await import('./current-run.ts')).currentRun(call);
  if (!current.ok) {
    const known = current.error.reason === 'no-run' && !switchFlag(call, 'json') ? await planAlone() : undefined;
    if (known === undefined) return complain(current.error, 1);
    printOnce(known);
    return 0;
  }
  const { state, items, records, owner } = current.value;
  const holder = owner ? { pid: owner.process.pid, command: owner.command, since: owner.since } : undefined;
  const input = { state, items, records, owner: holder };
  if (switchFlag(call, 'json')) printOnce(JSON.stringify(statusJson(input), undefined, 2));
  else printOnce(statusText({ ...input, now: Date.now(), color: wantsColor() }));
  return 0;
};

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

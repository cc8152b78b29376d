/** `ralph status` */
import { type LiveNow, statusJson, statusText } from '../report/index.ts';
import type { RunState } from '../state.ts';
import { type Handler, switchFlag } from './command.ts';
import type { CurrentRun } from './current-run.ts';
import { columnsOf, complain, printOnce, wantsColor } from './print.ts';
import { lookAtRun } from './quick-look.ts';

export const status: Handler = async call => {
  if (switchFlag(call, 'all')) return await (await import('./all-status.ts')).allStatus(call);
  const current = await lookAtRun(call);
  if (!current.ok) {
    const isNamed = call.flags.has('plan') || call.flags.has('run');
    const noRun = current.error.reason === 'no-run' && !isNamed;
    const before = noRun
      ? await (await import('./before-run.ts')).beforeRun({ json: switchFlag(call, 'json') })
      : undefined;
    if (before) printOnce(before.text);
    return before?.isKnown ? 0 : complain(current.error, 1);
  }
  const { folder, state, items, records, owner, named } = current.value;
  const holder = owner && holderOf(owner);
  const live = owner && (await liveOf(folder, owner, state));
  const input = { state, items, records, owner: holder, live, named };
  if (switchFlag(call, 'json')) printOnce(JSON.stringify(statusJson(input), undefined, 2));
  else printOnce(statusText({ ...input, now: Date.now(), color: wantsColor(), columns: columnsOf() }));
  return 0;
};

type Owner = NonNullable<CurrentRun['owner']>;

const holderOf = ({ process: { pid }, command, since }: Owner) => ({ pid, command, since });

/** Loaded only if a run is live, which is rare. */
async function liveOf(folder: CurrentRun['folder'], owner: Owner, state: RunState | undefined): Promise<LiveNow> {
  return (await import('./live-now.ts')).liveNow(folder, { pid: owner.process.pid, state });
}

/** `ralph status` */
import { statusJson, statusText } from '../report/status.ts';
import { type Handler, switchFlag } from './command.ts';
import { currentRun } from './current-run.ts';
import { complain, print, wantsColor } from './print.ts';

export const status: Handler = async call => {
  const current = await currentRun();
  if (!current.ok) return complain(current.error, 1);
  const { state, items, records, owner } = current.value;
  const holder = owner ? { pid: owner.process.pid, command: owner.command, since: owner.since } : undefined;
  const input = { state, items, records, owner: holder };
  if (switchFlag(call, 'json')) print(JSON.stringify(statusJson(input), undefined, 2));
  else print(statusText({ ...input, now: Date.now(), color: wantsColor() }));
  return 0;
};

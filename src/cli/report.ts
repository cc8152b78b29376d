/** `ralph report` */
import { reportOn } from '../start/index.ts';
import type { Handler } from './command.ts';
import { currentRun } from './current-run.ts';
import { complain, print } from './print.ts';

export const report: Handler = async call => {
  const current = await currentRun(call);
  if (!current.ok) return complain(current.error, 1);
  print(reportOn(current.value));
  return 0;
};

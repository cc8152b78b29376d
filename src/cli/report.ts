/** `ralph report` */
import { report as reportOf } from '../start/report.ts';
import { type Handler, textFlag } from './command.ts';
import { complain, print } from './print.ts';

export const report: Handler = async call => {
  const text = await reportOf({ run: textFlag(call, 'run') });
  if (!text.ok) return complain(text.error, 1);
  print(text.value);
  return 0;
};

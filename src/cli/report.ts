/** `ralph report` */
import { reportOn } from '../start/index.ts';
import { type Handler, textFlag } from './command.ts';
import { currentRun } from './current-run.ts';
import { complain, printOnce } from './print.ts';

export const report: Handler = async call => {
  const current = await currentRun(call);
  if (!current.ok) return complain(current.error, 1);
  const html = textFlag(call, 'html');
  if (html !== undefined) {
    const { writeReport } = await import('./report-html.ts');
    return writeReport(current.value, html);
  }
  printOnce(await reportOn(current.value));
  return 0;
};

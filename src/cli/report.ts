/** `ralph report` */
import { reportMarkdown } from '../report/markdown.ts';
import { type Handler, textFlag } from './command.ts';
import { currentRun } from './current-run.ts';
import { complain, print } from './print.ts';

export const report: Handler = async call => {
  const current = await currentRun(textFlag(call, 'run'));
  if (!current.ok) return complain(current.error, 1);
  print(reportMarkdown(current.value));
  return 0;
};

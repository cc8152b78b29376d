/** `ralph runs` */
import { allRuns, runsText, totalsOf } from '../morning/index.ts';
import { wrapText } from '../report/index.ts';
import { openProject } from '../start/index.ts';
import { type Handler, switchFlag } from './command.ts';
import { columnsOf, complain, print } from './print.ts';

export const runs: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const rows = await allRuns(project.value);
  if (switchFlag(call, 'json')) print(JSON.stringify({ runs: rows, totals: totalsOf(rows) }, undefined, 2));
  else {
    const columns = columnsOf();
    const text = runsText(rows, Date.now());
    print(columns === undefined ? text : wrapText(text, columns));
  }
  return 0;
};

/** `ralph runs` */
import { allRuns, runsText, totalsOf } from '../morning/index.ts';
import { wrapText } from '../report/index.ts';
import { openProject, queueIn, queueLines } from '../start/index.ts';
import { type Handler, switchFlag } from './command.ts';
import { columnsOf, complain, print } from './print.ts';

export const runs: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const rows = await allRuns(project.value);
  if (switchFlag(call, 'json'))
    print(JSON.stringify({ runs: rows, totals: totalsOf(rows), queue: queueIn(project.value.folder) }, undefined, 2));
  else {
    const columns = columnsOf();
    const waiting = queueLines(queueIn(project.value.folder), Date.now());
    const text = [...waiting, runsText(rows, Date.now())].join('\n');
    print(columns === undefined ? text : wrapText(text, columns));
  }
  return 0;
};

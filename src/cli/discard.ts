/** `ralph discard` */
import { discard as discardRun, restore } from '../morning/index.ts';
import { shortCommit } from '../report/index.ts';
import { openProject } from '../start/index.ts';
import { type Handler, switchFlag } from './command.ts';
import { complain, print } from './print.ts';

export const discard: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const run = call.args[0] ?? '';
  const undo = switchFlag(call, 'undo');
  const done = undo
    ? await restore({ project: project.value, run })
    : await discardRun({ project: project.value, run, now: Date.now() });
  if (!done.ok) return complain(done.error, 1);
  const { branch, tip, notes } = done.value;
  if (switchFlag(call, 'json')) {
    print(JSON.stringify(done.value, undefined, 2));
    return 0;
  }
  const said = undo
    ? `The branch ${branch} is back at ${shortCommit(tip)}.`
    : `The branch ${branch} is gone; its last commit was ${shortCommit(tip)}. For 30 days: ralph discard ${done.value.run} --undo`;
  print([said, ...notes.map(line => `${line[0]?.toUpperCase()}${line.slice(1)}.`)].join('\n'));
  return 0;
};

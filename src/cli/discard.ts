/** `ralph discard` */
import { discard as discardRun, restore } from '../morning/index.ts';
import { shortCommit } from '../report/index.ts';
import { openProject, type Project } from '../start/index.ts';
import { type Handler, switchFlag } from './command.ts';
import { complain, print } from './print.ts';

export const discard: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const how = { undo: switchFlag(call, 'undo'), json: switchFlag(call, 'json') };
  return await discardNow(project.value, call.args[0] ?? '', how);
};

export async function discardNow(
  project: Project,
  run: string,
  { undo = false, json = false }: { readonly undo?: boolean; readonly json?: boolean } = {},
): Promise<number> {
  const done = await (undo ? restore : discardRun)({ project, run, now: Date.now() });
  if (!done.ok) return complain(done.error, 1);
  const { branch, tip, notes } = done.value;
  if (json) {
    print(JSON.stringify(done.value, undefined, 2));
    return 0;
  }
  const said = undo
    ? `The branch ${branch} is back at ${shortCommit(tip)}.`
    : `The branch ${branch} is deleted; its last commit was ${shortCommit(tip)}. To restore it, within 30 days: ralph discard ${done.value.run} --undo`;
  print([said, ...notes.map(line => `${line[0]?.toUpperCase()}${line.slice(1)}.`)].join('\n'));
  return 0;
}

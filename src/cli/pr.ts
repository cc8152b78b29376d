/** `ralph pr` */
import { openPullRequest } from '../morning/index.ts';
import { openProject } from '../start/index.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { complain, note, print } from './print.ts';

export const pr: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const made = await openPullRequest({
    project: project.value,
    run: call.args[0],
    into: textFlag(call, 'into'),
    onlyPrint: switchFlag(call, 'print'),
  });
  if (!made.ok) return complain(made.error, 1);
  const { request, address, notes } = made.value;
  if (switchFlag(call, 'json')) print(JSON.stringify({ ...request, address: address ?? null, notes }, undefined, 2));
  else print(address ?? `${request.title}\n\n${request.body}`);
  note(notes);
  return 0;
};

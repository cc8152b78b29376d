/** `ralph pr` */
import { openPullRequest, type PrOptions } from '../morning/index.ts';
import { openProject, type Project } from '../start/index.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { complain, note, print } from './print.ts';

export const pr: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const meant = { run: call.args[0], into: textFlag(call, 'into'), onlyPrint: switchFlag(call, 'print') };
  return await prNow(project.value, { ...meant, json: switchFlag(call, 'json') });
};

export async function prNow(
  project: Project,
  { json = false, ...meant }: Omit<PrOptions, 'project'> & { readonly json?: boolean },
): Promise<number> {
  const made = await openPullRequest({ project, ...meant });
  if (!made.ok) return complain(made.error, 1);
  const { request, address, notes } = made.value;
  if (json) print(JSON.stringify({ ...request, address: address ?? null, notes }, undefined, 2));
  else print(address ?? `${request.title}\n\n${request.body}`);
  note(notes);
  return 0;
}

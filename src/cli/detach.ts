/** `ralph run --detach`: the same run in a process of its own, with its output in a file. */
import { join } from 'node:path';
import { makeRalphFolder } from '../journal/runs.ts';
import { startDetached } from '../process/detached.ts';
import { openProject } from '../start/project.ts';
import { complain, print } from './print.ts';

export async function detach(): Promise<number> {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { folder } = project.value;
  const made = makeRalphFolder(folder);
  if (!made.ok) return complain(made.error, 4);
  const log = join(folder.root, 'detached.log');
  const [node, program = '', ...args] = process.argv;
  const pid = startDetached({
    argv: [node ?? process.execPath, program, ...args.filter(arg => arg !== '--detach')],
    log,
  });
  if (pid === undefined)
    return complain({ reason: 'not-started', message: 'the background process could not be started' }, 4);
  print(`Running in the background (pid ${pid}). See: ralph status, ralph logs -f. Its output: ${log}`);
  return 0;
}

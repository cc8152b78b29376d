/** `ralph pause | resume | stop | steer`: requests to a live run. */
import { type Request, sendRequest } from '../journal/control.ts';
import { lockOwner } from '../journal/lock.ts';
import { isAlive } from '../process/identity.ts';
import { openProject } from '../start/project.ts';
import { type Call, type Handler, switchFlag } from './command.ts';
import { complain, print } from './print.ts';

export const talk: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, 1);
  const { folder } = project.value;
  const owner = lockOwner({ file: folder.lock, isAlive });
  const request = requestOf(call);
  if (!owner && request.type !== 'steer') {
    return complain({ reason: 'no-live-run', message: 'no run is live here', hint: 'See: ralph status' }, 1);
  }
  sendRequest(folder.control, request);
  if (owner) nudge(owner.process.pid);
  print(owner ? `${sentence(request)} (pid ${owner.process.pid})` : 'No run is live; the next one will take the note.');
  return 0;
};

/** The runner listens for this signal before it takes the lock, so its default of ending a process cannot happen. */
export function nudge(pid: number): void {
  try {
    process.kill(pid, 'SIGUSR2');
  } catch {
    // It ended meanwhile, or belongs to another user; it looks into the inbox at its next boundary anyway.
  }
}

function requestOf(call: Call): Request {
  switch (call.command.name) {
    case 'pause':
      return { type: 'pause' };
    case 'resume':
      return { type: 'resume' };
    case 'steer':
      return { type: 'steer', text: call.args[0] ?? '' };
    default:
      return { type: 'stop', now: switchFlag(call, 'now') };
  }
}

function sentence(request: Request): string {
  switch (request.type) {
    case 'pause':
      return 'It will hold after the current iteration';
    case 'resume':
      return 'It goes on';
    case 'steer':
      return 'Noted for every brief from the next iteration on';
    case 'stop':
      return request.now ? 'Its agent is being ended' : 'It will end after the current iteration';
    case 'lesson':
    case 'mark':
    case 'retry':
      return 'It will be marked at the end of the current iteration';
  }
}

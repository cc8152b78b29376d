/** `ralph pause | resume | stop | steer`: requests to a live run. */
import { type Request, storeOf } from '../journal/index.ts';
import { actorHere, isAlive } from '../process/index.ts';
import { openProject } from '../start/index.ts';
import { askRun } from './ask-run.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { complain, print } from './print.ts';

export const talk: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, 1);
  const { folder } = project.value;
  const owner = storeOf(folder).owner({ isAlive });
  const request = requestOf(call);
  if (!owner && request.type !== 'steer') {
    return complain({ reason: 'no-live-run', message: 'no run is live here', hint: 'See: ralph status' }, 1);
  }
  if (!owner) {
    storeOf(folder).send(request, { actor: actorHere() });
    print('No run is live; the next one will take the note.');
    return 0;
  }
  const asked = await askRun(folder, owner, request, textFlag(call, 'confirm'));
  if (!asked.ok) return complain(asked.error.failure, asked.error.exit);
  print(`${sentence(request)} (pid ${owner.process.pid})`);
  return 0;
};

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

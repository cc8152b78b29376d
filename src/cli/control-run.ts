/** `ralph pause | resume | stop | steer`: requests to a live run. */
import { type Request, storeOf } from '../journal/index.ts';
import { actorHere } from '../process/index.ts';
import { liveRun, openProject } from '../start/index.ts';
import type { Failure } from '../util/result.ts';
import { askRun } from './ask-run.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { complain, note, print } from './print.ts';

export const talk: Handler = async call => {
  const request = requestOf(call);
  if (request.type === 'steer' && request.text.trim() === '') return complain(emptyNote);
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, 1);
  const { folder } = project.value;
  const named = { run: textFlag(call, 'run'), plan: textFlag(call, 'plan') };
  const live = liveRun(project.value, named);
  if (!live.ok) return complain(live.error, 1);
  const owner = live.value?.owner;
  const which = named.run ?? named.plan;
  if (!owner && (request.type !== 'steer' || which !== undefined)) {
    const message = which === undefined ? 'no run is live here' : `${which} is not live`;
    return complain({ reason: 'no-live-run', message, hint: 'See: ralph runs' }, 1);
  }
  note(live.value?.notes ?? []);
  if (!owner) {
    storeOf(folder).send(request, { actor: actorHere() });
    print('No run is live; the next one will take the note.');
    return 0;
  }
  const asked = await askRun(folder, owner, request, textFlag(call, 'confirm'));
  if (!asked.ok) return complain(asked.error.failure, asked.error.exit);
  const run = owner.run === undefined ? '' : `${owner.run}, `;
  print(`${sentence(request)} (${run}pid ${owner.process.pid})`);
  return 0;
};

const emptyNote: Failure = {
  reason: 'usage',
  message: 'a note has to say something',
  hint: 'For example: ralph steer "Use the existing parser"',
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
      return 'It will pause after the current iteration';
    case 'resume':
      return 'It continues';
    case 'steer':
      return 'Noted for every brief from the next iteration on';
    case 'stop':
      return request.now ? 'It ends at once' : 'It will end after the current iteration';
    case 'lesson':
    case 'answer':
    case 'mark':
    case 'retry':
      return 'It will be marked at the end of the current iteration';
  }
}

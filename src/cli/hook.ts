/** `ralph hook`: loops inside one session of an agent. */
import { rmSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { configName } from '../config/index.ts';
import { ralphFolder } from '../journal/index.ts';
import { openProject } from '../start/index.ts';
import { readText } from '../util/files.ts';
import { oneLine, plural } from '../util/show.ts';
import { uniqueName } from '../util/unique-name.ts';
import { placeOfRepository } from '../workspace/index.ts';
import { type Call, type Handler, numberFlag, switchFlag, textFlag } from './command.ts';
import { allLoops, beginLoop, endAllLoops } from './hook-loops.ts';
import { howToEnd, stopHook } from './hook-stop.ts';
import { complain, note, print } from './print.ts';

/** Newer versions of Claude Code let a turn end after nine refusals in a row, which makes ten turns. */
const MAX_ITERATIONS = 10;

export const hook: Handler = async call => {
  const [what, task] = call.args;
  if (what === 'stop' && task === undefined) {
    return switchFlag(call, 'off') ? await endThem() : await stopHook(numberFlag(call, 'max-iterations'));
  }
  const from = textFlag(call, 'from');
  if (what === 'start' && task === undefined && from !== undefined) return await startFrom(call, from);
  if (what === 'start' && task?.trim() && from === undefined) return await start(call, task.trim());
  if (what === undefined) return await list();
  return complain({
    reason: 'usage',
    message: what === 'start' ? 'ralph hook start needs the task' : `ralph hook has no "${call.args.join(' ')}"`,
    hint: 'For example: ralph hook start "Make the tests pass" --max-iterations 10',
  });
};

/** Reads the task from a file, unchanged by any shell. A file inside .ralph was made only for this, and is deleted. */
async function startFrom(call: Call, file: string): Promise<number> {
  const text = readText(resolve(file))?.trim();
  if (!text)
    return complain({
      reason: 'usage',
      message: `${file}: ${text === undefined ? 'there is no such file' : 'the file is empty'}`,
      hint: 'Write the task into it, then repeat this command.',
    });
  const code = await start(call, text);
  if (code === 0 && basename(dirname(resolve(file))) === '.ralph') rmSync(resolve(file), { force: true });
  return code;
}

async function start(call: Call, task: string): Promise<number> {
  if (process.env.RALPH_RUN) {
    return complain({
      reason: 'usage',
      message: 'this session belongs to a run, which is a loop already',
      hint: 'Work on the item of the brief; the run starts the next one.',
    });
  }
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { settings, folder } = project.value;
  const gates = [...settings.gates, ...settings.final].filter(
    (gate, index, all) => all.findIndex(each => each.run === gate.run) === index,
  );
  const maxIterations = numberFlag(call, 'max-iterations') ?? MAX_ITERATIONS;
  const loop = { loop: uniqueName(), task, maxIterations, iteration: 1, gates };
  const begun = beginLoop(folder, loop);
  if (!begun.ok) return complain(begun.error, 4);
  print(`Ralph loop ${loop.loop}, at most ${plural(maxIterations, 'turn')}. The task:\n${task}\n\n${howToEnd(loop)}`);
  if (gates.length === 0)
    note([
      `no gates are configured, so only the promise counts. To add some, in ${configName(settings)}: gates: [npm test]`,
    ]);
  return 0;
}

async function endThem(): Promise<number> {
  const repository = await placeOfRepository(process.cwd(), process.env);
  if (!repository.ok) return complain(repository.error, 4);
  const ended = endAllLoops(ralphFolder(repository.value.root));
  print(
    ended === 0 ? 'There was no loop to end.' : `Ended ${plural(ended, 'loop')}: the session ends with its next stop.`,
  );
  return 0;
}

async function list(): Promise<number> {
  const repository = await placeOfRepository(process.cwd(), process.env);
  if (!repository.ok) return complain(repository.error, 4);
  const loops = allLoops(ralphFolder(repository.value.root));
  const rows = loops.map(
    ({ iteration, maxIterations, task }) => `turn ${iteration} of ${maxIterations}  ${oneLine(task, 80)}`,
  );
  print(
    rows.length > 0
      ? rows.join('\n')
      : 'No session has a loop here. To begin one in Claude Code: /ralph:ralph-loop "task" --max-iterations 10',
  );
  return 0;
}

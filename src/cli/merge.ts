/** `ralph merge` */

import { type MergeOptions, type MergeResult, merge as mergeRun } from '../morning/index.ts';
import { Stopper } from '../process/index.ts';
import { shortCommit } from '../report/index.ts';
import { closeMerged, openProject, type Project } from '../start/index.ts';
import { plural } from '../util/show.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { complain, note, print } from './print.ts';
import { onSignals } from './signals.ts';

export const merge: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const how = switchFlag(call, 'squash') ? 'squash' : switchFlag(call, 'no-ff') ? 'commit' : 'auto';
  const meant = { run: call.args[0], into: textFlag(call, 'into'), how } as const;
  return await mergeNow(project.value, { ...meant, json: switchFlag(call, 'json') });
};

/** Merges; Ctrl-C ends the gates, and then nothing is merged. */
export async function mergeNow(
  project: Project,
  { json = false, ...meant }: Pick<MergeOptions, 'run' | 'into' | 'how'> & { readonly json?: boolean },
): Promise<number> {
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  try {
    const done = await mergeRun({
      project,
      ...meant,
      signal: stopper.signal,
      show: event => {
        if (event.type === 'gate.started') note([`on the merged tree: ${event.name} …`]);
      },
    });
    if (!done.ok) return complain(done.error, stopper.request ? 130 : 1);
    const { notes: made, ...result } = done.value;
    const notes = [...made, ...(await closeMerged(project, result))];
    if (json) print(JSON.stringify({ ...result, notes }, undefined, 2));
    else print([sentence(result), ...notes.map(line => `${line[0]?.toUpperCase()}${line.slice(1)}.`)].join('\n'));
    return 0;
  } finally {
    quit();
  }
}

function sentence({ how, branch, into, items, commit, gates }: Omit<MergeResult, 'notes'>): string {
  if (how === 'nothing') return `${into} holds all of ${branch} already.`;
  const what = { 'fast-forward': 'moved forward to', 'merge-commit': 'merge commit', squash: 'one commit' }[how];
  const green =
    gates.length === 0
      ? 'No gates are configured, so nothing was checked. To add some, in the config: gates: [npm test]'
      : `Green on the merged tree: ${gates.map(gate => gate.name).join(', ')}.`;
  return `Merged ${branch} into ${into} (${plural(items.length, 'item')}): ${what} ${shortCommit(commit)}.\n${green}`;
}

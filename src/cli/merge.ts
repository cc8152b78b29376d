/** `ralph merge` */

import { type MergeResult, merge as mergeRun } from '../morning/index.ts';
import { Stopper } from '../process/index.ts';
import { shortCommit } from '../report/index.ts';
import { closeMerged, openProject } from '../start/index.ts';
import { plural } from '../util/show.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { complain, note, print } from './print.ts';
import { onSignals } from './signals.ts';

export const merge: Handler = async call => {
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  try {
    const project = await openProject({ cwd: process.cwd(), env: process.env });
    if (!project.ok) return complain(project.error.failure, project.error.exit);
    const done = await mergeRun({
      project: project.value,
      run: call.args[0],
      into: textFlag(call, 'into'),
      how: switchFlag(call, 'squash') ? 'squash' : switchFlag(call, 'no-ff') ? 'commit' : 'auto',
      signal: stopper.signal,
      show: event => {
        if (event.type === 'gate.started') note([`on the merged tree: ${event.name} …`]);
      },
    });
    if (!done.ok) return complain(done.error, stopper.request ? 130 : 1);
    const { notes: made, ...result } = done.value;
    const notes = [...made, ...(await closeMerged(project.value, result))];
    if (switchFlag(call, 'json')) print(JSON.stringify({ ...result, notes }, undefined, 2));
    else print([sentence(result), ...notes.map(line => `${line[0]?.toUpperCase()}${line.slice(1)}.`)].join('\n'));
    return 0;
  } finally {
    quit();
  }
};

function sentence({ how, branch, into, items, commit, gates }: Omit<MergeResult, 'notes'>): string {
  if (how === 'nothing') return `${into} holds all of ${branch} already.`;
  const what = { 'fast-forward': 'moved forward to', 'merge-commit': 'merge commit', squash: 'one commit' }[how];
  const green =
    gates.length === 0
      ? 'No gates are configured, so nothing was checked. To add some: ralph init --gates'
      : `Green on the merged tree: ${gates.map(gate => gate.name).join(', ')}.`;
  return `Merged ${branch} into ${into} (${plural(items.length, 'item')}): ${what} ${shortCommit(commit)}.\n${green}`;
}

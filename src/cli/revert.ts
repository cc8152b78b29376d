/** `ralph revert` */
import { revert as takeBack } from '../morning/index.ts';
import { shellWord, shortCommit } from '../report/index.ts';
import { goOnCommand, meantPlan } from '../start/index.ts';
import { plural } from '../util/show.ts';
import { type Handler, switchFlag } from './command.ts';
import { currentRun } from './current-run.ts';
import { mayNotMark } from './may-mark.ts';
import { complain, print } from './print.ts';

export const revert: Handler = async call => {
  const current = await currentRun(call);
  if (!current.ok) return complain(current.error);
  const { project, folder, state, owner } = current.value;
  const refused = mayNotMark(folder);
  // What the agent of a live run works on is not what a dead one left behind: the lock refuses that, and says what is so.
  if (refused && !(owner && refused.reason === 'cut-off')) return complain(refused, 4);
  const done = await takeBack({
    project,
    run: state.run,
    item: call.args[0] ?? '',
    withDependents: switchFlag(call, 'with-dependents'),
    now: Date.now(),
  });
  if (!done.ok) return complain(done.error, done.error.reason === 'unknown-item' ? 2 : 1);
  if (switchFlag(call, 'json')) {
    print(JSON.stringify(done.value, undefined, 2));
    return 0;
  }
  const { items, branch, commit, commits } = done.value;
  const how =
    commit === null
      ? `${branch} no longer contained the work`
      : `${shortCommit(commit)} on ${branch} undoes ${plural(commits.length, 'commit')}`;
  // Another run may be open as well.
  const meant = meantPlan(project, state.run);
  const goOn = meant.ok ? goOnCommand(project, meant.value) : `ralph run ${shellWord(state.run)}`;
  print(`${items.join(', ')}: pending again; ${how}.\nTo have it done again: ${goOn}`);
  return 0;
};

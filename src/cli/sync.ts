/** `ralph sync` */
import { join } from 'node:path';
import type { LockOwner } from '../journal/index.ts';
import { type Address, readAddress, readCopy, trackersFolder } from '../plan/index.ts';
import { openProject, othersLive, type Project, type Synced, syncIssues, takeTurn } from '../start/index.ts';
import { systemClock } from '../util/clock.ts';
import { namesIn, readText } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { type Handler, switchFlag } from './command.ts';
import { complain, note, print } from './print.ts';

export const sync: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const addresses = addressesOf(project.value, call.args[0]);
  if (!addresses.ok) return complain(addresses.error, 2);
  // A run reads the copy as its plan and updates the tracker itself, so no run may be live or start now.
  const turn = await takeTurn(project.value, 'ralph sync');
  if (!turn.ok) return complain(turn.error.failure, turn.error.exit);
  const [live] = othersLive(project.value);
  if (live) {
    turn.value();
    return complain(atWork(live.owner), 4);
  }
  const done: Synced[] = [];
  try {
    for (const address of addresses.value) {
      const synced = await syncIssues(project.value, { address, now: systemClock.now() });
      if (!synced.ok) return complain(synced.error, synced.error.reason === 'tracker-empty' ? 2 : 4);
      done.push(synced.value);
    }
  } finally {
    turn.value();
  }
  if (switchFlag(call, 'json')) print(JSON.stringify(done, undefined, 2));
  else print(done.map(sentence).join('\n'));
  note(
    done.flatMap(({ failure, unfetched }) => [
      ...(unfetched ? [unfetched] : []),
      ...(failure ? [failure.message] : []),
    ]),
  );
  return done.some(({ waiting, unfetched }) => waiting > 0 || unfetched !== undefined) ? 1 : 0;
};

const atWork = ({ process: { pid }, run }: LockOwner): Failure => ({
  reason: 'locked',
  message: `another runner works here: pid ${pid}${run === undefined ? '' : `, run ${run}`}; it tells the tracker itself`,
  hint: 'Wait for its end, or end it with: ralph stop',
});

function addressesOf({ folder }: Project, given: string | undefined): Result<readonly Address[]> {
  const shown =
    given === undefined
      ? namesIn(trackersFolder(folder.root))
          .filter(name => name.endsWith('.json'))
          .toSorted()
          .flatMap(name => readCopy(readText(join(trackersFolder(folder.root), name)) ?? '')?.tracker ?? [])
      : [given];
  if (shown.length === 0) {
    return fail<Failure>({
      reason: 'tracker-address',
      message: 'no tracker has been used here',
      hint: "Name one: ralph sync 'github:owner/repo#label'",
    });
  }
  const read: Address[] = [];
  for (const each of shown) {
    const address = readAddress(each);
    if (!address.ok) return address;
    read.push(address.value);
  }
  return ok(read);
}

const sentence = ({ tracker, issues, sent, waiting }: Synced): string =>
  `${tracker}: ${plural(issues, 'issue')}, ${plural(sent, 'change')} sent${waiting > 0 ? `, ${waiting} still waiting` : ''}`;

/** The store of a repository: files in its `.ralph` folder. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { readText } from '../util/files.ts';
import { answerTo, receiveRequests, sendRequest } from './control.ts';
import { Journal } from './journal.ts';
import { acquireLock, lockOwner } from './lock.ts';
import { firstRecord, placeBefore, readJournal } from './read-journal.ts';
import { listFirst, listRuns, listRunsWithPlans } from './run-list.ts';
import { journalOf, type RalphFolder } from './runs.ts';
import type { Sent, Store } from './store.ts';

/** Stateless: two stores for the same folder are interchangeable. */
export function storeOf(folder: RalphFolder): Store {
  return {
    runs: () => listRuns(folder),
    runsWithPlans: () => listRunsWithPlans(folder),
    workOn: run => listFirst(folder, run),
    openJournal: run => Journal.open(journalOf(folder, run), () => undefined),
    readJournal: (run, onRecord, from) => readJournal(journalOf(folder, run), onRecord, from),
    placeBefore: (run, seq) => placeBefore(journalOf(folder, run), seq),
    firstRecord: run => firstRecord(journalOf(folder, run)),
    lock: request => acquireLock({ file: folder.lock, ...request }),
    owner: ({ isAlive }) => lockOwner({ file: folder.lock, isAlive }),
    send: (request, asker = {}) => sent(sendRequest(folder.control, request, asker), asker.from ? 'held' : 'left'),
    receive: onOther => receiveRequests(folder.control, onOther),
  };
}

/** Keeps the file open while the sender waits for the answer; the runner identifies the sender by that. */
function sent(file: string, how: 'held' | 'left'): Sent {
  const fd = how === 'held' ? openSync(file, 'r') : undefined;
  return {
    answer: () => readText(answerTo(file)) || undefined,
    withdraw: () => {
      if (fd !== undefined) closeSync(fd);
      for (const left of [file, answerTo(file)]) rmSync(left, { force: true });
    },
  };
}

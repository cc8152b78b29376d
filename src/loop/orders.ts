/**
 * Decides which requests are accepted. Code written by an agent can put a file into the inbox, or start `ralph done` from a process
 * without any of the agent's marks, and an item would count as done without work. So the runner inspects the sending process while it is
 * alive. An order without such proof is held, and carried out only with the code that the run's own terminal shows.
 */
import { randomInt } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Received, type Request } from '../journal/index.ts';
import { isPerson, systemTable } from '../process/index.ts';
import type { ProcessId } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import type { Session } from './session.ts';

/** Wrong guesses allowed before a new code is made. */
const GUESSES = 3;

/** Takes every order out of the inbox; those from a person are kept until the next iteration boundary. */
export function judgeOrders(session: Session): void {
  for (const received of requestsOf(session)) {
    const { request, asker, at, answer, done } = received;
    const words = wordsOf(request);
    // Stop, pause and resume cannot mark anything as done, so anybody may send them.
    if (!words) continue;
    const taken = isTaken(session, received, words);
    if (taken) session.orders.push({ request, at, ...(asker.actor ? { actor: asker.actor } : {}) });
    else hold(session, received);
    if (asker.from) answer(taken ? 'taken' : 'held');
    done();
  }
}

/** Reads the inbox; files that are not orders are removed and reported. */
export const requestsOf = (session: Pick<Session, 'options' | 'notice'>): readonly Received[] =>
  session.options.store.receive(what => session.notice('warn', `in .ralph/control, ${what}; it was removed`));

function isTaken(session: Session, { request, asker, file }: Received, words: readonly string[]): boolean {
  if (asker.confirm !== undefined) return isConfirmedBy(session, request, asker.confirm);
  // Requests left before this run began are accepted, except marks: those are never left behind but made at once.
  if (!asker.from) return session.firstAgent === undefined && request.type !== 'mark';
  return isPerson({ asker: asker.from, file, words, agent: border(session) });
}

/** The start time from which a process may be a descendant of an agent. */
function border({ state, firstAgent }: Session): ProcessId | undefined {
  const { leftAlive } = state;
  return leftAlive?.boot === systemTable.boot() ? leftAlive : firstAgent;
}

/** Words that the sender's command line has to contain; undefined for requests that anybody may send. */
function wordsOf(request: Request): readonly string[] | undefined {
  switch (request.type) {
    case 'stop':
    case 'pause':
    case 'resume':
      return undefined;
    case 'mark': {
      const { to, id } = request.mark;
      // `reset`, `unblock` and `unblock --all` only add work; the others have to name the item that they remove.
      return to === 'pending' ? [] : [to === 'done' ? 'done' : to === 'skipped' ? 'skip' : 'block', id];
    }
    case 'retry':
      return ['retry'];
    case 'answer':
      return ['answer', request.item];
    case 'steer':
      return ['steer'];
    case 'lesson':
      return ['lessons'];
  }
}

const keyOf = (request: Request): string =>
  request.type === 'mark' ? `${request.mark.to} ${request.mark.id}` : JSON.stringify(request);

function isConfirmedBy(session: Session, request: Request, code: string): boolean {
  const held = session.held.get(keyOf(request));
  if (!held) return false;
  if (held.code === code) {
    session.held.delete(keyOf(request));
    return true;
  }
  held.wrong += 1;
  if (held.wrong >= GUESSES) session.held.delete(keyOf(request));
  return false;
}

function hold(session: Session, { request, asker }: Received): void {
  const key = keyOf(request);
  const what = oneLine(describe(request), 120);
  const who = asker.from
    ? `${asker.from.pid} ${oneLine(systemTable.command(asker.from.pid), 80)}`
    : 'a process that is gone';
  if (!session.held.has(key)) {
    session.held.set(key, { code: String(randomInt(1000, 10_000)), wrong: 0 });
    noteUndone(session, `an order was ignored, because it may come from the agent: ${what} (from ${who})`);
  }
  session.notice('warn', `ignored, because it may come from the agent: ${what} (from ${who})`);
  const { code } = session.held.get(key) ?? {};
  if (code !== undefined) tellTerminal(`If this was you (${what}), repeat it with: --confirm ${code}`);
}

/** Recorded in the journal, so that the report shows attempts that were refused. */
export function noteUndone(session: Session, edit: string): void {
  const { iteration, item } = session.open ?? { iteration: session.state.iterations, item: session.lastItem };
  if (iteration > 0 && item !== '') {
    session.record({ type: 'plan.restored', iteration, item, edits: [edit] });
  }
}

function describe(request: Request): string {
  switch (request.type) {
    case 'mark':
      return `mark ${request.mark.id} ${request.mark.to}`;
    case 'retry':
      return `try ${request.item} again`;
    case 'answer':
      return `answer the question of ${request.item}: ${request.text}`;
    case 'steer':
      return `tell every brief: ${request.text}`;
    case 'lesson':
      return `${request.act} a lesson`;
    case 'stop':
    case 'pause':
    case 'resume':
      return request.type;
  }
}

/** Writes to the terminal device, because stdout may be a file that an agent can read. An agent's processes have no terminal. */
function tellTerminal(line: string): void {
  try {
    const fd = openSync('/dev/tty', 'w');
    writeSync(fd, `\r\n${line}\r\n`);
    closeSync(fd);
  } catch {
    // A run without a terminal cannot show a code; there, `ralph stop` has to come first.
  }
}

/** A session's access to the repository's memory, and how memory sees events. */

import type { Durable, Recorded } from '../events.ts';
import { type ArchivedEnd, describeNews, type Memory, type MemoryNews, type Watch } from '../memory/index.ts';
import type { Actor } from '../protocol.ts';
import { errorText } from '../util/result.ts';

/** The state of memory in a session; absent if memory is off. */
export interface Remembering {
  readonly memory: Memory;
  readonly watch: Watch;
  /** The end that an archive already has of this run, which was over once and then continued. */
  readonly archived?: ArchivedEnd;
  /** How many lessons came from archives of other loops, read while the first agents work; undefined once reported. */
  taken: number | undefined;
  isReading: boolean;
}

interface Remembers {
  readonly remembering: Remembering | undefined;
  notice(level: 'info' | 'warn', message: string): void;
  record(event: Durable): Recorded;
}

/** Passes an event to memory, only after it is in the journal. */
export function remember(session: Remembers, event: Durable, at: number): void {
  const { remembering } = session;
  if (!remembering) return;
  safely(session, () => {
    const news = remembering.watch(event, at);
    tellNews(session, news);
    recordNews(session, 'run', news);
  });
}

/** Memory never ends a run: its errors are reported and ignored. */
export function safely(session: Pick<Remembers, 'notice'>, act: () => void): void {
  try {
    act();
  } catch (error) {
    session.notice('warn', `the memory could not be used: ${errorText(error)}`);
  }
}

/** More lessons than this are only counted, because archives of another loop can have thousands. */
const NAMED = 50;

/** Records changed lessons in the journal, because the number of lessons learned is a figure of the run. */
export function recordNews(
  session: Pick<Remembers, 'record'>,
  from: 'run' | 'archives' | 'person',
  news: readonly MemoryNews[],
  actor?: Actor,
): void {
  const ids = (type: MemoryNews['type']) => news.flatMap(each => (each.type === type ? [each.lesson.id] : []));
  const [gained, retired] = [ids('born'), ids('retired')];
  if (gained.length + retired.length === 0) return;
  session.record({
    type: 'lessons.changed',
    from,
    gained: gained.slice(0, NAMED),
    retired,
    ...(gained.length > NAMED ? { more: gained.length - NAMED } : {}),
    ...(actor ? { actor } : {}),
  });
}

export function tellNews(session: Pick<Remembers, 'notice'>, news: readonly MemoryNews[]): void {
  for (const each of news) if (each.type !== 'merged') session.notice('info', describeNews(each));
}

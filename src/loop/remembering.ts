/** What a session has of the repository's memory, and how memory sees what happens. */
import type { Durable, Recorded } from '../events.ts';
import { type ArchivedEnd, describeNews, type Memory, type MemoryNews, type Watch } from '../memory/index.ts';
import type { Actor } from '../protocol.ts';

/** What a session does with its memory; absent where nothing is to be remembered. */
export interface Remembering {
  readonly memory: Memory;
  readonly watch: Watch;
  /** How far an archive tells this run already: it was over once, and goes on. */
  readonly archived?: ArchivedEnd;
  /** Archives of other loops that are read beside the first agents: how many lessons they gave; undefined once told. */
  taken: number | undefined;
  isReading: boolean;
}

interface Remembers {
  readonly remembering: Remembering | undefined;
  notice(level: 'info' | 'warn', message: string): void;
  record(event: Durable): Recorded;
}

/** Lets memory see what happened; never before it is in the journal. */
export function remember(session: Remembers, event: Durable, at: number): void {
  const { remembering } = session;
  if (!remembering) return;
  safely(session, () => {
    const news = remembering.watch(event, at);
    tellNews(session, news);
    recordNews(session, 'run', news);
  });
}

/** A memory never ends a run: what it cannot read or write is said and left. */
export function safely(session: Pick<Remembers, 'notice'>, act: () => void): void {
  try {
    act();
  } catch (error) {
    session.notice('warn', `the memory could not be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** More are only counted: the archives of another loop can have thousands. */
const NAMED = 50;

/** In the journal too: how much a run taught is a figure of that run. */
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

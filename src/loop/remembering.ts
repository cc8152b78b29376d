/** What a session has of the repository's memory, and how memory sees what happens. */
import type { Durable } from '../events.ts';
import { type ArchivedEnd, describeNews, type Memory, type MemoryNews, type Watch } from '../memory/index.ts';

/** What a session does with its memory; absent where nothing is to be remembered. */
export interface Remembering {
  readonly memory: Memory;
  readonly watch: Watch;
  /** How far an archive tells this run already: it was over once, and goes on. */
  readonly archived?: ArchivedEnd;
  /** Whether the runs before this one have been looked at for what a crash left undone. */
  othersFinished: boolean;
  /** Archives of other loops that are read beside the first agents: how many lessons they gave; undefined once told. */
  taken: number | undefined;
  isReading: boolean;
}

interface Remembers {
  readonly remembering: Remembering | undefined;
  notice(level: 'info' | 'warn', message: string): void;
}

/** Lets memory see what happened; never before it is in the journal. */
export function remember(session: Remembers, event: Durable, at: number): void {
  const { remembering } = session;
  if (remembering) safely(session, () => tellNews(session, remembering.watch(event, at)));
}

/** A memory never ends a run: what it cannot read or write is said and left. */
export function safely(session: Pick<Remembers, 'notice'>, act: () => void): void {
  try {
    act();
  } catch (error) {
    session.notice('warn', `the memory could not be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function tellNews(session: Pick<Remembers, 'notice'>, news: readonly MemoryNews[]): void {
  for (const each of news) if (each.type !== 'merged') session.notice('info', describeNews(each));
}

/** The lessons file is the runner's while an agent works: whoever writes into it then has only said something. */
import { rmSync } from 'node:fs';
import { addedLessons, lessonsFile, type SaidLesson } from '../memory/index.ts';
import { readBytes, writeFresh, writeOwn } from '../util/files.ts';
import { lookAt, versionOf } from '../util/version.ts';
import type { Session } from './session.ts';

export interface RestoredLessons {
  readonly edits: readonly string[];
  /** Sections that were added; they count as said by the agent, once its item is accepted. */
  readonly said: readonly SaidLesson[];
}

const nothing: RestoredLessons = { edits: [], said: [] };
/** One agent's share of the journal. */
const MOST = 20;

/** To be called before the agent starts; what it gives puts the file back once the agent is gone. */
export function guardLessons(session: Session, iteration: number): () => RestoredLessons {
  const { remembering } = session;
  if (!remembering) return () => nothing;
  const file = lessonsFile(remembering.memory.place);
  const before = readBytes(file);
  const version = versionOf(lookAt(file));
  return () => {
    // Ten thousand lessons are not read again after every agent.
    if (version !== '' && version === versionOf(lookAt(file))) return nothing;
    const after = readBytes(file);
    if (before === undefined ? after === undefined : after?.equals(before)) return nothing;
    if (after) writeFresh(session.fileOf(iteration, 'lessons.edited.md'), after);
    if (before) writeOwn(file, before);
    else rmSync(file, { force: true });
    const said = after ? addedLessons(before?.toString('utf8') ?? '', after.toString('utf8')) : [];
    return {
      edits: [after ? 'the lessons file was edited' : 'the lessons file was deleted'],
      said: said.slice(0, MOST),
    };
  };
}

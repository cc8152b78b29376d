/** The lessons file is the runner's while an agent works: whoever writes into it then has only said something. */
import { rmSync } from 'node:fs';
import { addedLessons, type SaidLesson } from '../memory/index.ts';
import { readBytes, writeOwn } from '../util/files.ts';
import { lookAt, versionOf } from '../util/version.ts';
import { type Change, type Thing, UNCHANGED } from './hold.ts';
import type { KeepEdited } from './prompts.ts';

export interface LessonsFound extends Change {
  /** Sections that were added; they count as said by the agent, once its item is accepted. */
  readonly said: readonly SaidLesson[];
}

const nothing: LessonsFound = { ...UNCHANGED, said: [] };
/** One agent's share of the journal. */
const MOST = 20;

/** `file` is undefined where nothing is remembered. */
export const heldLessons =
  ({ file, keep }: { readonly file: string | undefined; readonly keep: KeepEdited }): Thing<LessonsFound> =>
  () => {
    if (file === undefined) return () => nothing;
    const before = readBytes(file);
    const version = versionOf(lookAt(file));
    return () => {
      // Ten thousand lessons are not read again after every agent.
      if (version !== '' && version === versionOf(lookAt(file))) return nothing;
      const after = readBytes(file);
      if (before === undefined ? after === undefined : after?.equals(before)) return nothing;
      if (after) keep('lessons.edited.md', after);
      if (before) writeOwn(file, before);
      else rmSync(file, { force: true });
      const said = after ? addedLessons(before?.toString('utf8') ?? '', after.toString('utf8')) : [];
      return {
        edits: [after ? 'the lessons file was edited' : 'the lessons file was deleted'],
        said: said.slice(0, MOST),
      };
    };
  };

/** The lessons file is the runner's while an agent works: whoever writes into it then has only said something. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { addedLessons, lessonsWritten, type SaidLesson, sumOf } from '../memory/index.ts';
import { readBytes, readText, writeOwn } from '../util/files.ts';
import { lookAt, versionOf } from '../util/version.ts';
import { type Change, type Thing, UNCHANGED } from './hold.ts';
import type { KeepEdited } from './prompts.ts';

export interface LessonsFound extends Change {
  /** Sections that were added; they count as said by the agent, once its item is accepted. */
  readonly said: readonly SaidLesson[];
}

interface HeldLessons {
  readonly file: string | undefined;
  readonly keep: KeepEdited;
  readonly isBeside?: () => boolean;
}

const nothing: LessonsFound = { ...UNCHANGED, said: [] };
/** One agent's share of the journal. */
const MOST = 20;

/**
 * `file` is undefined where nothing is remembered. `isBeside` says whether other runners are alive here: what one of them has
 * written meanwhile is no agent's.
 */
export const heldLessons =
  ({ file, keep, isBeside = () => false }: HeldLessons): Thing<LessonsFound> =>
  () => {
    if (file === undefined) return () => nothing;
    const before = readBytes(file);
    const version = versionOf(lookAt(file));
    const wasBeside = isBeside();
    return () => {
      // Ten thousand lessons are not read again after every agent.
      if (version !== '' && version === versionOf(lookAt(file))) return nothing;
      const after = readBytes(file);
      if (before === undefined ? after === undefined : after?.equals(before)) return nothing;
      if (after && (wasBeside || isBeside()) && readText(lessonsWritten({ folder: dirname(file) })) === sumOf(after))
        return nothing;
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

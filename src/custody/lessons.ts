/** Protects the lessons file: while an agent works only the runner writes it, and sections that an agent adds count as said. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { addedLessons, lessonsWritten, type SaidLesson, sumOf } from '../memory/index.ts';
import { inTurn } from '../util/file-turn.ts';
import { readBytes, readText, writeOwn } from '../util/files.ts';
import { lookAt, versionOf } from '../util/version.ts';
import { type Change, type Thing, UNCHANGED } from './hold.ts';
import type { KeepEdited } from './prompts.ts';

export interface LessonsFound extends Change {
  /** Sections that were added; they count as lessons said by the agent, once its item is accepted. */
  readonly said: readonly SaidLesson[];
}

const nothing: LessonsFound = { ...UNCHANGED, said: [] };
/** The maximum number of lessons that one agent may add to the journal. */
const MOST = 20;

export interface LessonsPlace {
  readonly file: string;
  /** Whether other runners are alive in this repository: a lesson that one of them writes is not the agent's. */
  readonly isBeside?: () => boolean;
}

/** The lessons as the runner left them. */
export class OwnLessons {
  readonly #file: string;
  readonly #isBeside: () => boolean;
  #bytes: Buffer | undefined;
  #version = '';
  #wasBeside = false;

  constructor({ file, isBeside = () => false }: LessonsPlace) {
    this.#file = file;
    this.#isBeside = isBeside;
    this.#note();
  }

  /** Writes lessons, after undoing changes by others. */
  write(act: () => void, keep: KeepEdited): void {
    this.putBack(keep);
    act();
    this.#note();
  }

  putBack(keep: KeepEdited): LessonsFound {
    // Without this check, ten thousand lessons would be read again after every agent.
    if (this.#version !== '' && this.#version === versionOf(lookAt(this.#file))) return nothing;
    // Another runner writes the file first and its checksum second; in between, its lesson would look like an agent's.
    return inTurn(this.#file, () => this.#compare(keep));
  }

  #compare(keep: KeepEdited): LessonsFound {
    const [before, after] = [this.#bytes, readBytes(this.#file)];
    if (before === undefined ? after === undefined : after?.equals(before)) return nothing;
    if (after && this.#isOthers(after)) {
      this.#note();
      return nothing;
    }
    if (after) keep('lessons.edited.md', after);
    if (before) writeOwn(this.#file, before);
    else rmSync(this.#file, { force: true });
    this.#version = versionOf(lookAt(this.#file));
    const said = after ? addedLessons(before?.toString('utf8') ?? '', after.toString('utf8')) : [];
    return {
      edits: [after ? 'the lessons file was edited' : 'the lessons file was deleted'],
      said: said.slice(0, MOST),
    };
  }

  /** Every runner stores the checksum of what it wrote. */
  #isOthers(bytes: Buffer): boolean {
    if (!this.#wasBeside && !this.#isBeside()) return false;
    return readText(lessonsWritten({ folder: dirname(this.#file) })) === sumOf(bytes);
  }

  #note(): void {
    this.#wasBeside = this.#isBeside();
    const version = versionOf(lookAt(this.#file));
    if (version !== '' && version === this.#version) return;
    this.#bytes = readBytes(this.#file);
    this.#version = version;
  }
}

export interface LessonsHeld {
  /** Undefined if memory is off. */
  readonly file: string | undefined;
  readonly keep: KeepEdited;
  readonly isBeside?: () => boolean;
  /** Set if several agents work at once, because then the runner writes the file while an agent works. */
  readonly own?: OwnLessons | undefined;
}

export const heldLessons =
  ({ file, keep, isBeside, own }: LessonsHeld): Thing<LessonsFound> =>
  () => {
    if (file === undefined) return () => nothing;
    const lessons = own ?? new OwnLessons({ file, ...(isBeside ? { isBeside } : {}) });
    return () => lessons.putBack(keep);
  };

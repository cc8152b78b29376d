/** A change as the guards see it: files with their role, their lines, and lazily computed views of their text. */
import type { Change, FileText, GuardInput, Item } from '../protocol.ts';
import { type Language, languageOf } from './language.ts';
import type { Line } from './line.ts';
import { diffLines } from './line-diff.ts';
import { type Masked, mask } from './mask.ts';
import { type Role, roleOf } from './roles.ts';
import { readTests } from './tests/find-tests.ts';
import type { TestCase } from './tests/test-case.ts';

export interface Side extends Masked {
  readonly text: string;
  readonly lines: readonly string[];
  /** Lines of `code`. */
  readonly codeLines: readonly string[];
  /** Lines of `bare`. */
  readonly bareLines: readonly string[];
  readonly tests: readonly TestCase[];
}

export class LookFile {
  readonly change: Change;
  readonly path: string;
  readonly role: Role;
  readonly language: Language;
  readonly before: Side;
  readonly after: Side;
  #lines: { readonly added: readonly Line[]; readonly removed: readonly Line[] } | undefined;

  constructor(change: Change, text: { readonly before: string; readonly after: string }) {
    this.change = change;
    this.path = change.path;
    this.role = roleOf(change.path);
    this.language = languageOf(change.path);
    this.before = new LazySide(text.before, this);
    this.after = new LazySide(text.after, this);
  }

  get added(): readonly Line[] {
    return this.#changed().added;
  }

  get removed(): readonly Line[] {
    return this.#changed().removed;
  }

  #changed() {
    if (!this.#lines) {
      const { before, after } = this;
      const { added, removed } = diffLines(before.lines, after.lines);
      this.#lines = {
        added: added.map(at => new SideLine(after, at + 1)),
        removed: removed.map(at => new SideLine(before, at + 1)),
      };
    }
    return this.#lines;
  }
}

/** Longer lines are data or generated; only their beginning is looked at. */
const LONG = 4000;

/** A line with lazy fields: there may be ten thousand lines, and most are asked for one field only. */
class SideLine implements Line {
  readonly number: number;
  readonly #side: Side;

  constructor(side: Side, number: number) {
    this.number = number;
    this.#side = side;
  }

  get text(): string {
    return cut(this.#side.lines[this.number - 1]);
  }

  get code(): string {
    return cut(this.#side.codeLines[this.number - 1]);
  }

  get bare(): string {
    return cut(this.#side.bareLines[this.number - 1]);
  }
}

const cut = (text = ''): string => (text.length > LONG ? text.slice(0, LONG) : text);

class LazySide implements Side {
  readonly text: string;
  readonly #file: Pick<LookFile, 'path' | 'language' | 'role'>;
  #lines: readonly string[] | undefined;
  #codeLines: readonly string[] | undefined;
  #bareLines: readonly string[] | undefined;
  #masked: Masked | undefined;
  #tests: readonly TestCase[] | undefined;

  constructor(text: string, file: Pick<LookFile, 'path' | 'language' | 'role'>) {
    this.text = text;
    this.#file = file;
  }

  get lines(): readonly string[] {
    this.#lines ??= this.text === '' ? [] : this.text.replace(/\n$/, '').split('\n');
    return this.#lines;
  }

  get codeLines(): readonly string[] {
    // Without comments these are the lines themselves, plus the empty text after the last line ending.
    this.#codeLines ??=
      this.code === this.text && this.text.endsWith('\n') ? [...this.lines, ''] : this.code.split('\n');
    return this.#codeLines;
  }

  get bareLines(): readonly string[] {
    this.#bareLines ??= this.bare === this.code ? this.codeLines : this.bare.split('\n');
    return this.#bareLines;
  }

  get code(): string {
    this.#masked ??= mask(this.text, this.#file.language);
    return this.#masked.code;
  }

  get bare(): string {
    this.#masked ??= mask(this.text, this.#file.language);
    return this.#masked.bare;
  }

  get tests(): readonly TestCase[] {
    this.#tests ??= this.text === '' ? [] : readTests(this, this.#file);
    return this.#tests;
  }
}

export interface Look {
  readonly input: GuardInput;
  readonly changes: readonly Change[];
  readonly files: readonly LookFile[];
  /** Changed files whose content could not be read. */
  readonly unread: readonly Change[];
  readonly item: Item;
  readonly scope: NonNullable<GuardInput['scope']>;
  /** The item's text, in lower case. */
  readonly words: string;
}

const made = new WeakMap<FileText, LookFile>();

/** The file of a text; cached, so that all callers share its views. */
export function lookFile(change: Change, text: FileText): LookFile {
  const known = made.get(text);
  if (known) return known;
  const file = new LookFile(change, text);
  made.set(text, file);
  return file;
}

export function lookAt(input: GuardInput): Look {
  const { changes, item, text, scope = 'item' } = input;
  const files: LookFile[] = [];
  const unread: Change[] = [];
  for (const change of changes) {
    const read = text?.(change.path);
    if (read) files.push(lookFile(change, read));
    else if (text) unread.push(change);
  }
  return { input, changes, files, unread, item, scope, words: wordsOf(item).toLowerCase() };
}

/** Everything that the item says. */
export const wordsOf = ({ title, body, criteria, verify }: Item): string =>
  [title, body, ...criteria, ...verify].join('\n');

/** Whether the item's text names a path, or its last part. */
export function names({ words }: Pick<Look, 'words'>, path: string): boolean {
  const lower = path.toLowerCase();
  return words.includes(lower) || words.includes(lower.slice(lower.lastIndexOf('/') + 1));
}

/** Trees as git keeps them, apart from the work tree and from our index: listed, changed, laid out elsewhere. */
import { rmSync } from 'node:fs';
import { ok, type Result } from '../util/result.ts';
import type { Git } from './git.ts';

export interface TreeEdit {
  readonly path: string;
  readonly mode: string;
  /** The id of an object that is there, new bytes, or undefined to take the file out. */
  readonly content: string | Buffer | undefined;
}

export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

export interface Elsewhere {
  readonly folder: string;
  readonly index: string;
}

export class OtherTrees {
  readonly #git: Git;
  readonly #index: string;

  /** `index` is a name that nobody else uses; others are made from it. */
  constructor(git: Git, index: string) {
    this.#git = git;
    this.#index = index;
  }

  /** Every file of a tree. */
  async entries(tree: string): Promise<Result<readonly TreeEntry[]>> {
    const listed = await this.#git.list('ls-tree', '-r', '-z', '--full-tree', tree);
    if (!listed.ok) return listed;
    return ok(
      listed.value.map(line => {
        const [mode = '', , id = ''] = line.slice(0, line.indexOf('\t')).split(' ');
        return { mode, id, path: line.slice(line.indexOf('\t') + 1) };
      }),
    );
  }

  /** A tree with some of its files replaced or taken out. */
  async replacing(tree: string, edits: readonly TreeEdit[]): Promise<Result<string>> {
    const index = `${this.#index}.edit`;
    const git = this.#git.with({ GIT_INDEX_FILE: index });
    // Of a runner that was killed; there is only ever one.
    rmSync(`${index}.lock`, { recursive: true, force: true });
    try {
      const read = await git.text('read-tree', tree);
      if (!read.ok) return read;
      const lines: string[] = [];
      // What goes makes room: a folder may stand where a file was.
      const sorted = edits.toSorted((a, b) => Number(a.content !== undefined) - Number(b.content !== undefined));
      for (const { path, mode, content } of sorted) {
        const id = typeof content === 'string' ? ok(content) : await this.#writeBlob(content);
        if (!id.ok) return id;
        lines.push(id.value === undefined ? `0 ${'0'.repeat(tree.length)}\t${path}` : `${mode} ${id.value}\t${path}`);
      }
      const put = await git.run({ args: ['update-index', '-z', '--index-info'], input: `${lines.join('\0')}\0` });
      return put.ok ? await git.text('write-tree') : put;
    } finally {
      rmSync(index, { recursive: true, force: true });
    }
  }

  async #writeBlob(bytes: Buffer | undefined): Promise<Result<string | undefined>> {
    if (bytes === undefined) return ok(undefined);
    const made = await this.#git.run({ args: ['hash-object', '-w', '--no-filters', '--stdin'], input: bytes });
    return made.ok ? ok(made.value.toString('utf8').trim()) : made;
  }

  /**
   * Makes a folder elsewhere hold a tree's files and nothing else. With an index that knows what the folder held before, only
   * what differs is written. False where something stays that is not the tree's.
   */
  async checkOut(tree: string, { folder, index }: Elsewhere): Promise<Result<boolean>> {
    const git = this.#git.with({ GIT_INDEX_FILE: index, GIT_WORK_TREE: folder });
    const read = await git.text(...WHOLE, 'read-tree', '--reset', '-u', tree);
    if (!read.ok) return read;
    const cleaned = await git.text('clean', '-ffdxq');
    if (!cleaned.ok) return cleaned;
    const left = await git.run({ args: [...WHOLE, 'ls-files', '-z', '-o', '-m', '-d'] });
    return left.ok ? ok(left.value.length === 0) : left;
  }
}

/** All files of a tree, whatever the person's own checkout leaves out. */
const WHOLE = ['-c', 'core.sparseCheckout=false'];

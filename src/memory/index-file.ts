/**
 * How an index is kept: one line of JSON, then long texts as they are. Texts inside JSON would have to be taken apart
 * and put together character by character at every start; like this they are only read, and decoded when asked for.
 */
import { readBytes, writeOwn } from '../util/files.ts';
import type { TextIndex } from './text-index.ts';

type Texts = Readonly<Record<string, string | Buffer>>;

export function writeIndexFile(file: string, { head, texts }: { readonly head: unknown; readonly texts: Texts }): void {
  const parts = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const sizes = parts.map(({ name, bytes }) => [name, bytes.length] as const);
  writeOwn(file, Buffer.concat([Buffer.from(`${JSON.stringify({ head, sizes })}\n`), ...parts.map(p => p.bytes)]));
}

export class IndexFile {
  readonly head: unknown;
  readonly #parts: ReadonlyMap<string, Buffer>;

  constructor(head: unknown, parts: ReadonlyMap<string, Buffer>) {
    this.head = head;
    this.#parts = parts;
  }

  bytes(name: string): Buffer {
    return this.#parts.get(name) ?? Buffer.alloc(0);
  }

  text(name: string): string {
    return this.bytes(name).toString('utf8');
  }
}

/** Undefined for what is not there or not whole. */
export function readIndexFile(file: string): IndexFile | undefined {
  const bytes = readBytes(file);
  const end = bytes?.indexOf(0x0a) ?? -1;
  if (!bytes || end < 0) return undefined;
  try {
    const { head, sizes } = JSON.parse(bytes.toString('utf8', 0, end)) as {
      readonly head: unknown;
      readonly sizes: readonly (readonly [string, number])[];
    };
    const parts = new Map<string, Buffer>();
    let at = end + 1;
    for (const [name, size] of sizes) {
      parts.set(name, bytes.subarray(at, at + size));
      at += size;
    }
    return at === bytes.length ? new IndexFile(head, parts) : undefined;
  } catch {
    return undefined;
  }
}

/** A search index as two of the texts. */
export const textsOf = (name: string, { lengths, terms }: TextIndex): Texts => ({
  [`${name}.lengths`]: lengths,
  [`${name}.terms`]: terms,
});

export function indexIn(file: IndexFile, name: string): TextIndex {
  const lengths = file.text(`${name}.lengths`);
  return { count: lengths.length / 2, lengths, terms: file.text(`${name}.terms`) };
}

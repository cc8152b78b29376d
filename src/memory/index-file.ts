/**
 * How an index is kept: one line of JSON, then long texts as they are. Texts inside JSON would have to be taken apart
 * and put together character by character at every start; like this they are only read.
 */
import { readBytes, writeAtomic } from '../util/files.ts';

export interface IndexFile {
  readonly head: unknown;
  readonly texts: Readonly<Record<string, string>>;
}

export function writeIndexFile(file: string, { head, texts }: IndexFile): void {
  const parts = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const sizes = parts.map(({ name, bytes }) => [name, bytes.length] as const);
  writeAtomic(file, Buffer.concat([Buffer.from(`${JSON.stringify({ head, sizes })}\n`), ...parts.map(p => p.bytes)]));
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
    const texts: Record<string, string> = {};
    let at = end + 1;
    for (const [name, size] of sizes) {
      texts[name] = bytes.toString('utf8', at, at + size);
      at += size;
    }
    return at === bytes.length ? { head, texts } : undefined;
  } catch {
    return undefined;
  }
}

/** Buffers with a bound: whatever comes in, memory stays where it is. */
import { StringDecoder } from 'node:string_decoder';

/** Cuts chunks into lines; a line over the limit is dropped whole and counted, never held. */
export class LineSplitter {
  #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #length = 0;
  #skipping = false;
  oversized = 0;
  readonly #limit: number;
  readonly #onLine: (line: string) => void;

  constructor(limit: number, onLine: (line: string) => void) {
    this.#limit = limit;
    this.#onLine = onLine;
  }

  write(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#push(text.slice(from, end));
      this.#flush();
      from = end + 1;
    }
    if (from < text.length) this.#push(text.slice(from));
  }

  end(): void {
    this.#push(this.#decoder.end());
    if (this.#length > 0 || this.#skipping) this.#flush();
  }

  #push(part: string): void {
    if (this.#skipping) return;
    this.#length += part.length;
    if (this.#length > this.#limit) {
      this.#skipping = true;
      this.#parts = [];
      return;
    }
    if (part) this.#parts.push(part);
  }

  #flush(): void {
    if (this.#skipping) this.oversized += 1;
    else {
      const line = this.#parts.join('');
      this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
    this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
  }
}

/** The last `limit` bytes of everything written. */
export class ByteTail {
  #chunks: Buffer[] = [];
  #held = 0;
  total = 0;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  write(chunk: Buffer): void {
    this.total += chunk.length;
    // A slice of a pooled buffer would keep the whole pool alive.
    this.#chunks.push(Buffer.from(chunk.length > this.limit ? chunk.subarray(-this.limit) : chunk));
    this.#held += Math.min(chunk.length, this.limit);
    while (this.#held - (this.#chunks[0]?.length ?? 0) >= this.limit) {
      this.#held -= this.#chunks.shift()?.length ?? 0;
    }
  }

  bytes(): Buffer {
    const all = Buffer.concat(this.#chunks);
    return all.length > this.limit ? all.subarray(-this.limit) : all;
  }

  text(): string {
    return this.bytes().toString('utf8');
  }
}

/** The end of a text in at most `limit` characters, starting at a line of its own where possible. */
export function tailOf(text: string, limit: number): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= limit) return trimmed;
  const cut = trimmed.slice(-limit);
  const newline = cut.indexOf('\n');
  return `…${newline >= 0 && newline < limit / 2 ? cut.slice(newline) : cut}`;
}

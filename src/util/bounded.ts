/** Buffers with a size limit: memory use stays bounded, whatever the input. */
import { StringDecoder } from 'node:string_decoder';

/** Splits chunks into lines; a line over the limit is dropped and counted, never buffered. */
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

/** Deletes the oldest entry if there are more than `most`. */
export function keepNewest<K>(
  kept: { readonly size: number; keys(): Iterable<K>; delete(key: K): unknown },
  most: number,
): void {
  const [oldest] = kept.size > most ? kept.keys() : [];
  if (oldest !== undefined) kept.delete(oldest);
}

/** The last `limit` bytes of everything written. */
export class ByteTail {
  /** Everything written so far, until it exceeds the limit. */
  #chunks: Buffer[] = [];
  /** From then on a ring buffer, so that a flood of output creates no garbage. */
  #ring: Buffer | undefined;
  #at = 0;
  total = 0;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  write(chunk: Buffer): void {
    this.total += chunk.length;
    if (this.#ring) {
      this.#turn(this.#ring, chunk);
    } else if (this.total <= this.limit) {
      // A slice of a pooled buffer would keep the whole pool alive.
      this.#chunks.push(Buffer.from(chunk));
    } else {
      this.#ring = Buffer.allocUnsafeSlow(this.limit);
      for (const early of this.#chunks.splice(0)) this.#turn(this.#ring, early);
      this.#turn(this.#ring, chunk);
    }
  }

  bytes(): Buffer {
    if (!this.#ring) return Buffer.concat(this.#chunks);
    return Buffer.concat([this.#ring.subarray(this.#at), this.#ring.subarray(0, this.#at)]);
  }

  text(): string {
    return this.bytes().toString('utf8');
  }

  #turn(ring: Buffer, chunk: Buffer): void {
    const kept = chunk.subarray(-this.limit);
    const first = Math.min(kept.length, this.limit - this.#at);
    kept.copy(ring, this.#at, 0, first);
    kept.copy(ring, 0, first);
    this.#at = (this.#at + kept.length) % this.limit;
  }
}

/** The end of a text in at most `limit` characters, starting at a line break if possible. */
export function tailOf(text: string, limit: number): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= limit) return trimmed;
  const cut = trimmed.slice(-limit);
  const newline = cut.indexOf('\n');
  return `…${newline >= 0 && newline < limit / 2 ? cut.slice(newline) : cut}`;
}

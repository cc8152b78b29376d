/** Taking in what a process writes, at its speed and in bounded memory: lines, a log and a tail. */
import type { Readable } from 'node:stream';
import { ByteTail, LineSplitter } from '../util/bounded.ts';
import type { KnownSecret } from '../util/secret-values.ts';
import { plain } from '../util/show.ts';
import type { CappedLog } from './capped-log.ts';
import { maskOf } from './mask.ts';

/** Enough for the last words of a program that fails. */
const STDERR_BYTES = 8 * 1024;

export interface OutputOptions {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly log: CappedLog | undefined;
  /** Never passed on, by their names. */
  readonly secrets: readonly KnownSecret[];
  /** Longer lines are dropped whole; the log still has them. */
  readonly maxLine: number;
  readonly tailBytes: number;
  readonly onLine?: (line: string) => void;
  readonly onChunk: () => void;
}

export interface Output {
  /** Both streams are at their end. */
  readonly closed: Promise<unknown>;
  /** Closes everything, whether the streams ended or not. */
  finish(): {
    readonly outputBytes: number;
    readonly droppedBytes: number;
    readonly tail: string;
    readonly stderr: string;
  };
}

export function takeOutput(options: OutputOptions): Output {
  const { stdout, stderr, log, onLine, onChunk } = options;
  const tail = new ByteTail(options.tailBytes);
  const errors = new ByteTail(Math.min(options.tailBytes, STDERR_BYTES));
  const lines = onLine && new LineSplitter(options.maxLine, onLine);

  // Everything is done with a chunk before the next one is read, so a fast writer waits and memory does not grow.
  const masked = (stream: Readable, more: (chunk: Buffer) => void) => {
    const mask = maskOf(options.secrets);
    const take = (chunk: Buffer) => {
      if (chunk.length === 0) return;
      log?.write(chunk);
      tail.write(chunk);
      more(chunk);
    };
    stream.on('data', (chunk: Buffer) => {
      take(mask.write(chunk));
      onChunk();
    });
    return () => take(mask.end());
  };
  const rests = [masked(stdout, chunk => lines?.write(chunk)), masked(stderr, chunk => errors.write(chunk))];

  return {
    closed: Promise.all([ended(stdout), ended(stderr)]),
    finish() {
      stdout.destroy();
      stderr.destroy();
      for (const rest of rests) rest();
      lines?.end();
      const droppedBytes = log?.close().dropped ?? 0;
      return { outputBytes: tail.total, droppedBytes, tail: tailText(tail), stderr: tailText(errors) };
    },
  };
}

function ended(stream: Readable): Promise<void> {
  return new Promise(resolve => {
    stream.once('end', resolve);
    stream.once('close', resolve);
  });
}

/** Starts at a line of its own where there is one near, at least never in the middle of a character. */
function tailText(tail: ByteTail): string {
  let bytes = tail.bytes();
  if (tail.total > bytes.length) {
    const newline = bytes.indexOf(0x0a);
    if (newline >= 0 && newline < bytes.length / 2) bytes = bytes.subarray(newline + 1);
    while (((bytes[0] ?? 0) & 0xc0) === 0x80) bytes = bytes.subarray(1);
  }
  return plain(bytes.toString('utf8'));
}

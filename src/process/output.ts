/** Reads a process's output with bounded memory: lines, a log and a tail. */
import type { Readable } from 'node:stream';
import { ByteTail, LineSplitter } from '../util/bounded.ts';
import type { KnownSecret } from '../util/secret-values.ts';
import { plain } from '../util/show.ts';
import type { CappedLog } from './capped-log.ts';
import { maskOf } from './mask.ts';

/** Enough for the error message of a program that fails. */
const STDERR_BYTES = 8 * 1024;

export interface OutputOptions {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly log: CappedLog | undefined;
  /** Secrets, which are replaced by their names. */
  readonly secrets: readonly KnownSecret[];
  /** Longer lines are not passed to `onLine`; the log still has them. */
  readonly maxLine: number;
  readonly tailBytes: number;
  readonly onLine?: (line: string) => void;
  readonly onChunk: () => void;
}

export interface Output {
  /** Resolves when both streams have ended. */
  readonly closed: Promise<unknown>;
  /** Closes everything, whether the streams have ended or not. */
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

  // Each chunk is processed completely before the next is read, so a fast writer has to wait and memory stays bounded.
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
      const droppedBytes = log?.close() ?? 0;
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

/** Starts at the beginning of a line if one is near, and never in the middle of a character. */
function tailText(tail: ByteTail): string {
  let bytes = tail.bytes();
  if (tail.total > bytes.length) {
    const newline = bytes.indexOf(0x0a);
    if (newline >= 0 && newline < bytes.length / 2) bytes = bytes.subarray(newline + 1);
    while (((bytes[0] ?? 0) & 0xc0) === 0x80) bytes = bytes.subarray(1);
  }
  return plain(bytes.toString('utf8'));
}

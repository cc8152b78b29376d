/**
 * One `git diff-tree --stdin` for a whole run: after every agent there is a diff to look at, and starting a git for each
 * costs more than the diff. It ends with its runner, however that ends: its input is closed then.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';

export type Server = ChildProcessByStdio<Writable, Readable, null>;

export interface DiffServerOptions {
  /** Starts `git diff-tree --stdin` with the flags that the answers are to have. */
  readonly start: () => Server;
  /** A longer answer is not waited for. */
  readonly maxBytes: number;
}

const PATIENCE_MS = 60_000;

/** One question at a time, which the loop guarantees. */
export class DiffServer {
  readonly #options: DiffServerOptions;
  #server: Server | undefined;
  /** It went away or did not answer; git is asked the ordinary way from then on. */
  #broken = false;

  constructor(options: DiffServerOptions) {
    this.#options = options;
  }

  /** What `git diff-tree <from> <to>` prints; undefined where it has to be asked itself. */
  async ask(from: string, to: string): Promise<Buffer | undefined> {
    if (this.#broken) return undefined;
    const head = `${from} ${to}\n`;
    // A line that is no object name comes back as it is, and at once: it marks the end of the answer before it.
    const end = Buffer.from(`end of ${randomBytes(16).toString('hex')}\n`);
    const answer = await this.#exchange(Buffer.concat([Buffer.from(head), end]), end);
    if (!answer) {
      this.#broken = true;
      this.close();
      return undefined;
    }
    return answer.subarray(0, head.length).equals(Buffer.from(head)) ? answer.subarray(head.length) : undefined;
  }

  close(): void {
    this.#server?.stdin.end();
    this.#server?.kill();
    this.#server = undefined;
  }

  #exchange(question: Buffer, end: Buffer): Promise<Buffer | undefined> {
    const server = this.#running();
    if (!server) return Promise.resolve(undefined);
    const chunks: Buffer[] = [];
    let length = 0;
    return new Promise(resolve => {
      const done = (answer: Buffer | undefined) => {
        clearTimeout(timer);
        server.stdout.off('data', take);
        server.stdout.pause();
        server.off('close', gone);
        hold(server, 'unref');
        resolve(answer);
      };
      const gone = () => done(undefined);
      const take = (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > this.#options.maxBytes) return done(undefined);
        const tail = chunk.length >= end.length ? chunk : Buffer.concat(chunks);
        if (tail.subarray(-end.length).equals(end)) done(Buffer.concat(chunks).subarray(0, length - end.length));
      };
      const timer = setTimeout(gone, PATIENCE_MS);
      server.once('close', gone);
      server.stdout.on('data', take);
      hold(server, 'ref');
      server.stdin.write(question);
    });
  }

  #running(): Server | undefined {
    if (this.#server) return this.#server.exitCode === null && this.#server.signalCode === null ? this.#server : undefined;
    try {
      const server = this.#options.start();
      for (const stream of [server, server.stdin, server.stdout]) stream.on('error', () => undefined);
      this.#server = server;
      return server.pid === undefined ? undefined : server;
    } catch {
      return undefined;
    }
  }
}

/** Between two questions nothing of it keeps the program from ending. */
function hold(server: Server, how: 'ref' | 'unref'): void {
  for (const part of [server, server.stdin, server.stdout]) {
    (part as { ref?(): void; unref?(): void })[how]?.();
  }
}

/**
 * One git that stays and compares trees, one pair after the other. Starting a program takes longer than comparing two
 * small trees, and the more memory the runner holds the longer it takes.
 */

import { randomBytes } from 'node:crypto';
import { keepAlive, type Standing, startStanding } from '../process/index.ts';
import type { Git } from './git.ts';

const DEADLINE_MS = 60_000;

export class TreeDiffs {
  readonly #git: Git;
  readonly #flags: readonly string[];
  readonly #maxBytes: number;
  /** A line that is no pair of ids is given back as it is: so ends an answer. No file can hold it by chance or by will. */
  readonly #end = `end-${randomBytes(12).toString('hex')}\n`;
  #child: Standing | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(git: Git, options: { readonly flags: readonly string[]; readonly maxBytes: number }) {
    this.#git = git;
    this.#flags = options.flags;
    this.#maxBytes = options.maxBytes;
  }

  /** Started before it is asked, while there is time for it. */
  expect(): void {
    if (!this.#child) this.#start();
  }

  /** Undefined where it could not be had this way: too long, too slow, or git is gone. Asked one at a time. */
  of(from: string, to: string): Promise<Buffer | undefined> {
    const answer = this.#last.then(() => this.#of(`${from} ${to}\n`));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #of(pair: string): Promise<Buffer | undefined> {
    const child = this.#child ?? this.#start();
    const answer = child ? await this.#ask(child, pair) : undefined;
    if (answer === undefined) this.close();
    return answer;
  }

  /** It has read settings and attributes once; whoever changes these needs a new one. */
  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #start(): Standing | undefined {
    const { argv, cwd, env } = this.#git.command(['diff-tree', '--stdin', ...this.#flags]);
    const child = startStanding(argv, { cwd, env });
    if (!child) return undefined;
    child.on('error', () => this.close());
    child.on('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    child.stdin.on('error', () => this.close());
    child.stderr.resume();
    keepAlive(child, false);
    this.#child = child;
    return child;
  }

  #ask(child: Standing, pair: string): Promise<Buffer | undefined> {
    return new Promise(resolve => {
      const chunks: Buffer[] = [];
      let size = 0;
      const done = (answer: Buffer | undefined) => {
        clearTimeout(timer);
        child.stdout.off('data', onData);
        child.off('exit', onExit);
        keepAlive(child, false);
        resolve(answer);
      };
      const onExit = () => done(undefined);
      const timer = setTimeout(onExit, DEADLINE_MS);
      const onData = (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > this.#maxBytes) return done(undefined);
        const all = chunks.length === 1 ? chunk : Buffer.concat(chunks);
        if (all.subarray(-this.#end.length).toString('latin1') !== this.#end) return;
        const body = all.subarray(0, -this.#end.length);
        // The pair comes back first, on a line of its own, unless git does not know one of the two.
        done(body.subarray(0, pair.length).toString('latin1') === pair ? body.subarray(pair.length) : undefined);
      };
      keepAlive(child, true);
      child.once('exit', onExit);
      child.stdout.on('data', onData);
      child.stdin.write(pair + this.#end);
    });
  }
}

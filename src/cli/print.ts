/** How commands print: results on stdout, problems on stderr, colour only if wanted. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import { describeFailure, type Failure } from '../util/result.ts';
import { plain } from '../util/show.ts';

export function print(text: string): void {
  process.stdout.write(lines(text));
}

/** For commands that print little and end: past the stream, which takes longer to open than such a command runs. */
export function printOnce(text: string): void {
  writeOut(lines(text));
}

let isStream = false;

/** The same without the end of a line. */
export function writeOut(text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    while (!isStream && at < bytes.length) at += writeSync(1, bytes, at);
  } catch {
    // Not all at once, or nobody reads any more: the stream can wait, and errors of it are not reported.
    process.stdout.on('error', () => undefined);
    isStream = true;
  }
  // From there on all of it, or what comes later would be out first.
  if (isStream) process.stdout.write(bytes.subarray(at));
}

const lines = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Something to know about what was done, beside the result. */
export function note(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`ralph: ${plain(line)}\n`);
}

/** Says what went wrong and returns the exit code. `ralph serve`, which shows it on a page, reads it as data. */
export function complain(failure: Failure, exit = 2): number {
  const text = process.env.RALPH_VIA === 'page' ? JSON.stringify(failure) : `ralph: ${describeFailure(failure)}`;
  process.stderr.write(`${text}\n`);
  return exit;
}

/** Ends the program although something of it may still wait, such as a name that is being looked up. What was printed is out first. */
export async function leave(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>(resolve => {
      stream.once('error', () => resolve());
      stream.write('', () => resolve());
    });
  process.exit(code);
}

export function wantsColor(): boolean {
  // Asking the stream opens it; only what is a device, and not the null device, can be a terminal.
  if (process.env.NO_COLOR || process.env.TERM === 'dumb' || !mayBeTerminal(1)) return false;
  return process.stdout.isTTY;
}

function mayBeTerminal(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isCharacterDevice() && stat.rdev !== statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

/** The width of the terminal; undefined where the text goes elsewhere and is not to be wrapped. */
export function columnsOf(): number | undefined {
  return mayBeTerminal(1) && process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
}

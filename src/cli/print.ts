/** Printing: results on stdout, problems on stderr, colour only if wanted. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import { describeFailure, type Failure } from '../util/result.ts';
import { plain } from '../util/show.ts';

export function print(text: string): void {
  process.stdout.write(lines(text));
}

/** For commands that print little and end: bypasses the stream, which takes longer to open than such a command runs. */
export function printOnce(text: string): void {
  writeOut(lines(text));
}

let isStream = false;

/** The same without a line ending. */
export function writeOut(text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    while (!isStream && at < bytes.length) at += writeSync(1, bytes, at);
  } catch {
    // A partial write, or nobody reads any more: the stream can wait, and its errors are not reported.
    process.stdout.on('error', () => undefined);
    isStream = true;
  }
  // From then on everything goes through the stream, to keep the order.
  if (isStream) process.stdout.write(bytes.subarray(at));
}

const lines = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Prints notes beside the result. */
export function note(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`ralph: ${plain(line)}\n`);
}

/** There is no repository to work in, whatever the command is. */
const NOT_HERE: ReadonlySet<string> = new Set([
  'no-repository',
  'bare-repository',
  'inside-git-dir',
  'not-owned',
  'git-missing',
]);

/** Prints a failure and returns the exit code. For `ralph serve`, which shows it on a page, it is printed as JSON. */
export function complain(failure: Failure, exit = 2): number {
  const text = process.env.RALPH_VIA === 'page' ? JSON.stringify(failure) : `ralph: ${describeFailure(failure)}`;
  process.stderr.write(`${text}\n`);
  return NOT_HERE.has(failure.reason) ? 4 : exit;
}

/** Ends the process although something is still pending, such as a DNS lookup. All output is flushed first. */
export async function leave(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>(resolve => {
      stream.once('error', () => resolve());
      stream.write('', () => resolve());
    });
  process.exit(code);
}

export function wantsColor(): boolean {
  // Asking the stream opens it; only a device other than the null device can be a terminal.
  if (process.env.NO_COLOR || process.env.TERM === 'dumb' || !mayBeTerminal()) return false;
  return process.stdout.isTTY;
}

/** Whether lines can be written over. A dumb terminal would show the codes that move the cursor. */
export const canRedraw = (): boolean => process.stdout.isTTY && process.env.TERM !== 'dumb';

/** Of standard output. */
function mayBeTerminal(): boolean {
  try {
    const stat = fstatSync(1);
    return stat.isCharacterDevice() && stat.rdev !== statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

/** The width of the terminal; undefined if the output goes elsewhere and is not wrapped. */
export function columnsOf(): number | undefined {
  return mayBeTerminal() && process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
}

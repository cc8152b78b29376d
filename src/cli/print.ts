/** How commands speak: stdout for results, stderr for trouble, colour only where it is wanted. */
import { describeFailure, type Failure } from '../util/result.ts';

export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Says what went wrong and returns the exit code. */
export function complain(failure: Failure, exit = 2): number {
  process.stderr.write(`ralph: ${describeFailure(failure)}\n`);
  return exit;
}

export function wantsColor(stream: NodeJS.WriteStream = process.stdout): boolean {
  if (process.env.NO_COLOR) return false;
  return stream.isTTY && process.env.TERM !== 'dumb';
}

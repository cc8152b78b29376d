/** The last error handler: prints an unexpected error as one sentence, and saves the whole error to a file. */
import { writeSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { killRunning } from '../process/index.ts';
import { writeFresh } from '../util/files.ts';
import { describeFailure, errorText, type Failure } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { systemFailure } from '../util/system-error.ts';
import { lookAt } from '../util/version.ts';

declare const __VERSION__: string;

/** Reports the error, kills what still runs, and returns the exit code: 4 for a system error, 1 for a bug. */
export function reportCrash(error: unknown): number {
  // A closed pipe (`ralph check | head`) is not an error.
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0;
  const killed = killRunning().map(({ pid, command }) => `ralph: ended ${pid} ${command}\n`);
  const system = error instanceof Error && 'syscall' in error;
  const text = `ralph: ${describeFailure(system ? refusedBySystem(error as NodeJS.ErrnoException) : bug(error))}\n${killed.join('')}`;
  try {
    writeSync(2, process.env.RALPH_DEBUG ? `${text}${whole(error)}\n` : text);
  } catch {
    // Nobody reads stderr any more.
  }
  return system ? 4 : 1;
}

function refusedBySystem(error: NodeJS.ErrnoException): Failure {
  const known = systemFailure(error);
  if (known && error.syscall === 'uv_cwd') return known;
  const where = error.path === undefined ? '' : `: ${error.path}`;
  return {
    reason: 'system',
    message: oneLine(`the system refused to ${error.syscall ?? 'go on'} (${error.code ?? 'no code'})${where}`, 300),
    hint: `Check the permissions and the free disk space, then start this command again. ${keep(error)}`,
  };
}

function bug(error: unknown): Failure {
  const message = errorText(error);
  return {
    reason: 'bug',
    message: oneLine(`something went wrong that should not be possible: ${message}`, 300),
    hint: `Nothing that was accepted is lost; continue with: ralph run. ${keep(error)}`,
  };
}

const whole = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : `thrown: ${String(error)}`;

/** Saves the whole error, and says where. */
function keep(error: unknown): string {
  const facts = `ralph ${__VERSION__}, node ${process.version}, ${platform()} ${arch()}\n${process.argv.slice(2).join(' ')}`;
  for (const file of [...inRepository(), join(tmpdir(), `ralph-crash-${process.pid}.log`)]) {
    try {
      writeFresh(file, `${new Date().toISOString()}\n${facts}\n\n${whole(error)}\n`);
      return `The whole error is in ${file}`;
    } catch {
      // Try the next place.
    }
  }
  return 'See the whole error with: RALPH_DEBUG=1';
}

function inRepository(): readonly string[] {
  try {
    for (let folder = process.cwd(); ; folder = dirname(folder)) {
      if (lookAt(join(folder, '.ralph'))?.isDirectory()) return [join(folder, '.ralph', 'crash.log')];
      if (dirname(folder) === folder) return [];
    }
  } catch {
    return [];
  }
}

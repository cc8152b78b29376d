/** A program in this process's own session: whoever looks at who asks finds the session of the person who started this. */
import { childProcess } from './child-process.ts';

export interface RanHere {
  /** Null when it could not be started or was ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** More is not kept of either. */
const MOST_BYTES = 64 * 1024;

/** Never rejects. Unlike `capture` it makes no session of its own, so it is for our own short commands only. */
export function runHere(options: {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}): Promise<RanHere> {
  const { argv, cwd, env, timeoutMs } = options;
  const [program, ...args] = argv;
  return new Promise(resolve => {
    childProcess().execFile(
      program,
      args,
      { cwd, env, timeout: timeoutMs, maxBuffer: MOST_BYTES, encoding: 'utf8', killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, stdout, stderr: stderr || (code === null ? (error?.message ?? '') : '') });
      },
    );
  });
}

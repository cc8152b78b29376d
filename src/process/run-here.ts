/** Runs a program in this process's own session, so that its requests count as coming from the person who started this one. */
import { childProcess } from './child-process.ts';

export interface RanHere {
  /** Null if it could not be started or was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Limit for each output. */
const MOST_BYTES = 64 * 1024;

/** Never rejects. Unlike `capture` it creates no new session, so it is only for Ralph's own short commands. */
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

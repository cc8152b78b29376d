/** Errors of the operating system in words: a full disk or a missing permission is not a bug in the program. */
import { type Failure, fail, type Result } from './result.ts';

const WORDS: Readonly<Record<string, readonly [what: string, next: string]>> = {
  ENOSPC: ['the disk is full', 'Free some space'],
  EDQUOT: ['the disk quota is used up', 'Free some space'],
  EROFS: ['the file system is read-only', 'Make it writable'],
  EACCES: ['a file may not be read or written', 'Give its permission back'],
  EPERM: ['a file may not be read or written', 'Give its permission back'],
  EIO: ['the disk reports an error', 'Look at the disk'],
  EMFILE: ['too many files are open', 'Raise the limit (ulimit -n)'],
  ENFILE: ['too many files are open on this machine', 'Close some programs'],
  ENOMEM: ['there is no memory left', 'Close some programs'],
  EAGAIN: ['there are too many processes', 'Close some programs'],
};

/** As programs print them, if messages are in English. */
const PRINTED: readonly (readonly [said: RegExp, code: string])[] = [
  [/No space left on device/, 'ENOSPC'],
  [/Disk quota exceeded/, 'EDQUOT'],
  [/Read-only file system/, 'EROFS'],
];

/** The system error in a program's output; undefined if there is none. */
export function refusedProgram(said: string): Failure | undefined {
  const code = PRINTED.find(([words]) => words.test(said))?.[1];
  const [what, next] = (code === undefined ? undefined : WORDS[code]) ?? [];
  return what === undefined
    ? undefined
    : { reason: 'system', message: `${what} (${said})`, hint: `${next}, then start this command again.` };
}

/** Undefined for any other error: that is a bug and should look like one. */
export function systemFailure(error: unknown): Failure | undefined {
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === undefined || syscall === undefined) return undefined;
  if (syscall === 'uv_cwd') {
    const message = 'the current folder no longer exists';
    return { reason: 'no-folder', message, hint: 'Go to one that does: cd' };
  }
  const [what, next] = WORDS[code] ?? ['the system refused', 'Fix that'];
  const { message } = error as Error;
  return { reason: 'system', message: `${what} (${message})`, hint: `${next}, then continue with: ralph run` };
}

/** Turns a full disk or a missing permission into an ordinary failure, wherever it occurs. */
export async function orSystemFailure<T>(act: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await act();
  } catch (error) {
    const failure = systemFailure(error);
    if (!failure) throw error;
    return fail(failure);
  }
}

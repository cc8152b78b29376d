/** The input that Claude Code sends to a Stop hook on stdin. */
import { isAbsolute } from 'node:path';
import { type Failure, fail, ok, type Result } from '../util/result.ts';

export interface StopInput {
  readonly session: string;
  readonly transcript: string;
  readonly cwd: string;
  /** Newer versions send the last message here; the transcript may not contain it yet. */
  readonly lastMessage?: string;
}

const MOST_BYTES = 32 * 1024 * 1024;
const LONGEST_MS = 20_000;

export async function readStopInput(): Promise<Result<StopInput>> {
  if (process.stdin.isTTY) return fail(notForPeople('this is called by Claude Code, not by hand'));
  const text = await readStdin();
  try {
    const said = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const { session_id: session, transcript_path: transcript, cwd, last_assistant_message: lastMessage } = said ?? {};
    // The id becomes a file name.
    if (typeof session !== 'string' || !/^[\w-]{1,128}$/.test(session)) return fail(notForPeople('no session_id'));
    return ok({
      session,
      transcript: typeof transcript === 'string' && isAbsolute(transcript) ? transcript : '',
      cwd: typeof cwd === 'string' && isAbsolute(cwd) ? cwd : process.cwd(),
      ...(typeof lastMessage === 'string' ? { lastMessage } : {}),
    });
  } catch {
    return fail(notForPeople('what came on stdin is not the JSON of a Stop hook'));
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The parent process may keep the pipe open without writing anything.
  const patience = setTimeout(() => process.stdin.destroy(), LONGEST_MS);
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) break;
    }
  } catch {
    // The pipe was closed on either side: what has arrived is parsed, and half of it is invalid JSON.
  } finally {
    clearTimeout(patience);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const notForPeople = (message: string): Failure => ({
  reason: 'usage',
  message: `ralph hook stop: ${message}`,
  hint: 'To end a loop: ralph hook stop --off. To install the hook: ralph plugin install',
});

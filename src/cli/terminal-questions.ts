/** Questions to the person at the terminal, one line each. Between questions the terminal is in its normal mode. */
import { createInterface } from 'node:readline/promises';

/** The typed text; undefined if the person left (Ctrl-C or Ctrl-D) or the terminal is gone. */
export async function askLine(prompt: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new AbortController();
  lines.once('close', () => gone.abort());
  lines.once('SIGINT', () => gone.abort());
  try {
    return (await lines.question(prompt, { signal: gone.signal })).trim();
  } catch {
    process.stdout.write('\n');
    return undefined;
  } finally {
    lines.close();
  }
}

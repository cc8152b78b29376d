/** The questions of an attended run. */
import { createInterface } from 'node:readline/promises';
import type { Answer, Ask } from '../loop.ts';
import type { Stopper } from '../process/index.ts';

export function askPerson(hold: () => () => void, stopper: Stopper): Ask {
  return async ({ item, title, verdict }) => {
    const goOn = hold();
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // If the terminal closes, the question would never be answered, so it is aborted.
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, stopper.signal]);
    lines.once('close', () => gone.abort());
    // While a readline interface reads, it gets Ctrl-C instead of the process.
    lines.once('SIGINT', () => stopper.stop({ reason: 'interrupted', now: true }));
    const question = (prompt: string) => lines.question(prompt, { signal });
    try {
      for (;;) {
        const text = await question(`${item} ${title}: ${verdict}. [g]o on, [r]etry with a hint, [s]kip, s[t]op? `);
        const answer = await answerTo(text.trim().toLowerCase(), question);
        if (answer) return answer;
      }
    } catch {
      // The terminal is gone: nobody attends, so nothing more is started.
      return { type: 'stop' };
    } finally {
      lines.close();
      goOn();
    }
  };
}

async function answerTo(text: string, question: (prompt: string) => Promise<string>): Promise<Answer | undefined> {
  switch (text) {
    case '':
    case 'g':
      return { type: 'go-on' };
    case 'r':
      return { type: 'retry', hint: (await question('Hint for the next attempt: ')).trim() };
    case 's':
      return { type: 'skip' };
    case 't':
      return { type: 'stop' };
    default:
      return undefined;
  }
}

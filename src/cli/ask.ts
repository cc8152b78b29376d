/** The questions of an attended run. */
import { createInterface } from 'node:readline/promises';
import type { Answer, Ask } from '../loop/session.ts';

export function askPerson(hold: () => () => void): Ask {
  return async ({ item, title, verdict }) => {
    const goOn = hold();
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      for (;;) {
        const text = await lines.question(
          `${item} ${title}: ${verdict}. [g]o on, [r]etry with a hint, [s]kip, s[t]op? `,
        );
        const answer = await answerTo(text.trim().toLowerCase(), prompt => lines.question(prompt));
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
      return { type: 'retry', hint: await question('Hint for the next attempt: ') };
    case 's':
      return { type: 'skip' };
    case 't':
      return { type: 'stop' };
    default:
      return undefined;
  }
}

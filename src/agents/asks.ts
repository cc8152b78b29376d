/** Whether an agent's final message waits for an answer, read only from its own words. */
import { withoutCode } from './markdown.ts';

const ASKS = /[?？]["'”’»)\]*_~]*(?:\s|$)/u;

/** The last paragraph holds a question: somebody is to decide before the work can count as finished. */
export const asksPerson = (message: string): boolean => ASKS.test(lastParagraph(message));

/** The last paragraph where it holds a question; else nothing. */
export function questionIn(message: string): string {
  const last = lastParagraph(message);
  return ASKS.test(last) ? last.trim() : '';
}

function lastParagraph(message: string): string {
  const own = withoutCode(message)
    .replaceAll('\0', ' ')
    .replace(/<(lesson|used)\b[^>]{0,80}>[^<]{0,4000}<\/\1>/g, ' ');
  return (
    own
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .at(-1) ?? ''
  );
}

/** Whether an agent's final message waits for an answer, read only from its own words. */
import { withoutCode } from './markdown.ts';

/** The last paragraph holds a question: somebody is to decide before the work can count as finished. */
export function asksPerson(message: string): boolean {
  const own = withoutCode(message)
    .replaceAll('\0', ' ')
    .replace(/<(lesson|used)\b[^>]{0,80}>[^<]{0,4000}<\/\1>/g, ' ');
  const last = own
    .trimEnd()
    .split(/\n[ \t]*\n/)
    .at(-1);
  return /[?？]["'”’»)\]*_~]*(?:\s|$)/u.test(last ?? '');
}

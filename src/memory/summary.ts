/** Which part of an agent's final message is worth keeping. */
import { oneLine, plain } from '../util/show.ts';

const LONGEST = 600;
// Enough for any first paragraph; a message of megabytes is not searched through for one.
const LOOKED_AT = 16 * 1024;

// Claims and lessons have their own readers; repeated in a later brief they would only invite an echo.
const SIGNALS = /<(promise|lesson|used)\b[^>]*>[\s\S]*?<\/\1>|^.*RALPH_TASK_(?:COMPLETE|BLOCKED).*$/gim;
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<!--|-->/g;

/** The first paragraph of a message in at most 600 characters, without claims, headings, fences and control codes. */
export function summarize(message: string): string {
  const text = plain(message.slice(0, LOOKED_AT)).replace(SIGNALS, '').replace(MARKUP, '');
  for (const paragraph of text.split(/\n\s*\n/)) {
    const lines = paragraph
      .split('\n')
      .filter(line => !/^\s*(?:#|`{3}|~{3})/.test(line))
      .map(line => line.trimEnd());
    const summary = lines.join('\n').trim();
    if (summary) return shorten(summary);
  }
  return '';
}

/** One line for a reason. */
export const summarizeReason = (reason: string): string => oneLine(reason.slice(0, LOOKED_AT).replace(MARKUP, ''), 300);

/** Whole sentences where there are any; only one that is longer than everything is cut. */
function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  const cut = text.slice(0, LONGEST);
  const end = Math.max(...['. ', '! ', '? ', '.\n', '\n'].map(mark => cut.lastIndexOf(mark)));
  return end > 0 ? cut.slice(0, end + 1).trimEnd() : `${cut.slice(0, -1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** An agent's final message, bounded in size. */
import { continueBlock, type OpenBlock, reopen } from './markdown.ts';

/** A final message longer than this keeps its end: claims and lessons come last. */
export const MESSAGE_LIMIT = 64 * 1024;

/** The end of a text, beginning with the code fence or comment that was open where it was cut. */
export function endOfMessage(text: string): string {
  if (text.length <= MESSAGE_LIMIT) return text;
  const message = messageTail();
  for (const line of text.split('\n')) message.add(line);
  return message.text();
}

/** Lines in, the last `MESSAGE_LIMIT` characters out. */
export function messageTail(): { add(line: string): void; text(): string } {
  let held = '';
  let open: OpenBlock;
  const cut = () => {
    const newline = held.indexOf('\n', held.length - MESSAGE_LIMIT - 1);
    const end = newline < 0 ? held.length - MESSAGE_LIMIT : newline + 1;
    // Text that was inside a code block must not look like speech only because the block's first line is gone.
    for (const line of held.slice(0, end).split('\n')) open = continueBlock(open, line);
    held = held.slice(end);
  };
  return {
    add: line => {
      held += held === '' ? line : `\n${line}`;
      if (held.length > 2 * MESSAGE_LIMIT) cut();
    },
    text: () => {
      if (held.length > MESSAGE_LIMIT) cut();
      return reopen(open) + held;
    },
  };
}

/** Splits a text into pages that fit the screen. */
import { displayWidth } from './width.ts';

const TAB = ' '.repeat(8);

/** Pages of whole lines; a line wider than the screen takes as many rows as the terminal wraps it to. */
export function screensOf(
  text: string,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly string[] {
  const screens: string[][] = [[]];
  let used = 0;
  for (const line of text.split('\n')) {
    const takes = Math.max(1, Math.ceil(displayWidth(line.replaceAll('\t', TAB)) / columns));
    if (used > 0 && used + takes > rows) {
      screens.push([]);
      used = 0;
    }
    screens.at(-1)?.push(line);
    used += takes;
  }
  return screens.map(lines => lines.join('\n'));
}

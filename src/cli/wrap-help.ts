/** A help text in a terminal: paragraphs are filled, and a row continues below its second column. */
import { wrap } from '../report/index.ts';

/** The first column of a row, with the space behind it. */
const FIRST_COLUMN = /^ *\S.*? {2,}(?=\S)/;

export function wrapHelp(text: string, columns: number): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) lines.push(...wrap(paragraph.join(' '), columns));
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    if (/^\S(?!.* {2})/.test(line)) {
      paragraph.push(line);
      continue;
    }
    endParagraph();
    const first = FIRST_COLUMN.exec(line)?.[0] ?? '';
    const [begin = '', ...rest] = wrap(line.slice(first.length), columns - first.length);
    lines.push(first + begin, ...rest.map(part => ' '.repeat(first.length) + part));
  }
  endParagraph();
  return lines.join('\n');
}

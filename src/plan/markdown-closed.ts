/** Regions in which boxes mean nothing: code fences, comments, raw HTML, front matter. */

/** An open region in which boxes mean nothing: a fence, a comment, or raw HTML. */
export interface Closed {
  readonly ends: (line: string) => boolean;
  /** The column of the list item around it: the region ends with that item, too. */
  readonly content: number;
  readonly atBlank: boolean;
  readonly line: number;
  readonly what: string;
}
const RAW = /^<(pre|script|style|textarea)\b/i;

interface Opening {
  readonly rest: string;
  readonly line: number;
  readonly content: number;
  /** Whether a `-->` follows somewhere below. */
  readonly ahead: () => boolean;
}

export function opens({ rest, line, content, ahead }: Opening): Closed | undefined {
  if (isFence(rest)) {
    const mark = rest.charAt(0);
    const length = runLength(rest, mark);
    const ends = (found: string) => runLength(found, mark) >= length && found.slice(runLength(found, mark)) === '';
    return { ends, content, atBlank: false, line, what: 'the code fence' };
  }
  if (!rest.includes('<')) return undefined;
  const raw = RAW.exec(rest)?.[1]?.toLowerCase();
  if (raw !== undefined) {
    const ends = (found: string) => found.toLowerCase().includes(`</${raw}>`);
    return ends(rest) ? undefined : { ends, content, atBlank: false, line, what: `the <${raw}> block` };
  }
  if (!rest.includes('<!--') || !rest.replace(/`[^`]*`/g, '').includes('<!--')) return undefined;
  if (rest.lastIndexOf('-->') > rest.lastIndexOf('<!--')) return undefined;
  const ends = (found: string) => found.includes('-->');
  const block = rest.startsWith('<!--');
  // In the middle of a sentence, an opening without an end is only text.
  if (!block && !ahead()) return undefined;
  return { ends, content, atBlank: !block, line, what: 'the comment' };
}

export function isFence(rest: string): boolean {
  if (rest.startsWith('~~~')) return true;
  return rest.startsWith('```') && !rest.slice(runLength(rest, '`')).includes('`');
}

function runLength(text: string, character: string): number {
  let length = 0;
  while (text[length] === character) length++;
  return length;
}

/** How many lines the front matter has, and the offset where it ends. */
export function frontMatter(text: string): { readonly lines: number; readonly end: number } {
  const lines = text.startsWith('---') ? text.split('\n') : [];
  const last = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (last < 0 || lines[0]?.trimEnd() !== '---') return { lines: 0, end: 0 };
  return { lines: last + 1, end: lines.slice(0, last + 1).join('\n').length + 1 };
}

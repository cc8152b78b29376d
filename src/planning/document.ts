/** A Markdown document as sections of lines: enough of Markdown to find stories in it, and every line accounted for. */

export type DocLine =
  | { readonly type: 'text'; readonly line: number; readonly indent: number; readonly text: string }
  /** An entry of a list; `mark` is what is in its box, if it has one. */
  | {
      readonly type: 'entry';
      readonly line: number;
      readonly indent: number;
      readonly text: string;
      readonly mark?: string;
      /** The line as it stands, for where the entry is not taken apart. */
      readonly raw: string;
    }
  /** A fence, and what is in it. */
  | { readonly type: 'code'; readonly line: number; readonly text: string; readonly isFence: boolean }
  /** Front matter and comments: nothing that a reader of the page would see. */
  | { readonly type: 'hidden'; readonly line: number; readonly text: string }
  | { readonly type: 'blank'; readonly line: number };

export interface Section {
  /** 0 for what stands before the first heading. */
  readonly level: number;
  readonly heading: string;
  readonly line: number;
  readonly lines: readonly DocLine[];
  readonly children: readonly Section[];
}

interface Open {
  readonly level: number;
  readonly heading: string;
  readonly line: number;
  readonly lines: DocLine[];
  readonly children: Open[];
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const BOLD_HEADING = /^\*\*([^*]+)\*\*:?$/;
const ENTRY = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[([ xX~-]?)\](?:[ \t]+|$))?(.*)$/;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const RULE = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Deeper than every heading with signs of its own. */
const BOLD_LEVEL = 7;

export interface DocumentOptions {
  /** Whether a line that is bold as a whole stands for a heading. */
  readonly isHeading: (boldText: string) => boolean;
}

/** Never throws, whatever the text. */
export function readDocument(text: string, { isHeading }: DocumentOptions): Section {
  const root: Open = { level: 0, heading: '', line: 1, lines: [], children: [] };
  const path: Open[] = [root];
  const top = () => path.at(-1) ?? root;
  const open = (level: number, heading: string, line: number) => {
    while (path.length > 1 && top().level >= level) path.pop();
    const section: Open = { level, heading: heading.replaceAll('**', '').trim(), line, lines: [], children: [] };
    top().children.push(section);
    path.push(section);
  };
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  let fence: string | undefined;
  let comment = false;
  let front = lines[0]?.trimEnd() === '---' && lines.slice(1).some(isFrontEnd);
  for (const [index, raw] of lines.entries()) {
    const line = index + 1;
    const content = raw.trimEnd();
    if (front) {
      top().lines.push({ type: 'hidden', line, text: content });
      front = index === 0 || !isFrontEnd(content);
      continue;
    }
    if (fence !== undefined) {
      const closes = content.trim().startsWith(fence) && content.trim().replaceAll(fence[0] ?? '', '') === '';
      top().lines.push({ type: 'code', line, text: content, isFence: closes });
      if (closes) fence = undefined;
      continue;
    }
    if (comment || content.trimStart().startsWith('<!--')) {
      top().lines.push({ type: 'hidden', line, text: content });
      comment = !content.includes('-->');
      continue;
    }
    const opened = FENCE.exec(content)?.[1];
    if (opened !== undefined) {
      fence = opened;
      top().lines.push({ type: 'code', line, text: content, isFence: true });
      continue;
    }
    const heading = HEADING.exec(content);
    const bold = BOLD_HEADING.exec(content)?.[1];
    if (heading) open(heading[1]?.length ?? 1, heading[2] ?? '', line);
    else if (bold !== undefined && isHeading(bold)) open(BOLD_LEVEL, bold, line);
    else if (content === '' || RULE.test(content)) top().lines.push({ type: 'blank', line });
    else if (/^=+$/.test(content) && isTitle(top().lines.at(-1))) {
      const title = top().lines.pop();
      open(1, title?.type === 'text' ? title.text : '', line - 1);
    } else top().lines.push(entryOf(content, line) ?? textOf(content, line));
  }
  return root;
}

const isTitle = (line: DocLine | undefined): boolean => line?.type === 'text' && line.indent === 0;

const isFrontEnd = (line: string): boolean => /^(?:---|\.\.\.)\s*$/.test(line);

function entryOf(content: string, line: number): DocLine | undefined {
  const found = ENTRY.exec(content);
  if (!found) return undefined;
  const [, space = '', mark, text = ''] = found;
  if (text === '') return undefined;
  return { type: 'entry', line, indent: columnsOf(space), text, raw: content, ...(mark === undefined ? {} : { mark }) };
}

function textOf(content: string, line: number): DocLine {
  const text = content.trimStart();
  return { type: 'text', line, indent: columnsOf(content.slice(0, content.length - text.length)), text };
}

const columnsOf = (space: string): number => space.replaceAll('\t', '    ').length;

/** The line as Markdown again. */
export function rawOf(line: DocLine): string {
  switch (line.type) {
    case 'text':
      return ' '.repeat(line.indent) + line.text;
    case 'entry':
      return line.raw;
    case 'code':
    case 'hidden':
      return line.text;
    case 'blank':
      return '';
  }
}

/** A section and everything below it, in document order. */
export function* sectionsIn(section: Section): Generator<Section> {
  yield section;
  for (const child of section.children) yield* sectionsIn(child);
}

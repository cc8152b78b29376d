/**
 * The prose of a checklist around its boxes. Text above all boxes, and sections without boxes, is about the plan as a
 * whole; text in a section with boxes is about those boxes.
 */

export interface Prose {
  readonly about: string;
  /** The prose of the section that contains a line, and of the sections around it, outermost first. */
  readonly sectionOf: (line: number) => string;
}

/** The lines of a box and of everything under it; lines count from 1. */
export interface BoxLines {
  readonly first: number;
  readonly last: number;
}

interface Part {
  readonly depth: number;
  /** With its `#` signs. */
  readonly heading: string;
  readonly line: number;
  readonly parent: Part | undefined;
  readonly lines: string[];
  readonly children: Part[];
  /** Boxes directly in it and in its sections. */
  boxes: number;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+\S/;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
/** Also matches a box that is not a task because it explains the notation. */
const BOX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ \txX~-]?\]\*?[ \t]/;
const EMPTY_ENTRY = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*(?:\[[^\]]?\])?$/;
const RULE = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Finds the prose of a checklist. Never throws, whatever the text. */
export function proseIn(text: string, boxes: readonly BoxLines[]): Prose {
  const parts = partsOf(text, boxes);
  const [root] = parts;
  const all = root?.boxes ?? 0;
  const isShared = (part: Part | undefined): boolean => part === undefined || part.boxes === all || part.boxes === 0;
  const about = parts.filter(part => isShared(part) && ancestors(part).every(isShared));
  return {
    about: about.map(wordsOf).filter(Boolean).join('\n\n'),
    sectionOf: line => {
      const own = parts.findLast(part => part.line <= line);
      const chain = own ? [...ancestors(own).toReversed(), own] : [];
      return chain
        .filter(part => !isShared(part))
        .flatMap(part => [part, ...part.children.filter(child => child.boxes === 0).flatMap(withAllBelow)])
        .map(wordsOf)
        .filter(Boolean)
        .join('\n\n');
    },
  };
}

function partsOf(text: string, boxes: readonly BoxLines[]): readonly Part[] {
  const root: Part = { depth: 0, heading: '', line: 1, parent: undefined, lines: [], children: [], boxes: 0 };
  const parts = [root];
  let part = root;
  let next = 0;
  let fence: string | undefined;
  let isComment = false;
  const lines = text.split('\n');
  for (let index = frontMatterLines(lines); index < lines.length; index++) {
    const box = boxes[next];
    if (box && index + 1 >= box.first) {
      for (let above: Part | undefined = part; above; above = above.parent) above.boxes++;
      index = Math.max(index, box.last - 1);
      next++;
      continue;
    }
    const line = (lines[index] ?? '').trimEnd();
    if (fence !== undefined) {
      part.lines.push(line);
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    if (isComment || line.trimStart().startsWith('<!--')) {
      isComment = !line.includes('-->');
      continue;
    }
    const depth = HEADING.exec(line)?.[1]?.length;
    if (depth !== undefined) {
      while (part.parent && part.depth >= depth) part = part.parent;
      const made: Part = {
        depth,
        heading: line.trim(),
        line: index + 1,
        parent: part,
        lines: [],
        children: [],
        boxes: 0,
      };
      part.children.push(made);
      parts.push(made);
      part = made;
      continue;
    }
    fence = FENCE.exec(line)?.[1];
    if (!BOX.test(line) && !RULE.test(line) && !EMPTY_ENTRY.test(line)) part.lines.push(line);
  }
  return parts;
}

function closes(line: string, fence: string): boolean {
  const words = line.trim();
  return words.length >= fence.length && words.replaceAll(fence.charAt(0), '') === '';
}

function ancestors(part: Part): readonly Part[] {
  const found: Part[] = [];
  for (let above = part.parent; above; above = above.parent) found.push(above);
  return found;
}

const withAllBelow = (part: Part): readonly Part[] => [part, ...part.children.flatMap(withAllBelow)];

/** The prose of a part; empty for a heading with nothing under it. */
function wordsOf({ heading, lines }: Part): string {
  const prose = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return prose === '' ? '' : [heading, prose].filter(Boolean).join('\n\n');
}

/** How many lines the front matter has. */
export function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.replace(/^\uFEFF/, '').trimEnd() !== '---') return 0;
  return lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line)) + 1;
}

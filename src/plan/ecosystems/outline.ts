/** Which lines belong to which task, and the prose of the sections around it. */
import type { Line } from './lines.ts';

/** A heading with the text directly under it, without tasks and their lines. */
interface Section {
  readonly depth: number;
  readonly name: string;
  readonly line: number;
  readonly prose: Line[];
  readonly within: Section | undefined;
}

export interface Owned {
  readonly line: Line;
  /** Lines indented under it, up to the next task. */
  readonly under: readonly Line[];
  readonly section: Section | undefined;
  /** The tasks it is indented under, outermost first. */
  readonly parents: readonly Owned[];
}

export interface Outline {
  readonly tasks: readonly Owned[];
  /** The first heading. */
  readonly title: string;
  /** The text before the first section: what the plan says about itself. */
  readonly about: string;
  readonly sections: readonly Section[];
}

/** Assigns to a task the lines that are indented deeper than it; a heading ends the task, a blank line does not. */
export function outlineOf(lines: readonly Line[], isTask: (line: Line) => boolean): Outline {
  const tasks: (Owned & { under: Line[] })[] = [];
  const sections: Section[] = [];
  const preamble: Line[] = [];
  let open: (Owned & { under: Line[] })[] = [];
  let section: Section | undefined;
  for (const line of lines) {
    if (line.heading) {
      const { depth, name } = line.heading;
      while (section && section.depth >= depth) section = section.within;
      section = { depth, name, line: line.number, prose: [], within: section };
      sections.push(section);
      open = [];
      continue;
    }
    const blank = line.text === '';
    if (!blank) open = open.filter(({ line: owner }) => owner.indent < line.indent);
    if (isTask(line)) {
      const task = { line, under: [], section, parents: [...open] };
      tasks.push(task);
      open.push(task);
      continue;
    }
    const owner = open.at(-1);
    (owner?.under ?? section?.prose ?? preamble).push(line);
  }
  const first = sections[0];
  const isTitle = first !== undefined && first.depth === 1;
  return {
    tasks,
    title: isTitle ? first.name : '',
    about: [wordsOf(preamble), isTitle ? wordsOf(first.prose) : ''].filter(Boolean).join('\n\n'),
    sections,
  };
}

/** The text of lines, without blank lines around it. */
export const wordsOf = (lines: readonly Line[]): string =>
  lines
    .map(({ text }) => text)
    .join('\n')
    .trim();

/** The headings around a task with their prose, outermost first; prose under the title belongs to the whole plan. */
export function proseAround({ section }: Pick<Owned, 'section'>): string {
  const parts: string[] = [];
  for (let at = section; at; at = at.within) {
    if (at.depth === 1 && at.within === undefined) break;
    const words = wordsOf(at.prose);
    parts.unshift([`${'#'.repeat(at.depth)} ${at.name}`, words].filter(Boolean).join('\n\n'));
  }
  return parts.join('\n\n');
}

/** The outermost section below the title: a phase, a numbered group. */
export function groupOf({ section }: Pick<Owned, 'section'>): Section | undefined {
  let at = section;
  while (at?.within && at.within.depth > 1) at = at.within;
  return at;
}

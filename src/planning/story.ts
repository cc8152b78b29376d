/** One section of a document read as a story. */
import { priorityOf, statusOfWord } from '../plan/index.ts';
import type { ItemStatus } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { type DocLine, rawOf, type Section } from './document.ts';
import type { Lost } from './lost.ts';
import { readStoryHeading } from './story-heading.ts';
import { commandsIn, type Label, type LabelKind, labelOf, labelOfHeading } from './story-labels.ts';

/** A story before the ids of all stories are known. */
export interface RawStory {
  readonly id?: string;
  readonly number?: string;
  readonly title: string;
  readonly line: number;
  readonly status: ItemStatus;
  readonly priority?: number;
  readonly depends: readonly { readonly line: number; readonly text: string }[];
  readonly body: string;
  readonly criteria: readonly string[];
  readonly verify: readonly string[];
  readonly lost: readonly Lost[];
}

interface Criterion {
  text: string;
  readonly indent: number;
  readonly mark?: string;
  children: number;
}

/** Reads what the section and those below it say; whatever is not understood stays in the story's text. */
export function readStory(section: Section): RawStory {
  const heading = readStoryHeading(section.heading);
  const criteria: Criterion[] = [];
  const verify: string[] = [];
  const depends: { line: number; text: string }[] = [];
  const body: string[] = [];
  const lost: Lost[] = [];
  let { id, title, priority, status } = heading;
  let mode: LabelKind = 'description';
  let afterBlank = true;

  const keep = (line: DocLine) => body.push(rawOf(line));
  const label = (line: DocLine, { kind, value }: Label) => {
    // What is said on the same line is all there is; criteria continue, because people wrap them.
    const listed = kind === 'depends' || kind === 'verify' ? value === '' : kind === 'criteria';
    mode = listed ? kind : 'description';
    switch (kind) {
      case 'criteria':
        if (value !== '') criteria.push({ text: value, indent: 0, children: 0 });
        return;
      case 'depends':
        if (value !== '') depends.push({ line: line.line, text: value });
        return;
      case 'verify': {
        const commands = commandsIn(value);
        verify.push(...commands);
        if (value !== '' && commands.length === 0) keep(line);
        return;
      }
      case 'priority': {
        const read = firstPriority(value);
        if (read === undefined) keep(line);
        else {
          if (priority !== undefined && priority !== read)
            lost.push({ line: section.line, what: `priority ${priority}` });
          priority = read;
        }
        return;
      }
      case 'status': {
        const read = statusOfWord(value.replace(/[^\p{L} _-]+/gu, '').trim());
        if (value === '' || read === undefined) keep(line);
        else status = read;
        return;
      }
      case 'id':
        if (id !== undefined || value === '') keep(line);
        else id = oneLine(value.replaceAll('`', ''), 100);
        return;
      case 'title':
        if (title !== '' || value === '') keep(line);
        else title = oneLine(value, 300);
        return;
      case 'description':
        if (value !== '') body.push(value);
        return;
    }
  };

  const take = (line: DocLine) => {
    const last = criteria.at(-1);
    switch (line.type) {
      case 'blank':
        afterBlank = true;
        if (mode === 'description') body.push('');
        return;
      case 'hidden':
        lost.push({ line: line.line, what: oneLine(line.text, 60) });
        return;
      case 'code':
        if (mode === 'verify') {
          const command = line.text.trim().replace(/^\$ /, '');
          if (!line.isFence && command !== '' && !command.startsWith('#')) verify.push(command);
        } else keep(line);
        break;
      case 'entry':
      case 'text': {
        const found = line.type === 'entry' && line.mark !== undefined ? undefined : labelOf(line.text);
        if (found) label(line, found);
        else if (line.type === 'entry' && (mode === 'criteria' || line.mark !== undefined))
          addCriterion(criteria, line);
        else if (mode === 'criteria' && last && (line.indent > 0 || !afterBlank)) last.text += ` ${line.text}`;
        else if (mode === 'criteria' && !last) criteria.push({ text: line.text, indent: 0, children: 0 });
        else if (mode === 'depends' && (line.type === 'entry' || !afterBlank || depends.length === 0))
          depends.push({ line: line.line, text: line.text });
        else if (mode === 'verify' && commandsIn(line.text).length > 0) verify.push(...commandsIn(line.text));
        else {
          if (afterBlank || line.type === 'text') mode = 'description';
          keep(line);
        }
        break;
      }
    }
    afterBlank = false;
  };

  const walk = (part: Section, depth: number) => {
    part.lines.forEach(take);
    for (const child of part.children) {
      const kind = labelOfHeading(child.heading);
      afterBlank = true;
      mode = 'description';
      if (kind === undefined) body.push('', `${'#'.repeat(Math.min(6, depth))} ${child.heading}`, '');
      else if (kind === 'priority' || kind === 'status') takeValue(child, kind);
      else {
        mode = kind;
        if (kind === 'description') body.push('');
      }
      if (kind !== 'priority' && kind !== 'status') walk(child, depth + 1);
    }
  };
  const takeValue = (child: Section, kind: LabelKind) => {
    const at = child.lines.findIndex(line => line.type === 'text' || line.type === 'entry');
    const first = child.lines[at];
    if (first?.type === 'text' || first?.type === 'entry') label(first, { kind, value: first.text });
    child.lines.filter((_, index) => index !== at).forEach(take);
    child.children.forEach(grandchild => walk(grandchild, 4));
  };

  walk(section, 4);
  const ticked = criteria.filter(({ mark }) => mark === 'x' || mark === 'X').length;
  if (status === undefined && ticked > 0 && ticked === criteria.length) status = 'done';
  if (status !== 'done' && ticked > 0) {
    lost.push({ line: section.line, what: `${ticked} of ${criteria.length} criteria are ticked; the story is open` });
  }
  const text = body
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  const firstLine = text.split('\n', 1)[0] ?? '';
  return {
    ...(id === undefined ? {} : { id }),
    ...(heading.number === undefined ? {} : { number: heading.number }),
    // "## Story" alone: its first sentence names it.
    title: title || oneLine(firstLine, 120),
    line: section.line,
    status: status ?? 'pending',
    ...(priority === undefined ? {} : { priority }),
    depends,
    body: title ? text : text.slice(firstLine.length).trim(),
    criteria: criteria.map(criterion => criterion.text.replaceAll('**', '').trim()),
    verify,
    lost,
  };
}

/** An entry under another one belongs to it. */
function addCriterion(criteria: Criterion[], entry: Extract<DocLine, { type: 'entry' }>): void {
  const parent = criteria.at(-1);
  if (parent && entry.indent > parent.indent + 1) {
    parent.text += parent.children === 0 && parent.text.endsWith(':') ? ` ${entry.text}` : `; ${entry.text}`;
    parent.children += 1;
    return;
  }
  const { indent, text, mark } = entry;
  criteria.push({ text, indent, children: 0, ...(mark === undefined ? {} : { mark }) });
}

/** `P1`, `High`, `2 (must have)`: the first word decides. */
function firstPriority(value: string): number | undefined {
  const word = /^[*_`]*(p?\s?-?\d+(?:\.\d+)?|[a-z]+)/i.exec(value)?.[1];
  return word === undefined ? undefined : priorityOf(word);
}

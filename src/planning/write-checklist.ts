/** Items as a checklist. */
import { asPlainCommand, checklist, readTaskText, slugOf } from '../plan/index.ts';
import type { Item, ItemStatus } from '../protocol.ts';
import { oneLine } from '../util/show.ts';

export interface ChecklistText {
  readonly heading: string;
  readonly description: string;
  readonly items: readonly Item[];
}

const BOX: Readonly<Record<ItemStatus, string>> = {
  pending: ' ',
  'in-progress': '~',
  done: 'x',
  blocked: ' ',
  skipped: ' ',
};

export function writeChecklist({ heading, description, items }: ChecklistText): string {
  const head = [heading === '' ? '' : `# ${oneLine(heading, 200)}`, description.trim()].filter(Boolean).join('\n\n');
  return `${[head, items.map(blockOf).join('\n')].filter(Boolean).join('\n\n')}\n`;
}

/** The plain form where the parser gives the same words back; else the text as a quote, which nothing in it can leave. */
function blockOf(item: Item): string {
  const plain = write(item, line => `  ${line}`);
  const [read, ...more] = checklist.parse(`${plain}\n`, '', {
    read: () => undefined,
    isFolder: () => false,
    list: () => [],
  }).plan.items;
  const same =
    read !== undefined &&
    more.length === 0 &&
    read.body.trim() === item.body.trim() &&
    read.criteria.length === item.criteria.length &&
    read.verify.length === item.verify.length;
  return same ? plain : write(item, line => `  > ${line}`);
}

function write(item: Item, inset: (line: string) => string): string {
  const box = BOX[item.status];
  const parts = item.status === 'done' ? 'x' : ' ';
  return [
    `- [${box}] ${wordsOf(item)}${markerOf(item)}`,
    ...(item.body === '' ? [] : item.body.split(/\r?\n/).map(line => inset(line).trimEnd())),
    ...item.criteria.map(criterion => `  - [${parts}] ${criterion.replace(/\s+/g, ' ')}`),
    ...item.verify.map(command => `  verify: ${asPlainCommand(command)}`),
    ...(item.allow === undefined || item.allow.length === 0 ? [] : [`  allow: ${item.allow.join(', ')}`]),
  ].join('\n');
}

/** With its id, unless the title alone gives the same. */
function wordsOf({ id, title }: Item): string {
  const read = readTaskText(title);
  return read.id === undefined && slugOf(read.title) === id ? title : `${id}: ${title}`;
}

function markerOf({ status, note }: Item): string {
  if (status !== 'blocked' && status !== 'skipped') return '';
  const why = oneLine(note ?? '', 200)
    .replaceAll('[', '(')
    .replaceAll(']', ')');
  return why === '' ? ` [${status.toUpperCase()}]` : ` [${status.toUpperCase()}: ${why}]`;
}

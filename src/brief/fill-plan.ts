/** What the author of the plan wrote around the item: about the project, about the section, and in documents beside it. */
import type { Filling } from './fit.ts';
import { counted, proseBelow } from './pieces.ts';
import type { BriefDocument, BriefInput } from './slots.ts';
import { byteLength } from './tokens.ts';
import { asData, bullet, code, untrustedLine } from './untrusted-text.ts';

const PATH = 160;
const ROLE = 60;
const COMMAND = 200;

export function fillAbout({ about = '', testCommand = '' }: BriefInput['plan']): Filling | undefined {
  if (about.trim() === '' && testCommand === '') return undefined;
  return {
    values: { testCommand: testCommand === '' ? '' : code(untrustedLine(testCommand, COMMAND)) },
    lists: [proseBelow('about', about)],
    omitted: ({ about: dropped = 0 }) => counted(dropped, 'paragraph'),
  };
}

export function fillSection({ section = '' }: BriefInput['item']): Filling | undefined {
  if (section.trim() === '') return undefined;
  return {
    values: {},
    lists: [proseBelow('section', section)],
    omitted: ({ section: dropped = 0 }) => counted(dropped, 'paragraph'),
  };
}

/** Every document by its path, and what those that name the item say about it. */
export function fillDocuments(documents: readonly BriefDocument[]): Filling | undefined {
  if (documents.length === 0) return undefined;
  const quotes = documents.flatMap(({ path, passages }) =>
    passages.map(({ line, text }) => ({ head: `${code(untrustedLine(path, PATH))}, line ${line}:`, text })),
  );
  const shown = new Map(quotes.map(quote => [quoteOf(quote.head, quote.text), quote]));
  return {
    values: {},
    lists: [
      { name: 'documents', entries: documents.map(nameOf), separator: '\n', keep: 'first', first: true },
      {
        name: 'quotes',
        entries: [...shown.keys()],
        separator: '\n\n',
        keep: 'first',
        shorten: (entry, maxBytes) => {
          const quote = shown.get(entry);
          return quote && firstLines(quote.head, quote.text, maxBytes);
        },
      },
    ],
    omitted: ({ documents: dropped = 0, quotes: unquoted = 0 }) =>
      [counted(dropped, 'document'), counted(unquoted, 'passage')].filter(Boolean).join(', '),
  };
}

function nameOf({ path, role, unread = '' }: BriefDocument): string {
  const remarks = [untrustedLine(role, ROLE), unread].filter(Boolean).join('; ');
  return bullet(`${code(untrustedLine(path, PATH))}${remarks === '' ? '' : ` (${remarks})`}`);
}

const quoteOf = (head: string, text: string): string => `${head}\n\n${asData(text)}`;

/** Whole lines from the beginning of a passage; a line or two of it say nothing. */
function firstLines(head: string, text: string, maxBytes: number): string | undefined {
  const lines = text.split('\n');
  for (let count = lines.length - 1; count > 2; count--) {
    const short = quoteOf(head, [...lines.slice(0, count), '…'].join('\n'));
    if (byteLength(short) <= maxBytes) return short;
  }
  return undefined;
}

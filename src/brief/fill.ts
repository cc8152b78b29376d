/** What goes into each slot: the values of its template and the lists that are fitted to its budget. */
import { plain } from '../util/show.ts';
import { fillGates } from './fill-gates.ts';
import { fillAbout, fillDocuments, fillSection } from './fill-plan.ts';
import type { Filling, Pieces } from './fit.ts';
import { command, counted, criterion, fenced, logLine, opening, prose } from './pieces.ts';
import type { Values } from './render.ts';
import type { BriefInput, SlotName } from './slots.ts';
import { byteLength } from './tokens.ts';
import {
  agentWords,
  below,
  bullet,
  code,
  fenceFor,
  paragraphs,
  tameBackticks,
  untrusted,
  untrustedLine,
} from './untrusted-text.ts';

const TITLE = 80;
const OWN_TITLE = 300;
const FEEDBACK = 128 * 1024;
const LESSON = 600;
const SHOWN_TITLES = 3;
const SHOWN_ENTRIES = 3;

const flag = (on: boolean): string => (on ? 'yes' : '');
const nothing = (): string => '';
const plainSlot = (values: Values, ...lists: Pieces[]): Filling => ({ values, lists, omitted: nothing });

/** The content of a slot, or undefined when there is nothing to say. */
export function fill(slot: SlotName, input: BriefInput): Filling | undefined {
  switch (slot) {
    case 'role':
      return fillRole(input);
    case 'instructions':
      return fillInstructions(input.plan.instructions);
    case 'about':
      return fillAbout(input.plan);
    case 'context':
      return fillContext(input.context);
    case 'steering':
      return fillSteering(input.steering);
    case 'section':
      return fillSection(input.item);
    case 'item':
      return fillItem(input);
    case 'documents':
      return fillDocuments(input.documents ?? []);
    case 'position':
      return fillPosition(input.position);
    case 'gates':
      return fillGates(input);
    case 'feedback':
      return fillFeedback(input);
    case 'lessons':
      return fillLessons(input.lessons);
    case 'dependencies':
      return fillProgress(input.dependencies ?? []);
    case 'progress':
      return fillProgress(input.progress);
    case 'claim':
      return plainSlot({ gated: flag(isGated(input)), lessons: flag(input.lessons.some(isCitable)) });
  }
}

/** A lesson that an agent can name; a hint of the pin has no id of that kind. */
export const isCitable = ({ id }: BriefInput['lessons'][number]): boolean => id.startsWith('L-');

/** Some command decides whether the work is accepted. */
const isGated = ({ gates, item }: BriefInput): boolean => gates.length + item.verify.length > 0;

/** The words of a group are documents of their own, with their own headings. */
export const isWhole = ({ plan }: BriefInput): boolean => plan.format === 'groups';

/** Small values that every template may use, each bounded. */
export function sharedValues(input: BriefInput): Values {
  return {
    run: untrustedLine(input.run, 40),
    iteration: String(input.iteration),
    attempt: String(input.attempt),
    attempts: String(input.maxAttempts),
    id: shownId(input.item.claimAs ?? input.item.id),
    title: untrustedLine(input.item.title, OWN_TITLE),
    plan: untrustedLine(input.plan.path, 100),
    line: String(input.item.line),
    repeats: flag(input.plan.repeats),
    whole: flag(isWhole(input)),
  };
}

/** Whole where an id is of a sane length: a claim has to name it exactly. */
function shownId(id: string): string {
  const line = plain(id)
    .replace(/[\n\t]/g, ' ')
    .trim();
  let end = Math.min(line.length, 120);
  while (byteLength(line.slice(0, end)) > 120) end -= 1;
  return line.slice(0, end);
}

function fillRole({ owned, item }: BriefInput): Filling {
  // A plan may be a folder: the file of this very item is what an agent is most tempted to mark.
  const paths = new Set([...(item.source ? [item.source.path] : []), ...owned]);
  const entries = [...paths].map(path => code(untrustedLine(path, 100)));
  return plainSlot({}, { name: 'owned', entries, separator: ', ', keep: 'first' });
}

function fillInstructions(text: string): Filling | undefined {
  const pieces = prose('instructions', text);
  if (pieces.entries.length === 0) return undefined;
  return { values: {}, lists: [pieces], omitted: ({ instructions = 0 }) => counted(instructions, 'paragraph') };
}

function fillContext(files: BriefInput['context']): Filling | undefined {
  if (files.length === 0) return undefined;
  const wrap = (path: string, body: string) => `<file path="${untrustedLine(path, 100)}">\n${body}\n</file>`;
  const shown = new Map(files.map(file => [wrap(file.path, untrusted(file.text)), file]));
  const entries = [...shown.keys()];
  return {
    values: {},
    lists: [
      {
        name: 'files',
        entries,
        separator: '\n\n',
        keep: 'first',
        shorten: (entry, maxBytes) => {
          const file = shown.get(entry);
          if (!file) return undefined;
          const room = maxBytes - byteLength(wrap(file.path, ''));
          const body = opening(paragraphs(untrusted(file.text)), room);
          return body && wrap(file.path, body);
        },
      },
    ],
    omitted: ({ files: dropped = 0 }) => {
      const left = entries
        .slice(entries.length - dropped)
        .map(entry => untrustedLine(shown.get(entry)?.path ?? '', 100));
      const more = left.length > 10 ? ` and ${left.length - 10} more` : '';
      return left.slice(0, 10).map(code).join(', ') + more;
    },
  };
}

function fillSteering(notes: readonly string[]): Filling | undefined {
  const entries = notes.map(untrusted).filter(Boolean).map(bullet);
  if (entries.length === 0) return undefined;
  return plainSlot({}, { name: 'notes', entries, separator: '\n', keep: 'last' });
}

/** Anybody's words are fenced; a prompt or a group is a document of its own; other words stand below a heading of ours. */
function wordsOf({ data }: BriefInput['item'], { format, repeats }: BriefInput['plan']): typeof prose {
  if (data) return fenced;
  return repeats || format === 'groups' ? prose : (name, text) => prose(name, below(text));
}

function fillItem({ item, plan }: BriefInput): Filling {
  // A title too long for a heading is part of the text, so that none of it is lost.
  const long = !plan.repeats && untrustedLine(item.title, Number.POSITIVE_INFINITY).length > OWN_TITLE;
  const place = { path: untrustedLine(item.source?.path ?? plan.path, 100), line: item.source?.line ?? item.line };
  return {
    values: {
      titled: flag(!plan.repeats && !item.body.split('\n').includes(item.title)),
      changeOptional: flag(item.changeOptional),
      plan: place.path,
      line: String(place.line),
      // A prompt is here as a whole, and may have no file.
      place: plan.repeats ? '' : `${code(place.path)}, line ${place.line}`,
      data: flag(item.data === true && item.body.trim() !== ''),
    },
    lists: [
      wordsOf(item, plan)('body', long ? `${item.title}\n\n${item.body}` : item.body),
      {
        name: 'criteria',
        entries: item.criteria.map(criterion).filter(Boolean).map(bullet),
        separator: '\n',
        keep: 'first',
      },
      { name: 'verify', entries: item.verify.filter(Boolean).map(command).map(bullet), separator: '\n', keep: 'first' },
    ],
    omitted: ({ body = 0, criteria = 0, verify = 0 }) =>
      [
        counted(body, item.data ? 'line' : 'paragraph'),
        criteria > 0 ? `${criteria} of its points` : '',
        verify > 0 ? `${verify} of its checks` : '',
      ]
        .filter(Boolean)
        .join(', '),
  };
}

function fillPosition({ done, total, blocked, recent, upcoming }: BriefInput['position']): Filling {
  const titles = (list: readonly string[]) => list.map(title => bullet(untrustedLine(title, TITLE)));
  return plainSlot(
    { done: String(done), total: String(total), blocked: blocked > 0 ? String(blocked) : '' },
    { name: 'upcoming', entries: titles(upcoming.slice(0, SHOWN_TITLES)), separator: '\n', keep: 'first' },
    { name: 'recent', entries: titles(recent.slice(-SHOWN_TITLES)), separator: '\n', keep: 'last' },
  );
}

function fillFeedback(input: BriefInput): Filling | undefined {
  const { feedback, kept, unclaimed, carried } = input;
  // What failed is capped where it is made; this only keeps a mistake there from costing seconds here.
  const near = feedback.length <= FEEDBACK ? feedback : feedback.slice(0, FEEDBACK / 8) + feedback.slice(-FEEDBACK);
  const text = tameBackticks(plain(near)).trim();
  if (!text && !unclaimed && !carried) return undefined;
  // The first line says what failed; of the rest the end says most.
  const [head = '', ...rest] = text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(logLine);
  const fence = fenceFor(text);
  const alone = rest.length === 0;
  return {
    values: { kept: flag(kept), unclaimed: flag(unclaimed), carried: flag(carried), gated: flag(isGated(input)) },
    lists: [
      {
        name: 'feedback',
        entries: alone ? [head].filter(Boolean) : rest,
        separator: '\n',
        keep: 'last',
        wrap: { before: alone ? fence : `${fence}\n${head}`, after: fence },
      },
    ],
    omitted: ({ feedback: lines = 0 }) => counted(lines, 'earlier line'),
  };
}

function fillLessons(lessons: BriefInput['lessons']): Filling | undefined {
  const entries = lessons.flatMap(({ id, kind, text }) => {
    const line = untrustedLine(text, LESSON);
    return line === '' ? [] : [bullet(`**${untrustedLine(id, 20)}** (${kind}) ${line}`)];
  });
  if (entries.length === 0) return undefined;
  return plainSlot({}, { name: 'lessons', entries, separator: '\n', keep: 'first' });
}

function fillProgress(log: readonly string[]): Filling | undefined {
  const entries = log
    .map(text =>
      agentWords(text.replace(/^<!-- ralph .*-->$/gm, ''))
        .replace(/\n{3,}/g, '\n\n')
        .replace(/^#+ /gm, '### '),
    )
    .filter(Boolean)
    .slice(-SHOWN_ENTRIES);
  if (entries.length === 0) return undefined;
  return plainSlot({}, { name: 'entries', entries, separator: '\n\n', keep: 'last' });
}

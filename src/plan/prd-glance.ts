/**
 * A prd.json at a glance, for a mark on one story of thousands. Patterns prove that the list holds nothing but plain
 * stories: words, numbers and lists of them, each with an id of its own in front, and nothing that could be an error.
 * Whatever is not certainly so is not seen at all: undefined means "read the whole".
 */
import { isRecord, LISTS } from './prd-stories.ts';

export interface Glance {
  /** The file without its stories. */
  readonly root: unknown;
  readonly ids: () => readonly string[];
  /** The offset of a story. */
  readonly startOf: (id: string) => number | undefined;
}

const SPACE = '[ \\n\\r\\t]*';
const CHARACTERS = '[^"\\\\\\0-\\x1f]*';
const STRING = `"${CHARACTERS}(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})${CHARACTERS})*"`;
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const SCALAR = `(?:${STRING}|${NUMBER}|true|false|null)`;
const LIST = `\\[${SPACE}(?:${SCALAR}${SPACE}(?:,${SPACE}${SCALAR}${SPACE})*)?\\]`;
/** A second id would be the one that counts, and guards can be lifted by a name that none has. */
const KEY = `"(?!(?:id|allow)")${CHARACTERS}"`;
const PROPERTY = `,${SPACE}${KEY}${SPACE}:${SPACE}(?:${SCALAR}|${LIST})${SPACE}`;
/** Without the white space that is joined to other words when an id is read. */
const ID = '[^"\\\\\\0-\\x1f\\s]+"';

/** A bound on what a pattern may have to take back. */
const STORIES_AT_ONCE = 50;

const FIRST_OF_LIST = new RegExp(`(?<!\\\\)"(${LISTS.join('|')})"${SPACE}:${SPACE}\\[${SPACE}(?=\\{)`);
const FIRST_OF_ALL = /^[ \n\r\t]*\[[ \n\r\t]*(?=\{)/;
/** As a first key it can only be one: inside of words its quotes would be escaped. */
const LEAD = new RegExp(`\\{${SPACE}"id"${SPACE}:${SPACE}"`, 'y');

/** Throws where what is around the stories is no JSON. */
export function glanceAtStories(text: string): Glance | undefined {
  const found = FIRST_OF_ALL.exec(text) ?? FIRST_OF_LIST.exec(text);
  if (!found) return undefined;
  const first = found.index + found[0].length;
  const lead = leadAt(text, first);
  const end = lead === undefined ? first : endOfStories(text, first, lead);
  if (lead === undefined || text[end] !== ']') return undefined;
  const root = rootAround({ text, name: found[1], first, end });
  const openings = text.slice(first, end).match(new RegExp(`${literal(lead)}[^"]*"`, 'g')) ?? [];
  if (root === undefined || new Set(openings).size < openings.length) return undefined;
  return {
    root,
    ids: () => openings.map(opening => opening.slice(lead.length, -1)),
    startOf: id => {
      const start = text.indexOf(`${lead}${id}"`, first);
      return start < 0 || start >= end ? undefined : start;
    },
  };
}

/** What the first story begins with up to the letters of its id; the others have to begin the same way. */
function leadAt(text: string, first: number): string | undefined {
  LEAD.lastIndex = first;
  return LEAD.exec(text)?.[0];
}

/** Where the stories end that are certainly plain, with the white space after them. */
function endOfStories(text: string, first: number, lead: string): number {
  const story = `${literal(lead)}${ID}${SPACE}(?:${PROPERTY})*\\}${SPACE}`;
  const stories = new RegExp(`${story}(?:,${SPACE}${story}){0,${STORIES_AT_ONCE}}`, 'y');
  const comma = new RegExp(`,${SPACE}(?=\\{)`, 'y');
  for (let at = first, end = first; ; ) {
    stories.lastIndex = at;
    if (!stories.test(text)) return end;
    end = stories.lastIndex;
    comma.lastIndex = end;
    if (!comma.test(text)) return end;
    at = comma.lastIndex;
  }
}

interface Around {
  readonly text: string;
  /** Of the list; none where the file is the list. */
  readonly name: string | undefined;
  readonly first: number;
  readonly end: number;
}

/** The file around its list of stories, if it is the one whose stories count. */
function rootAround({ text, name, first, end }: Around): unknown {
  const before = text.slice(0, first);
  const root: unknown = JSON.parse(`${before}${JSON.stringify(STORIES)}${text.slice(end)}`);
  if (name === undefined) return root;
  // Not inside of something else, not given again below, and no other list beside it.
  JSON.parse(`${before}]}`);
  if (!isRecord(root) || !Array.isArray(root[name]) || root[name][0] !== STORIES) return undefined;
  return LISTS.some(other => other !== name && Array.isArray(root[other])) ? undefined : root;
}

/** Stands where they were. */
const STORIES = 'the stories';

const literal = (text: string): string => text.replace(/[{}[\]"\\]/g, '\\$&');

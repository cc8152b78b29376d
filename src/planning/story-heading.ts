/** What a heading says: whether it names a story, and its id, title, priority and state. */
import { priorityOf, readTaskText } from '../plan/index.ts';
import type { ItemStatus } from '../protocol.ts';

export interface StoryHeading {
  /** `named` speaks of a story by id or word, `part` by a word for parts of one, `numbered` only has a number. */
  readonly kind: 'named' | 'part' | 'numbered' | 'plain';
  readonly id?: string;
  /** `3` of "Story 3", for those who refer to it by that. */
  readonly number?: string;
  readonly title: string;
  readonly priority?: number;
  readonly status?: ItemStatus;
}

const WORD =
  /^(user story|story|feature|item|ticket|issue|requirement|task|step|subtask)(?:[ \t]*#?(\d+(?:\.\d+)*[a-z]?))?[ \t]*(?:[:.)–—]|-(?=[ \t])|$)[ \t]*(.*)$/i;
const PART = /^(?:task|step|subtask)$/i;
/** Forms of "this is done": a tick in front, a tick behind (with or without the word), the word in brackets or capitals. */
const DONE: readonly RegExp[] = [
  /^(?:\[[xX]\]|✅|✔️?|☑️?)[ \t]*/,
  /[ \t]*[-–—:]?[ \t]*[([]?(?:(?:already )?(?:done|completed?|resolved))?[ \t]*(?:✅|✔️?|☑️?)[ \t]*(?:done|completed?|resolved)?[)\]]?$/i,
  /[ \t]*[([](?:done|completed?)[)\]]$/i,
  /[ \t]+[-–—][ \t]+(?:COMPLETED?|DONE)$/,
];
const PRIORITY_TAG =
  /[ \t]*[([](?:priority:?[ \t]*)?(p\d|critical|urgent|highest|high|medium|normal|low|lowest)(?:[ \t]+priority)?[^)\]\w]*[)\]][ \t]*/i;
const PRIORITY_HEADING =
  /\b(p\d)\b|\b(critical|urgent|highest|high|medium|normal|low|lowest)[ -]priority\b|\bpriority[: ]+(p?\d+|critical|urgent|highest|high|medium|normal|low|lowest)\b|^(critical|urgent|high|medium|low)$/i;

export function readStoryHeading(text: string): StoryHeading {
  const mark = DONE.find(form => form.test(text));
  const done = mark ? ({ status: 'done' } as const) : {};
  const bare = mark ? text.replace(mark, '').trim() : text;
  const tag = PRIORITY_TAG.exec(bare);
  const priority = tag ? priorityOf(tag[1]) : undefined;
  const words = tag ? `${bare.slice(0, tag.index)} ${bare.slice(tag.index + tag[0].length)}`.trim() : bare;
  const more = { ...(priority === undefined ? {} : { priority }), ...done };
  const named = WORD.exec(words);
  if (named) {
    const [, word = '', number, title = ''] = named;
    return { kind: PART.test(word) ? 'part' : 'named', title, ...(number === undefined ? {} : { number }), ...more };
  }
  const { id, title } = readTaskText(words);
  if (id === undefined) return { kind: 'plain', title: words, ...more };
  if (/^\d/.test(id)) return { kind: 'numbered', number: id, title, ...more };
  return { kind: 'named', id, title, ...more };
}

/** The priority that a heading gives to what stands below it. */
export function priorityInHeading(text: string): number | undefined {
  const found = PRIORITY_HEADING.exec(text);
  return found ? priorityOf(found.slice(1).find(word => word !== undefined)) : undefined;
}

/**
 * What an agent said by tools: a line per call in a file of its inbox. Whatever stands there is the agent's own word and
 * no more: a claim by tool is judged like one in the final message.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Claim } from '../protocol.ts';
import { jsonFields } from '../util/json.ts';
import { lineTail } from '../util/line-tail.ts';
import { hideSecrets, type KnownSecret } from '../util/secret-values.ts';
import { oneLine } from '../util/show.ts';

export type Word =
  | { readonly type: 'claim' }
  | { readonly type: 'blocked' | 'question' | 'progress'; readonly text: string }
  | { readonly type: 'lesson'; readonly kind: LessonKind; readonly text: string };

type LessonKind = 'pattern' | 'gotcha' | 'fact';

export interface Said {
  /** The last of claim, blocked and question. */
  readonly claim: Claim;
  readonly lessons: readonly { readonly kind: LessonKind; readonly text: string }[];
  /** For the progress log. */
  readonly notes: readonly string[];
}

export const nothingSaid: Said = { claim: { type: 'none' }, lessons: [], notes: [] };

export const LESSON_KINDS: readonly LessonKind[] = ['pattern', 'gotcha', 'fact'];

const FILE = 'said.jsonl';
const MOST_BYTES = 512 * 1024;
const MOST_WORDS = 200;
const MOST_LESSONS = 20;
const MOST_NOTES = 20;
/** Of one text, before it is written: a note without an end must not push the claim out of what is read. */
const LONGEST_WRITTEN = 4000;
const LONGEST = { reason: 500, lesson: 600, note: 1000 };

/** By the server, inside. Throws where the inbox cannot be written to. */
export const sayWord = (inbox: string, word: Word): void => {
  const kept = 'text' in word ? { ...word, text: word.text.slice(0, LONGEST_WRITTEN) } : word;
  appendFileSync(join(inbox, FILE), `${JSON.stringify(kept)}\n`);
};

/** By the runner, when the agent is gone. Never throws: the file is whatever the agent left there. */
export function readSaid(inbox: string, known: readonly KnownSecret[] = []): Said {
  const file = lineTail(join(inbox, FILE), { last: MOST_BYTES });
  const text = hideSecrets([...file.read(), ...file.rest()].join('\n'), known);
  const words = text.split('\n').slice(-MOST_WORDS).flatMap(wordIn);
  return {
    claim: words.map(claimIn).findLast(claim => claim.type !== 'none') ?? nothingSaid.claim,
    lessons: words
      .flatMap(word => (word.type === 'lesson' ? [{ kind: word.kind, text: oneLine(word.text, LONGEST.lesson) }] : []))
      .slice(-MOST_LESSONS),
    notes: words
      .flatMap(word => (word.type === 'progress' ? [oneLine(word.text, LONGEST.note)] : []))
      .slice(-MOST_NOTES),
  };
}

function wordIn(line: string): readonly Word[] {
  const { type, text, kind } = jsonFields(line);
  const said = typeof text === 'string' ? text.trim() : '';
  if (type === 'claim') return [{ type }];
  if (said === '') return [];
  if (type === 'blocked' || type === 'question' || type === 'progress') return [{ type, text: said }];
  const known = LESSON_KINDS.find(each => each === kind);
  return type === 'lesson' && known ? [{ type, kind: known, text: said }] : [];
}

function claimIn(word: Word): Claim {
  switch (word.type) {
    case 'claim':
      return { type: 'done', how: 'tool' };
    case 'blocked':
      return { type: 'blocked', why: oneLine(word.text, LONGEST.reason) };
    case 'question':
      return { type: 'question', text: oneLine(word.text, LONGEST.reason) };
    case 'lesson':
    case 'progress':
      return { type: 'none' };
  }
}

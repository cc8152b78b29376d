/** Text of others in pieces that can be left out one by one. */
import { plain, plural } from '../util/show.ts';
import type { Pieces } from './fit.ts';
import { byteLength } from './tokens.ts';
import {
  below,
  code,
  fenceFor,
  isFenced,
  paragraphs,
  sentences,
  tameBackticks,
  untrusted,
  untrustedLine,
} from './untrusted-text.ts';

const LOG_LINE = 240;

/** Text as paragraphs; the first that does not fit gives as many whole sentences as do. */
export function prose(name: string, text: string): Pieces {
  return { name, entries: paragraphs(untrusted(text)), separator: '\n\n', keep: 'first', shorten: shortParagraph };
}

/** Text of anybody's as data: its lines in a fence that none of them can close. */
export function fenced(name: string, text: string): Pieces {
  const tame = tameBackticks(plain(text)).trim();
  const fence = fenceFor(tame);
  const entries = tame === '' ? [] : tame.split('\n');
  return { name, entries, separator: '\n', keep: 'first', wrap: { before: `${fence}text`, after: fence } };
}

/** More than any budget holds: what is longer is not even taken apart. */
const NEAR = 64 * 1024;

/** The same for words that stand under a heading of ours; of a text of any length only the beginning is looked at. */
export function proseBelow(name: string, text: string): Pieces {
  return { ...prose(name, ''), entries: paragraphs(below(text.slice(0, NEAR))) };
}

/** The paragraphs and sentences at the start of a text that fit. */
export function opening(all: readonly string[], maxBytes: number): string | undefined {
  const kept: string[] = [];
  let room = maxBytes;
  for (const paragraph of all) {
    const cost = byteLength(paragraph) + 2;
    if (cost > room) {
      const short = shortParagraph(paragraph, room - 2);
      if (short) kept.push(short);
      break;
    }
    kept.push(paragraph);
    room -= cost;
  }
  return kept.length > 0 ? kept.join('\n\n') : undefined;
}

function shortParagraph(paragraph: string, maxBytes: number): string | undefined {
  if (isFenced(paragraph)) return undefined;
  let kept = '';
  let room = maxBytes;
  for (const sentence of sentences(paragraph)) {
    room -= byteLength(sentence);
    if (room < 0) break;
    kept += sentence;
  }
  return kept.trimEnd() || undefined;
}

/** Output is no prose: a line of it may be cut. */
export const logLine = (line: string): string => (line.length <= LOG_LINE ? line : `${line.slice(0, LOG_LINE - 1)}…`);

/** A criterion: one line in most plans, several in some. */
export const criterion = (text: string): string =>
  text.trim().includes('\n') ? untrusted(text) : untrustedLine(text, Number.POSITIVE_INFINITY);

/** A command as code; a script of several lines as a block of it. */
export function command(run: string): string {
  const text = tameBackticks(plain(run)).trim();
  const fence = fenceFor(text);
  return text.includes('\n') ? `${fence}sh\n${text}\n${fence}` : code(text);
}

/** `2 paragraphs`, and nothing for none. */
export const counted = (count: number, noun: string): string => (count > 0 ? plural(count, noun) : '');

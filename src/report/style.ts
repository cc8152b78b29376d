/** Optional colour, and escaping of untrusted text. */
import { styleText } from 'node:util';
import { type CommandRest, itemCommand as commandOn, quoted } from '../util/shell-word.ts';
import { oneLine, plain } from '../util/show.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'dim' | 'strong' | 'accent' | 'plain';

export type Paint = (tone: Tone, text: string) => string;

const STYLES = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  dim: 'dim',
  strong: 'bold',
  accent: 'cyan',
} as const satisfies Record<Exclude<Tone, 'plain'>, Parameters<typeof styleText>[0]>;

/** Colours text by tone, or not at all; the caller alone decides whether colour is wanted. */
export function painter({ color }: { readonly color: boolean }): Paint {
  if (!color) return (_, text) => text;
  // Without `validateStream: false`, Node checks its own stdout, but the text may go elsewhere.
  return (tone, text) =>
    tone === 'plain' || text === '' ? text : styleText(STYLES[tone], text, { validateStream: false });
}

/** Bidirectional control characters: they can make one command look like another. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Far more than one line can show, and little enough to clean ten times per second. */
const LOOKED_AT = 20_000;

/** Untrusted text (agent, plan, paths) as one harmless line. */
export function say(text: string, width = 100): string {
  // Cutting may split a surrogate pair; the half is removed.
  return oneLine(text.slice(0, LOOKED_AT).replace(BIDI, ''), width).replace(/\p{Cs}/gu, '');
}

/** Untrusted text of several lines, without anything that could deceive a terminal or a reader. */
export function harmless(text: string): string {
  return plain(text)
    .replace(BIDI, '')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(/\p{Cs}/gu, '');
}

/** Joins the non-empty parts with a middle dot. */
export function dots(...parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined && part !== '').join(' · ');
}

/** An argument quoted for pasting into a shell. */
export function shellWord(text: string): string {
  return quoted(say(text, 300));
}

/** A command about one item, for pasting into a shell. */
export const itemCommand = (verb: string, id: string, rest?: CommandRest): string =>
  commandOn(verb, say(id, 300), rest);

export const shortCommit = (commit: string): string => say(commit, 100).slice(0, 7);

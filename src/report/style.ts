/** Optional colour, and untrusted text made safe to show. */
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

/** Paints by tone, or not at all; whether colour is wanted is the caller's decision alone. */
export function painter({ color }: { readonly color: boolean }): Paint {
  if (!color) return (_, text) => text;
  // Without `validateStream: false` Node asks its own stdout, which is not where this text goes.
  return (tone, text) =>
    tone === 'plain' || text === '' ? text : styleText(STYLES[tone], text, { validateStream: false });
}

/** Marks that turn the reading direction can make one command look like another. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Far more than one line can show, and little enough to clean ten times a second. */
const LOOKED_AT = 20_000;

/** Words from outside (agent, plan, paths) as one harmless line. */
export function say(text: string, width = 100): string {
  // Cutting may halve a surrogate pair; the half is dropped.
  return oneLine(text.slice(0, LOOKED_AT).replace(BIDI, ''), width).replace(/\p{Cs}/gu, '');
}

/** Text of several lines from outside, with nothing in it that a terminal or a reader could be fooled by. */
export function harmless(text: string): string {
  return plain(text)
    .replace(BIDI, '')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(/\p{Cs}/gu, '');
}

/** Joins what there is with a middle dot. */
export function dots(...parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined && part !== '').join(' · ');
}

/** An argument as a person can paste it into a shell. */
export function shellWord(text: string): string {
  return quoted(say(text, 300));
}

/** A command about one item, as a person can paste it. */
export const itemCommand = (verb: string, id: string, rest?: CommandRest): string =>
  commandOn(verb, say(id, 300), rest);

export const shortCommit = (commit: string): string => say(commit, 100).slice(0, 7);

/** What an agent says about its item, read only from its final message and only from its own words in it. */
import type { Claim } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { withoutCode, withoutQuotes } from './markdown.ts';

/** The whole task is done, as agents say it. */
export const PROMISE = '<promise>COMPLETE</promise>';
const DONE = 'RALPH_TASK_COMPLETE:';
const BLOCKED = 'RALPH_TASK_BLOCKED:';
const QUESTION = 'RALPH_TASK_QUESTION:';
const QUOTE = /["'`‘’‚‹›“”„«»\0]/;
/** What may stand before a claim on its line: a list marker, a heading, a box, emphasis, a symbol. Never a word. */
const BEFORE = /^[\s#*_~+•·-]*(?:\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s*)?[\s*_~\p{Extended_Pictographic}\u{FE0F}\u{200D}]*$/u;
const REASON_LIMIT = 500;
const HEDGE = 120;
/** This much text in front of a claim is compared with the brief; less than `ECHO_LEAST` is anybody's own word. */
const ECHO = 60;
const ECHO_LEAST = 20;

export interface ClaimInput {
  /** The agent's final message. */
  readonly message: string;
  /** The id of the item it was given; a claim about another one is none. */
  readonly item: string;
  /** What it was given to read: a part of it, repeated, makes no claim. */
  readonly brief: string;
}

/** The claim in a final message. Where it says several, `blocked` wins, then a question: they only cost a look. */
export function readClaim({ message, item, brief }: ClaimInput): Claim {
  if (!hasClaim(message)) return { type: 'none' };
  const echoes = leadsToClaims(brief);
  const own = withoutQuotes(withoutCode(message)).split('\n');
  let claim: Claim = { type: 'none' };
  let before = '';
  for (const [index, line] of message.split('\n').entries()) {
    const found = hasClaim(line) ? claimIn(own[index] ?? '', { line, item }) : undefined;
    if (found && !isEcho(before, echoes)) {
      if (found.type === 'blocked') return found;
      if (claim.type !== 'question') claim = found;
    }
    before = lead(before, line);
  }
  return claim;
}

const WORDS = [PROMISE, DONE, BLOCKED, QUESTION] as const;
const hasClaim = (text: string): boolean => WORDS.some(word => text.includes(word));

/** `own` is the line with everything blanked that is not the agent's own word; offsets are the same. */
function claimIn(own: string, { line, item }: { readonly line: string; readonly item: string }): Claim | undefined {
  const blocked = idAfter(own, BLOCKED, item);
  if (blocked !== undefined) return { type: 'blocked', why: reasonIn(line.slice(blocked)) };
  const question = idAfter(own, QUESTION, item);
  const asked = question === undefined ? '' : restOf(line.slice(question));
  if (asked !== '') return { type: 'question', text: asked };
  const done = idAfter(own, DONE, item);
  if (done !== undefined && endsDone(own.slice(done))) return { type: 'done', how: 'signal' };
  for (let at = own.indexOf(PROMISE); at >= 0; at = own.indexOf(PROMISE, at + 1)) {
    const end = at + PROMISE.length;
    const [ahead, after] = [own.slice(Math.max(0, at - HEDGE), at), own.slice(end, end + HEDGE)];
    if (!QUOTE.test(ahead.at(-1) ?? ' ') && !QUOTE.test(after.charAt(0)) && !isHedged(ahead, after)) {
      return { type: 'done', how: 'promise' };
    }
  }
  return undefined;
}

/** A sentence that refuses, postpones or makes conditions for the promise only mentions it; it may stand in a sentence otherwise. */
const isHedged = (ahead: string, after: string): boolean =>
  /(?:\b(?:not|cannot|never|until|unless|once|if|will|would|before)\b|n['’]t\b|['’]ll\b)[^.!?]*$/i.test(ahead) ||
  /^\s*(?:yet|until|unless|once|when|if|only|later|after|before)\b/i.test(after);

/** Where the text after `<word> <item>` begins, if the line begins with that and means exactly this item. */
function idAfter(own: string, word: string, item: string): number | undefined {
  const at = own.indexOf(word);
  // Long lines are no claims, and a pattern need not look at them.
  if (at < 0 || at > 80 || item === '' || !BEFORE.test(own.slice(0, at))) return undefined;
  let start = at + word.length;
  while (/[ \t*]/.test(own[start] ?? '')) start += 1;
  return own.startsWith(item, start) && endsId(own, start + item.length) ? start + item.length : undefined;
}

/** `US-001.` and `US-001**` end the id `US-001`; `US-0012`, `US-001.2` and `US-001"` are something else. */
function endsId(own: string, from: number): boolean {
  for (let at = from; at < own.length; at++) {
    const char = own[at] ?? '';
    if (/[\s–—]/.test(char)) return true;
    if (!/[.,;:!?)\]}*_~…]/.test(char)) return false;
  }
  return true;
}

/** After the id comes nothing, or a mark and a remark; a sentence that continues only mentions the claim. */
const endsDone = (rest: string): boolean =>
  /^[\s*_~)\]}\p{Extended_Pictographic}\u{FE0F}\u{200D}]*(?:$|[-–—(.;:!…])/u.test(rest.slice(0, 80));

const reasonIn = (text: string): string => restOf(text) || 'the agent gave no reason';

function restOf(text: string): string {
  const rest = oneLine(text.slice(0, 4 * REASON_LIMIT), REASON_LIMIT);
  return rest.replace(/^[\s.,;:!?)*_~–—-]+/, '').replace(/[\s*_~]+$/, '');
}

/** The last characters in front of a line, without any space: an echo may be wrapped, indented or end its lines otherwise. */
const lead = (before: string, line: string): string => (before + line.replace(/\s+/g, '').slice(-ECHO)).slice(-ECHO);

/** What the brief says right before each line that looks like a claim. */
function leadsToClaims(brief: string): ReadonlySet<string> {
  const leads = new Set<string>();
  let before = '';
  for (const line of brief.split('\n')) {
    if (hasClaim(line)) leads.add(before);
    before = lead(before, line);
  }
  return leads;
}

/** A claim after the very words that come before it in the brief was repeated, not made. */
function isEcho(before: string, leads: ReadonlySet<string>): boolean {
  if (before.length >= ECHO) return leads.has(before);
  return before.length >= ECHO_LEAST && [...leads].some(known => known.endsWith(before));
}

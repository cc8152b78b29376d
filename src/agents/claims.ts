/** What an agent says about its item, read only from its final message and only from its own words in it. */
import type { Claim } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { withoutCode, withoutQuotes } from './markdown.ts';

const PROMISE = '<promise>COMPLETE</promise>';
const DONE = 'RALPH_TASK_COMPLETE:';
const BLOCKED = 'RALPH_TASK_BLOCKED:';
const QUOTE = /["'`‘’‚‹›“”„«»\0]/;
const REASON_LIMIT = 500;

export interface ClaimInput {
  /** The agent's final message. */
  readonly message: string;
  /** The id of the item it was given; a claim about another one is none. */
  readonly item: string;
  /** What it was told: its lines, repeated, are not claims. */
  readonly brief: string;
}

/** The claim in a final message. Where it says both, `blocked` wins: it only costs a look. */
export function readClaim({ message, item, brief }: ClaimInput): Claim {
  if (!message.includes(PROMISE) && !message.includes(DONE) && !message.includes(BLOCKED)) return { type: 'none' };
  const echoes = claimLines(brief);
  const lines = message.split('\n');
  const own = withoutQuotes(withoutCode(message)).split('\n');
  let claim: Claim = { type: 'none' };
  let before = '';
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    const found = echoes.has(`${before}\n${trimmed}`) ? undefined : claimIn(own[index] ?? '', { line, item });
    if (found?.type === 'blocked') return found;
    if (found) claim = found;
    if (trimmed) before = trimmed;
  }
  return claim;
}

/** `own` is the line with everything blanked that is not the agent's own word; offsets are the same. */
function claimIn(own: string, { line, item }: { readonly line: string; readonly item: string }): Claim | undefined {
  const blocked = idAfter(own, BLOCKED, item);
  if (blocked !== undefined) return { type: 'blocked', why: reasonIn(line.slice(blocked)) };
  if (idAfter(own, DONE, item) !== undefined) return { type: 'done', how: 'signal' };
  for (let at = own.indexOf(PROMISE); at >= 0; at = own.indexOf(PROMISE, at + 1)) {
    if (!QUOTE.test(own[at - 1] ?? ' ') && !QUOTE.test(own[at + PROMISE.length] ?? ' ')) {
      return { type: 'done', how: 'promise' };
    }
  }
  return undefined;
}

/** Where the text after `<word> <item>` begins, if the line says that of exactly this item. */
function idAfter(own: string, word: string, item: string): number | undefined {
  for (let at = own.indexOf(word); at >= 0; at = own.indexOf(word, at + 1)) {
    if (/[\p{L}\p{N}_-]/u.test(own[at - 1] ?? ' ') || QUOTE.test(own[at - 1] ?? ' ')) continue;
    let start = at + word.length;
    while (/[ \t*]/.test(own[start] ?? '')) start += 1;
    if (item !== '' && own.startsWith(item, start) && endsId(own, start + item.length)) return start + item.length;
  }
  return undefined;
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

function reasonIn(text: string): string {
  const reason = oneLine(text.slice(0, 4 * REASON_LIMIT), REASON_LIMIT);
  return reason.replace(/^[\s.,;:!?)*_~–—-]+/, '').replace(/[\s*_~]+$/, '') || 'the agent gave no reason';
}

/** Every line of a brief that looks like a claim, with the line before it: an agent that repeats both only echoes. */
function claimLines(brief: string): ReadonlySet<string> {
  const lines = new Set<string>();
  let before = '';
  for (const line of brief.split('\n')) {
    const trimmed = line.trim();
    if (!trimmed) continue;
    if (trimmed.includes(PROMISE) || trimmed.includes(DONE) || trimmed.includes(BLOCKED)) {
      lines.add(`${before}\n${trimmed}`);
    }
    before = trimmed;
  }
  return lines;
}

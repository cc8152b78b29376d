/** Verdicts on work that was accepted on its own but has to be done again; they use up no attempt. */

import type { GateResult, Verdict } from '../protocol.ts';
import { tailOf } from '../util/bounded.ts';
import { firstFew, gateEnd } from '../util/show.ts';
import type { Decided } from './decided.ts';

type Rejected = Extract<Verdict, { type: 'rejected' }>;

const FEEDBACK_CHARS = 3000;

export function conflictVerdict(decided: Decided, paths: readonly string[]): Rejected {
  const why = `it conflicts with what other workers put on the branch meanwhile, in ${firstFew(paths, 3)}`;
  return sentBack(decided, { why, said: [], paths });
}

export function redVerdict(decided: Decided, red: GateResult): Rejected {
  const why = `together with what other workers put on the branch meanwhile, \`${red.run}\` ${gateEnd(red)}`;
  return sentBack(decided, { why, said: [tailOf(red.tail, FEEDBACK_CHARS)], paths: [] });
}

function sentBack(
  { base, evidence }: Decided,
  { why, said, paths }: { readonly why: string; readonly said: readonly string[]; readonly paths: readonly string[] },
): Rejected {
  const look = `git diff ${base.slice(0, 12)} ${evidence.tree.slice(0, 12)}`;
  const feedback = [
    `The last session's work was good by itself, but ${why}.`,
    ...said,
    `The tree now holds the work of the others and nothing of that session. What it had done shows: ${look}`,
    'Do the item on top of what is here now, and take over from that work what still fits.',
  ].join('\n\n');
  return { type: 'rejected', reason: 'merge', why, feedback, signature: 'merge', next: 'fresh', paths };
}

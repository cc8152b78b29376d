/** Decides the verdict from claim and evidence: pure, and the only place where an item becomes accepted. */
import type {
  AgentFailure,
  Claim,
  Evidence,
  Finding,
  GateResult,
  Item,
  ProcessEnd,
  RejectReason,
  Verdict,
} from '../protocol.ts';
import { tailOf } from '../util/bounded.ts';
import { fingerprint, isRed } from '../util/same-failure.ts';
import { acceptedLines } from './accepted.ts';

export interface VerdictInput {
  readonly item: Pick<Item, 'id' | 'changeOptional'>;
  readonly claim: Claim;
  readonly end: Pick<ProcessEnd, 'reason' | 'code'>;
  readonly failure?: AgentFailure;
  readonly evidence: Evidence;
  /** The plan's one item is repeated until its promise holds. */
  readonly repeats: boolean;
  /** The name of the gate that such an item is to reach: red without a claim, it is no fault of the work. */
  readonly goal?: string;
  /** An agent of this process has answered before, so its set-up works. Absent means yes. */
  readonly answered?: boolean;
  /** What the agent was not permitted to do. */
  readonly denied?: readonly string[];
  /** Set if the item was green without a claim before; it settles unless this tree has changed since. */
  readonly settling?: { readonly tree: string };
}

/** Rules whose subject was restored before the gates ran: the gates may be red because of that. */
const UNDONE: ReadonlySet<string> = new Set(['gate-ground', 'ignored-files', 'tools-changed']);

/** Only notes or tests are missing, so the work itself may stay. */
const ONLY_MISSING: ReadonlySet<string> = new Set(['notes', 'test-first', 'test-vacuous', 'mutation']);

/** How much of a failing output goes into the next brief. */
const FEEDBACK_CHARS = 3000;

export function verdict(input: VerdictInput): Verdict {
  const { item, claim, evidence, failure } = input;
  const red = [...evidence.gates, ...evidence.verify].find(isBlamed);
  const blocking = evidence.findings.filter(finding => finding.level === 'block');
  const proven = evidence.verify.length > 0 && evidence.verifyWasRed && evidence.verify.every(isGreen);
  const claimed = claim.type === 'done' || (proven && claim.type === 'none');
  const how = claim.type === 'done' ? 'claimed' : 'proven by its own checks';

  // A failed process counts as the agent's failure, unless the agent had claimed its item before.
  if (failure && claim.type === 'none' && !proven) return failed(failure, input.answered ?? true);
  if (claim.type === 'blocked') return { type: 'blocked', cause: 'claimed', why: claim.why };
  if (claim.type === 'question') {
    // The next attempt must not start from work that a guard blocked.
    return { type: 'blocked', cause: 'asked', why: claim.text, ...(blocking.length > 0 ? {} : { next: 'continue' }) };
  }
  if (blocking.length > 0) {
    const message = blocking.map(sentence).join('\n');
    const signature = `guard:${blocking.map(finding => `${finding.rule}:${finding.path ?? ''}`).join(',')}`;
    const next = blocking.every(finding => ONLY_MISSING.has(finding.rule)) ? 'continue' : 'fresh';
    const feedback = [message, ...acceptedLines(blocking.map(finding => finding.rule))].join('\n');
    return reject({ reason: 'guard', why: message, feedback, signature, next });
  }
  if (red && input.repeats && red.name === input.goal && claim.type === 'none' && evidence.changed) {
    const why = `green work, ${redSentence(red)}`;
    return { type: 'progress', why, feedback: `${redSentence(red)}\n\n${tailOf(red.tail, FEEDBACK_CHARS)}` };
  }
  if (red) {
    const why = redSentence(red);
    const reason = evidence.verify.includes(red) ? 'verify-red' : 'gate-red';
    const ground = evidence.findings.filter(({ rule }) => UNDONE.has(rule)).map(sentence);
    const accepted = 'Accepted: it exits 0 on your tree, with the check and its tests as strict as they were.';
    const feedback = [why, ...ground, tailOf(red.tail, FEEDBACK_CHARS), accepted].join('\n\n');
    return reject({
      reason,
      why,
      feedback,
      signature: `${reason}:${red.name}:${fingerprint(red.tail)}`,
      next: 'continue',
    });
  }
  if (!evidence.changed && !item.changeOptional) {
    const denied = input.answered === false ? input.denied?.find(what => WRITING.test(what)) : undefined;
    if (denied !== undefined) return notPermitted(denied);
    if (input.repeats && claimed) return accept(how, evidence, 'nothing was left to change');
    const why = claimed ? 'it was claimed done, but nothing changed in the tree' : 'nothing changed in the tree';
    const feedback = `${why}\nAccepted: a change that does what the item asks for; or a claim that it is blocked, with what stands in the way.`;
    return reject({ reason: 'no-change', why, feedback, signature: 'no-change', next: 'continue' });
  }
  if (!claimed) {
    if (input.repeats) return { type: 'progress', why: 'green work, promise not given yet' };
    if (input.settling?.tree === evidence.tree)
      return { ...accept('accepted without a claim (settled)', evidence), settled: true };
    const green = evidence.gates.length + evidence.verify.length > 0 ? 'every gate is green' : 'the work is kept';
    const why = `${green}, but the agent did not say that the item is done`;
    const feedback = `${why}\nAccepted: the same work, finished, with the claim on a line of its own at the end of the last message.`;
    return reject({ reason: 'no-claim', why, feedback, signature: 'no-claim', next: 'continue' });
  }
  return accept(how, evidence);
}

const sentence = ({ rule, message, path, line }: Finding): string =>
  `${rule}: ${message}${placeOf(message, path, line)}`;

/** A path that the message already contains is not repeated; a line number always is shown. */
function placeOf(message: string, path: string | undefined, line: number | undefined): string {
  if (path === undefined) return '';
  if (line !== undefined) return ` (${path}:${line})`;
  return message.includes(path) ? '' : ` (${path})`;
}

const isGreen = (gate: GateResult): boolean => gate.status === 'green';

/** A gate that was red before the item began is not blamed on it. */
export const isBlamed = (gate: GateResult): boolean => isRed(gate) && !gate.wasRed;

function accept(how: string, evidence: Evidence, note = ''): Extract<Verdict, { type: 'accepted' }> {
  const checks = [...evidence.gates, ...evidence.verify];
  const green = checks.filter(isGreen).length;
  const gates = checks.length === 0 ? 'no gates' : `${green} of ${checks.length} gates green`;
  const before = green < checks.length ? 'the rest was red before' : '';
  return { type: 'accepted', why: [how, gates, before, note].filter(Boolean).join(', ') };
}

/** Tools that change files: names in Claude Code, and kinds in the Agent Client Protocol. */
const WRITING = /^(Bash|Edit|MultiEdit|NotebookEdit|Write|edit|execute|delete|move)\b/;

function notPermitted(denied: string): Verdict {
  const why = `the agent has no permission to write here (${denied.slice(0, 120)})`;
  return { type: 'retry', failure: { class: 'setup', message: why }, why };
}

/** Before an agent has answered once, a failure before its first answer is blamed on the set-up, not on the item. */
function failed(failure: AgentFailure, answered: boolean): Verdict {
  if (!answered && (failure.class === 'validation' || (failure.class === 'logic' && failure.unanswered))) {
    return { type: 'retry', failure: { ...failure, class: 'setup' }, why: failure.message };
  }
  switch (failure.class) {
    case 'logic':
      return reject({
        reason: 'agent-failed',
        why: `the agent failed: ${failure.message}`,
        feedback: `The last attempt ended early: ${failure.message}`,
        signature: `agent:${failure.message.replace(/\d+/g, '#').slice(0, 120)}`,
        next: 'continue',
      });
    case 'validation':
      return { type: 'blocked', cause: 'refused', why: `the agent refused its input: ${failure.message}` };
    case 'network':
    case 'rate-limit':
    case 'overload':
    case 'timeout':
    case 'auth':
    case 'setup':
      return { type: 'retry', failure, why: failure.message };
  }
}

interface Rejection {
  readonly reason: RejectReason;
  readonly why: string;
  readonly feedback: string;
  readonly signature: string;
  readonly next: 'continue' | 'fresh';
}

const reject = (rejection: Rejection): Verdict => ({ type: 'rejected', ...rejection });

function redSentence(gate: GateResult): string {
  const how = gate.status === 'timeout' ? 'ran out of time' : `exited ${gate.exit ?? 'by a signal'}`;
  return gate.name === gate.run ? `gate \`${gate.run}\` ${how}` : `gate ${gate.name} (\`${gate.run}\`) ${how}`;
}

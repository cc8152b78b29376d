/** How a finished iteration changes its item: done, or where the next attempt starts and what its brief says. */
import type { Durable } from '../events.ts';
import type { Evidence, Verdict } from '../protocol.ts';
import { isRed, type RedGate } from '../util/same-failure.ts';
import { endIteration, openIteration } from './open-work.ts';
import { askedBy } from './questions.ts';
import {
  allGreen,
  type ItemState,
  itemOf,
  MARKS_ELSEWHERE,
  type OpenIteration,
  type RunState,
  setItem,
  withItem,
} from './run-state.ts';

/** The signature of an item whose last agent was ended because it was silent or took too long. */
const HUNG = 'timeout';
/** The signature of an item whose last work was committed as progress towards a goal that is still red. */
export const GOAL = 'goal';

export function finishIteration(state: RunState, record: Extract<Durable, { type: 'iteration.finished' }>): RunState {
  const open = openIteration(state, record.iteration);
  const verdict = open?.verdict?.verdict;
  const item = itemOf(state, record.item);
  const common = {
    ...progressOf(item, open, record),
    tries: item.tries + 1,
    durationMs: item.durationMs + record.durationMs,
    refs: record.ref ? [...item.refs, record.ref] : item.refs,
    deaths: verdict?.type === 'rejected' && verdict.reason === 'runner-died' ? (item.deaths ?? 0) + 1 : 0,
  };
  const carried = open ? { carry: { tree: record.tree, base: open.base } } : {};
  const tip = record.commit ?? state.tip;
  const green = open?.evidence && open.evidence.gates.length > 0 && allGreen(open.evidence.gates);
  const base = {
    ...endIteration(state, record.iteration),
    tip,
    retries: 0,
    troubleMs: 0,
    lastTree: record.tree,
    greenTree: green && record.commit ? record.tree : state.greenTree,
    ...(record.commit && open?.evidence ? { redGates: stillRed(state, open.evidence) } : {}),
  };
  if (!verdict) return { ...withItem(base, record.item, common) };
  switch (verdict.type) {
    case 'accepted': {
      const { carry: _, hint: __, settled: ___, marksElsewhere: ____, ...clean } = item;
      const marks = (open?.evidence?.findings ?? []).filter(({ rule }) => rule === MARKS_ELSEWHERE);
      const settled = { status: 'done', why: '', feedback: '', signature: '', repeats: 0 } as const;
      const done = {
        ...clean,
        ...common,
        ...settled,
        accepted: record.iteration,
        ...(verdict.settled ? { settled: true as const } : {}),
        ...(marks.length > 0 ? { marksElsewhere: marks.map(({ message }) => message) } : {}),
      };
      return setItem(base, record.item, record.commit ? { ...done, commit: record.commit } : done);
    }
    case 'progress':
      return withItem(base, record.item, {
        ...common,
        feedback: verdict.feedback ?? '',
        signature: verdict.feedback === undefined ? '' : GOAL,
        repeats: 0,
      });
    case 'rejected': {
      if (verdict.reason === 'merge') return sentBack(base, record.item, { ...item, ...common }, verdict);
      const repeats = verdict.signature === item.signature ? item.repeats + 1 : 1;
      const { carry: _, ...clean } = item;
      const next = {
        ...clean,
        ...common,
        attempts: item.attempts + 1,
        signature: verdict.signature,
        repeats,
        feedback: verdict.feedback,
        why: verdict.why,
      };
      return setItem(base, record.item, verdict.next === 'continue' ? { ...next, ...carried } : next);
    }
    case 'blocked':
      if (verdict.cause === 'asked') {
        const { carry: _, ...clean } = item;
        return setItem(base, record.item, {
          ...clean,
          ...common,
          ...askedBy(record.iteration, verdict.why),
          ...(verdict.next === 'continue' ? carried : {}),
        });
      }
      // The next attempt has to know what was in the way. An agent that reports a block did not hang.
      return withItem(base, record.item, {
        ...common,
        attempts: item.attempts + 1,
        ...([HUNG, GOAL].includes(item.signature) ? { signature: '', repeats: 0 } : {}),
        status: 'blocked',
        why: verdict.why,
        feedback: `the last session stopped, because it was blocked: ${verdict.why}`,
      });
    case 'retry': {
      // A hang counts against the item, because the item's task may cause it; a provider's failure does not.
      const hung = verdict.failure.class === 'timeout';
      const signature = hung ? HUNG : item.signature;
      const repeats = hung ? (item.signature === HUNG ? item.repeats + 1 : 1) : item.repeats;
      const first = hung && item.signature !== HUNG;
      const feedback = first
        ? [`the last session was ended: ${verdict.why}`, item.feedback].join('\n').trim()
        : item.feedback;
      const next = withItem(base, record.item, { ...common, signature, repeats, feedback, ...carried });
      return { ...next, retries: state.retries + 1, troubleMs: state.troubleMs ?? 0 };
    }
  }
}

/** The work was accepted on its own: no attempt is used up, and feedback on earlier attempts no longer applies. */
function sentBack(
  state: RunState,
  id: string,
  item: ItemState,
  { why, feedback, paths = [] }: Extract<Verdict, { type: 'rejected' }>,
): RunState {
  const { carry: _, ...clean } = item;
  const touches = [...new Set([...(item.touches ?? []), ...paths])];
  const times = (item.sentBack ?? 0) + 1;
  return setItem(state, id, { ...clean, still: 0, repeats: 0, signature: '', why, feedback, sentBack: times, touches });
}

/** A changed tree or changed evidence is progress, even if the verdict stays the same. */
function progressOf(
  item: ItemState,
  open: OpenIteration | undefined,
  { commit }: Extract<Durable, { type: 'iteration.finished' }>,
): Partial<ItemState> {
  const { evidence, verdict } = open ?? {};
  // Neither a provider's failure nor a question says anything about the work.
  const said = verdict?.verdict;
  if (!open || !evidence || said?.type === 'retry' || (said?.type === 'blocked' && said.cause === 'asked')) return {};
  const seen = JSON.stringify([
    [...evidence.verify, ...evidence.gates].map(({ name, status, exit }) => [name, status, exit]),
    [...new Set(evidence.findings.map(({ rule }) => rule))],
  ]);
  const moved = commit !== undefined || evidence.tree !== open.tree || (item.seen !== undefined && item.seen !== seen);
  return { seen, still: moved ? 0 : item.still + 1 };
}

/** Once a gate has been green, it has to stay green: it is dropped from the list of gates that may be red. */
const stillRed = ({ redGates = [] }: RunState, { gates }: Evidence): readonly RedGate[] =>
  redGates.filter(({ name }) => gates.every(gate => gate.name !== name || isRed(gate)));

/** The timeline view: where did the time go? */
import { plural, showDuration } from '../util/show.ts';
import type { Look } from './all-runs.ts';
import { type Row, verdictRow } from './iteration-row.ts';
import { lettersOf } from './run-row.ts';
import type { TimelineView } from './types/timeline.ts';

const REFUSED = 500;

export function timelineView(look: Look): TimelineView {
  const { facts, now, owner } = look;
  const { rows, state } = facts;
  const from = state.startedAt;
  const places = new Map<string, number>();
  const items: [string, string][] = [];
  const placeOf = ({ item, title }: Row): number => {
    const known = places.get(item);
    if (known !== undefined) return known;
    places.set(item, items.length);
    return items.push([item, title]) - 1;
  };
  const parts = rows.map(row => partsOf(row, owner ? now : state.lastAt));
  const column = (of: (row: Row) => number) => rows.map(of);
  return {
    sentence: sentenceOf(look, parts),
    from,
    now,
    columns: {
      n: column(({ n }) => n),
      item: column(placeOf),
      attempt: column(({ attempt }) => attempt),
      start: column(({ start }) => start - from),
      agent: parts.map(({ agent }) => agent),
      gates: parts.map(({ gates }) => gates),
      proof: parts.map(({ proof }) => proof),
      rest: parts.map(({ rest }) => rest),
      costUsd: column(({ costUsd }) => Math.round(costUsd * 1e4) / 1e4),
      worker: column(({ worker }) => worker),
    },
    items,
    verdicts: lettersOf(look),
    waits: facts.waits,
    pauses: facts.pauses,
    reviews: facts.reviews,
    refused: rows
      .filter(({ verdict }) => verdict !== 'accepted' && verdict !== 'progress' && verdict !== 'open')
      .slice(-REFUSED)
      .toReversed()
      .map(verdictRow),
  };
}

interface Parts {
  readonly agent: number;
  readonly gates: number;
  readonly proof: number;
  readonly rest: number;
}

/** An open iteration has only its agent's time so far. */
function partsOf(row: Row, now: number): Parts {
  const total = row.step === 'over' ? row.durationMs : Math.max(0, now - row.start);
  const agent = row.agentMs || (row.step === 'agent' ? total : 0);
  const gates = Math.min(row.gatesMs, Math.max(0, total - agent));
  const proof = Math.min(row.proofMs, Math.max(0, total - agent - gates));
  return { agent, gates, proof, rest: Math.max(0, total - agent - gates - proof) };
}

function sentenceOf({ facts }: Look, parts: readonly Parts[]): string {
  if (parts.length === 0) return 'No iteration yet: the first one will be here once its agent has started.';
  const sum = (of: (part: Parts) => number) => parts.reduce((total, part) => total + of(part), 0);
  const all = sum(({ agent, gates, proof, rest }) => agent + gates + proof + rest) || 1;
  // A non-breaking space keeps number and percent sign together.
  const share = (ms: number) => `${Math.round((100 * ms) / all)}\u00a0%`;
  const waited = facts.waits.reduce((total, { start, end }) => total + ((end ?? facts.state.lastAt) - start), 0);
  const words = [
    `agents ${share(sum(({ agent }) => agent))}`,
    `gates ${share(sum(({ gates }) => gates))}`,
    `proofs ${share(sum(({ proof }) => proof))}`,
  ];
  const waiting = waited > 0 ? `, and ${showDuration(Math.max(1_000, waited))} of waiting` : '';
  return `${plural(parts.length, 'iteration')} in ${showDuration(facts.state.activeMs)}: ${words.join(', ')}${waiting}.`;
}

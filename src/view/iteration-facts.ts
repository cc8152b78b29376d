/** The records of one iteration, read from the journal again, because rows do not keep their texts. */
import type { Recorded } from '../events.ts';
import { storeOf } from '../journal/index.ts';
import type { Look } from './all-runs.ts';
import type { Row } from './iteration-row.ts';

export interface IterationFacts {
  readonly started?: Extract<Recorded, { type: 'iteration.started' }>;
  readonly finished?: Extract<Recorded, { type: 'agent.finished' }>;
  readonly evidence?: Extract<Recorded, { type: 'evidence' }>;
  readonly verdict?: Extract<Recorded, { type: 'verdict' }>;
  readonly ended?: Extract<Recorded, { type: 'iteration.finished' | 'iteration.aborted' }>;
  readonly restored: readonly string[];
  readonly shown: readonly string[];
  readonly said?: Extract<Recorded, { type: 'lessons.said' }>;
}

export function iterationFacts({ place, run }: Look, row: Row): IterationFacts {
  const facts: { -readonly [K in keyof IterationFacts]: IterationFacts[K] } = { restored: [], shown: [] };
  const take = (record: Recorded): 'enough' | undefined => {
    switch (record.type) {
      case 'iteration.started':
        if (record.iteration === row.n && facts.started) return 'enough';
        if (record.iteration === row.n) facts.started = record;
        break;
      case 'lessons.shown':
        if (record.iteration === row.n) facts.shown = record.ids;
        break;
      case 'lessons.said':
        if (record.iteration === row.n) facts.said = record;
        break;
      case 'plan.restored':
        if (record.iteration === row.n) facts.restored = [...facts.restored, ...record.edits].slice(0, 100);
        break;
      case 'agent.finished':
        if (record.iteration === row.n) facts.finished = record;
        break;
      case 'evidence':
        if (record.iteration === row.n) facts.evidence = record;
        break;
      case 'verdict':
        if (record.iteration === row.n) facts.verdict = record;
        break;
      case 'iteration.finished':
      case 'iteration.aborted':
        if (record.iteration !== row.n) break;
        facts.ended = record;
        return 'enough';
      default:
        break;
    }
    return undefined;
  };
  storeOf(place.folder).readJournal(run, take, row.place);
  return facts;
}

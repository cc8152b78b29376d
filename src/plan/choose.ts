/** Chooses between several plans: the only one with open work, the one its tool is currently at, or else a person decides. */
import { relative } from 'node:path';
import type { Plan } from '../protocol.ts';
import type { Failure } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { oneLine, plain } from '../util/show.ts';
import { pickNext, tally } from './next.ts';

/** A parsed plan with its path. */
interface Read {
  readonly path: string;
  readonly plan: Plan;
}

export interface Candidate<P extends Read = Read> {
  readonly open: P;
  /** It has open work, or an error that a person has to see. */
  readonly work: boolean;
}

export const candidateOf = <P extends Read>(open: P): Candidate<P> => {
  const { plan } = open;
  if (plan.error) return { open, work: plan.ids.length > 0 };
  const { next } = pickNext({ items: plan.items, status: item => item.status });
  return { open, work: next !== undefined };
};

const SHOWN = 20;

/** The failure that lists the candidates, each with the command that runs it. */
export function severalPlans(candidates: readonly Candidate[], from: string): Failure {
  const rows = candidates.slice(0, SHOWN).map(({ open }) => ({
    command: `ralph run ${quoted(relative(from, open.path) || open.path)}`,
    about: aboutOf(open),
  }));
  const width = Math.max(...rows.map(({ command }) => command.length));
  const lines = rows.map(({ command, about }) => `${command.padEnd(width)}  # ${about}`);
  const more = candidates.length > SHOWN ? [`and ${candidates.length - SHOWN} more`] : [];
  return {
    reason: 'several-plans',
    message: `${candidates.length} plans here have work in them, and none is named`,
    hint: ['Choose one:', ...lines, ...more].join('\n  '),
  };
}

function aboutOf({ plan }: Read): string {
  if (plan.error) return plain(oneLine(`${plan.format}, cannot be run: ${plan.error.message}`, 100));
  const { done, total } = tally(plan.items);
  const { next } = pickNext({ items: plan.items, status: item => item.status });
  const first = next ? `, next ${next.id} ${next.title}` : '';
  return plain(oneLine(`${plan.format}, ${done} of ${total} done${first}`, 100));
}

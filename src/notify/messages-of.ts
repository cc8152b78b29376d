/** Which events become messages, and their texts: an event and the state in, messages out. */
import type { Event, StopReason } from '../events.ts';
import type { MessageKind } from '../protocol.ts';
import { describeStop, itemCommand, localMoment, say, shellWord } from '../report/index.ts';
import { type ItemState, itemOf, type RunState } from '../state.ts';
import type { Failure } from '../util/result.ts';
import { showCost, showDuration } from '../util/show.ts';
import type { News } from './message.ts';

export interface Around {
  /** The state of the event's item, and the cost, before the event. */
  readonly before: { readonly item?: ItemState; readonly costUsd: number };
  /** The run after the event. */
  readonly state: RunState;
  readonly limits: { readonly costUsd: number; readonly stuck: number };
  readonly at: number;
}

type Told<T extends Event['type']> = (event: Extract<Event, { type: T }>, around: Around) => readonly News[];

/** One line per event that may become a message. A message that asks a person for something has the kind `needs-person`. */
const TOLD: { readonly [T in Event['type']]?: Told<T> } = {
  'agent.finished': (_, around) => costNews(around),
  'review.finished': (_, around) => costNews(around),
  'review.aborted': (_, around) => costNews(around),
  'iteration.finished': ({ item, iteration }, around) => blockedNews({ item, iteration }, around),
  'item.marked': ({ item, by }, around) => (by === 'person' ? [] : blockedNews({ item }, around)),
  'question.asked': ({ item, question }) => [
    {
      kind: 'needs-person',
      what: `${say(item, 60)} asks`,
      why: say(question, WHY),
      next: [itemCommand('answer', item, { text: '"..."' })],
      item,
    },
  ],
  'wait.started': ({ until, why }, { at }) => waitNews({ until, why, at }),
  'agent.parked': ({ agent, until, why }) => (until === undefined ? [unusable(agent, why)] : []),
  'run.finished': ({ reason, why }, around) => endNews({ reason, why }, around),
};

export function messagesOf(event: Event, around: Around): readonly News[] {
  const told = TOLD[event.type] as ((event: Event, around: Around) => readonly News[]) | undefined;
  return told?.(event, around) ?? [];
}

/** For a run that could not start: nobody may be there to read why. */
export const refusalNews = ({ reason, message, hint = '' }: Failure): News => ({
  kind: reason.startsWith('agent-') ? 'needs-person' : 'failed',
  what: 'The run did not start',
  why: say([message, hint].filter(Boolean).join('. '), WHY),
  next: ['ralph doctor', 'ralph run'],
});

const WHAT = 160;
const WHY = 400;

/** Shares of the cost limit, in percent, at which a person is told. */
const MARKS = [100, 80, 50];

function costNews({ before, state, limits }: Around): readonly News[] {
  const share = (usd: number) => (usd / limits.costUsd) * 100;
  const mark = MARKS.find(each => share(state.costUsd) >= each);
  if (mark === undefined || share(before.costUsd) >= mark) return [];
  const spent = `${showCost(state.costUsd)} of ${showCost(limits.costUsd)}`;
  const what = `${mark} % of the cost limit is spent: ${spent}`;
  return mark < 100
    ? [{ kind: 'cost', what, why: '', next: ['ralph status', 'ralph stop'] }]
    : [{ kind: 'cost', what, why: 'Nothing new is begun.', next: [moreMoney(limits.costUsd)] }];
}

const moreMoney = (limit: number): string => `ralph run --max-cost ${Math.ceil(limit * 2)}`;

/** For items that the run blocked; a person who blocks an item knows it. */
function blockedNews(
  { item, iteration }: { readonly item: string; readonly iteration?: number },
  { before, state, limits }: Around,
): readonly News[] {
  const now = itemOf(state, item);
  if (now.status !== 'blocked' || before.item?.status === 'blocked') return [];
  const same = Math.max(now.repeats, now.still) >= limits.stuck;
  const name = say([item, now.title].filter(Boolean).join(' '), WHAT - 20);
  return [
    {
      kind: same ? 'stuck' : 'blocked',
      what: same ? `${name} is stuck` : `${name} is blocked`,
      why: say(now.why, WHY),
      next: [`ralph logs ${iteration ?? state.iterations}`, itemCommand('retry', item, { flags: '--with "..."' })],
      item,
    },
  ];
}

/** Shorter waits are not reported. */
const LONG_WAIT = 5 * 60_000;

function waitNews({ until, why, at }: { readonly until: number; readonly why: string; readonly at: number }) {
  if (until - at < LONG_WAIT) return [];
  const what = `Waiting until ${localMoment(until, at)} (${showDuration(until - at)})`;
  return [{ kind: 'wait', what, why: say(why, WHY), next: ['ralph resume', 'ralph stop'] } as const];
}

const unusable = (agent: string, why: string): News => ({
  kind: 'needs-person',
  what: `${say(agent, 60)} cannot be used; the other agents are used`,
  why: say(why, WHY),
  next: ['ralph doctor'],
});

/** A person who ended the run at the keyboard needs no message about it. */
const ENDS: Readonly<Record<StopReason, MessageKind | undefined>> = {
  complete: 'done',
  blocked: 'needs-person',
  halted: 'needs-person',
  review: 'needs-person',
  'agent-unavailable': 'needs-person',
  'agent-unusable': 'needs-person',
  fruitless: 'stuck',
  iterations: 'stopped',
  time: 'stopped',
  cost: 'stopped',
  deadline: 'stopped',
  'stop-requested': 'stopped',
  terminated: 'stopped',
  once: undefined,
  interrupted: undefined,
  failed: 'failed',
};

function endNews(
  { reason, why }: { readonly reason: StopReason; readonly why: string },
  { state, limits }: Around,
): readonly News[] {
  const kind = ENDS[reason];
  if (kind === undefined) return [];
  const next = nextAfter(reason, state, limits.costUsd);
  return [{ kind, what: describeStop(reason, ''), why: say(why, WHY), next }];
}

function nextAfter(reason: StopReason, state: RunState, limit: number): readonly string[] {
  switch (reason) {
    case 'complete':
      return ['ralph review', ...(!state.from ? [] : [`ralph merge ${shellWord(state.run)}`])];
    case 'blocked':
    case 'review': {
      const blocked = [...state.items].filter(([, { status }]) => status === 'blocked');
      const [asks] = blocked.find(([, { question }]) => question) ?? [];
      const [open] = blocked.find(([, { question }]) => !question) ?? [];
      const steps = [
        ...(asks === undefined ? [] : [itemCommand('answer', asks, { text: '"..."' })]),
        ...(open === undefined ? [] : [itemCommand('retry', open, { flags: '--with "..."' })]),
      ];
      return [...(steps.length > 0 ? steps : ['ralph items']), 'ralph run'];
    }
    case 'agent-unavailable':
      return ['ralph doctor', 'ralph run'];
    case 'fruitless':
      return [`ralph logs ${state.iterations}`, 'ralph run'];
    case 'cost':
      return [moreMoney(limit)];
    case 'failed':
      return ['ralph status', 'ralph run'];
    default:
      return ['ralph run'];
  }
}

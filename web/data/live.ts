/** The event stream of the shown run: it reconnects by itself, from the last event it has seen. */
import { signal } from '@preact/signals';
import type { RunView, StepView, StreamMessage, WorkView } from '../../src/view/index.ts';
import { announce } from '../parts/announce.tsx';
import { address } from './address.ts';
import { streamPath } from './source.ts';
import { changed, load, patch, peek } from './store.ts';

export interface Connection {
  readonly state: 'none' | 'open' | 'lost';
  /** When the connection was lost, and when the next retry is. */
  readonly since?: number;
  readonly retryAt?: number;
}

export const connection = signal<Connection>({ state: 'none' });
/** The id of the last received event. */
export const lastEvent = signal<string | undefined>(undefined);

const FIRST_MS = 500;
const MOST_MS = 15_000;
const STEPS_KEPT = 40;

let following: string | undefined;
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let wait = FIRST_MS;

/** Follows this run from the cursor of its view on; leaves the previous run. */
export function follow(run: string, cursor: string): void {
  if (following === run) return;
  leave();
  following = run;
  lastEvent.value = cursor;
  open();
}

function leave(): void {
  following = undefined;
  source?.close();
  clearTimeout(timer);
}

/** Reconnects now instead of at the next retry. */
export function reconnect(): void {
  if (following !== undefined && connection.value.state === 'lost') open();
}

function open(): void {
  const run = following;
  if (run === undefined) return;
  clearTimeout(timer);
  source?.close();
  const stream = new EventSource(streamPath(run, lastEvent.value));
  source = stream;
  stream.addEventListener('open', () => {
    const wasLost = connection.value.state === 'lost';
    connection.value = { state: 'open' };
    wait = FIRST_MS;
    // A run that started between the list and the stream is in neither of them.
    changed(each => each === '/runs');
    if (wasLost) {
      announce('Connected again');
      changed(() => true);
    }
  });
  stream.addEventListener('message', event => {
    if (event.lastEventId !== '') lastEvent.value = event.lastEventId;
    take(run, JSON.parse(event.data as string) as StreamMessage);
  });
  stream.addEventListener('error', () => {
    // The browser's own retries would end at the first response that is not a stream.
    stream.close();
    if (following !== run) return;
    const since = connection.value.since ?? Date.now();
    connection.value = { state: 'lost', since, retryAt: Date.now() + wait };
    timer = setTimeout(open, wait);
    wait = Math.min(MOST_MS, wait * 2);
  });
}

/** Records after which views other than the run's own change. */
const OF_ITEMS = /^(item\.|iteration\.|verdict|review\.|run\.)/;

function take(run: string, message: StreamMessage): void {
  const here = address('/runs/{run}', { run });
  const { path } = here;
  switch (message.type) {
    case 'record': {
      changed(each => each === path || each === '/runs');
      if (OF_ITEMS.test(message.event)) {
        changed(each => each.startsWith(`${path}/`) && !each.includes('/iterations/'));
        changed(each => each === '/morning' || each === '/lessons' || each === '/archives');
      }
      if (message.n !== null) changed(each => each === `${path}/iterations/${message.n}`);
      if (message.event === 'verdict' && message.text !== '') announce(message.text);
      break;
    }
    case 'step':
      work(run, message, old => ({
        ...old,
        heardAt: message.step.at ?? old.heardAt,
        steps: withStep(old.steps, message.step),
      }));
      break;
    case 'output':
      work(run, message, old => ({ ...old, heardAt: message.at }));
      break;
    // The message lacks the split into input and output, which the view has.
    case 'spent':
    case 'gate':
    case 'status':
      changed(each => each === path || each === '/runs');
      break;
    case 'notice':
      patch(here, view => ({ ...view, notices: [...view.notices, message].slice(-20) }));
      break;
    case 'runs':
      changed(each => each === '/runs' || each === '/morning');
      break;
    case 'reset':
      changed(() => true);
      break;
    default:
      // From a newer server.
      break;
  }
}

/** Adds a step, unless the view already has it; the same step again in a row is one line. */
function withStep(steps: readonly StepView[], step: StepView): readonly StepView[] {
  const isSame = (each: StepView) => each.kind === step.kind && each.tool === step.tool && each.text === step.text;
  if (step.at !== null && steps.some(each => each.at === step.at && isSame(each))) return steps;
  const last = steps.at(-1);
  if (last && step.kind === 'tool' && isSame(last)) return [...steps.slice(0, -1), { ...last, count: last.count + 1 }];
  return [...steps, step].slice(-STEPS_KEPT);
}

interface Whose {
  readonly n: number;
  readonly review: number | null;
}

function work(run: string, { n, review }: Whose, change: (work: WorkView) => WorkView): void {
  const here = address('/runs/{run}', { run });
  const isIt = (each: WorkView) =>
    review === null ? each.kind === 'iteration' && each.n === n : each.kind === 'review' && each.n === review;
  if (peek(here).value?.work.some(isIt)) {
    patch<RunView>(here, view => ({ ...view, work: view.work.map(each => (isIt(each) ? change(each) : each)) }));
  } else {
    void load(here.path);
  }
}

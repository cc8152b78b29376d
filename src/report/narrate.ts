/** The permanent lines of a run, the same on a terminal and in a log. */
import type { Event } from '../events.ts';
import type { Verdict } from '../protocol.ts';
import { plural, showDuration } from '../util/show.ts';
import { detail, gateList, listed, type NarrateOptions, sandboxWord, toneOf, withWhy } from './detail-lines.ts';
import {
  agentLines,
  evidenceLines,
  itemTitle,
  mergeLine,
  redOutput,
  saidLines,
  verdictLine,
} from './iteration-lines.ts';
import { type Line, localMoment } from './layout.ts';
import { tally } from './progress.ts';
import { reviewLines } from './review-lines.ts';
import { describeStop } from './sentences.ts';
import { stepLines } from './steps.ts';
import { dots, itemCommand, say, shortCommit, type Tone } from './style.ts';
import { transcript } from './transcript.ts';

export type Narrator = (event: Event, at: number) => readonly Line[];

/** Turns events into lines. What several workers do is interleaved, so the first line of each event names its item. */
export function narrator(options: NarrateOptions): Narrator {
  const tell = narrateOne(options);
  const items = new Map<number, string>();
  const itemOf = (event: Event): string | undefined => {
    if (event.type === 'agent.signal') return event.review === undefined ? items.get(event.iteration) : undefined;
    if (!('worker' in event) || event.worker === undefined || !('item' in event)) return undefined;
    if (event.type === 'iteration.started') items.set(event.iteration, event.item);
    if (event.type === 'iteration.finished') items.delete(event.iteration);
    return event.item;
  };
  return (event, at) => {
    const lines = tell(event, at);
    const item = options.alone ? undefined : itemOf(event);
    if (item === undefined) return lines;
    return lines.map((line, index) =>
      line.type === 'detail' && (index === 0 || line.label !== '')
        ? { ...line, text: dots(options.paint('strong', say(item)), line.text) }
        : line,
    );
  };
}

function narrateOne(options: NarrateOptions): Narrator {
  const plan = tally();
  const steps = stepNarrator(options);
  const verdicts = new Map<number, Verdict>();
  const open = new Set<string>();
  return (event, at) => {
    const before = plan.progress();
    plan.see(event);
    const told = options.verbose ? steps(event, at) : [];
    if (told.length > 0) return told;
    switch (event.type) {
      case 'iteration.started': {
        // The current item comes after the settled ones and those of other workers; a retried item keeps its position.
        open.add(event.item);
        const place = before ? Math.min(before.total, before.done + before.blocked + open.size) : 0;
        return [
          { type: 'item', at, position: before ? `[${place}/${before.total}]` : '', text: itemTitle(event, options) },
        ];
      }
      case 'verdict':
        verdicts.set(event.iteration, event.verdict);
        return [];
      case 'iteration.finished': {
        const verdict = verdicts.get(event.iteration);
        verdicts.delete(event.iteration);
        open.delete(event.item);
        // Shown only once the work is kept, with the commit or ref, so that a line never promises more than git has.
        return [verdictLine(event, verdict, options)];
      }
      case 'iteration.aborted':
        open.delete(event.item);
        return linesOf(event, at, options);
      default:
        return linesOf(event, at, options);
    }
  };
}

/** The steps of each agent; times count from the start of its own iteration. */
function stepNarrator({ paint }: NarrateOptions): Narrator {
  const agents = new Map<
    string,
    { readonly agent: ReturnType<typeof transcript>; readonly since: number | undefined }
  >();
  const keyOf = ({ iteration, review }: { readonly iteration?: number; readonly review?: number }) =>
    review === undefined ? `iteration ${iteration ?? 0}` : `review ${review}`;
  return (event, at) => {
    if (event.type === 'iteration.started' || event.type === 'review.started') {
      agents.set(keyOf(event), { agent: transcript(), since: at });
    }
    if (event.type === 'iteration.finished' || event.type === 'review.finished') agents.delete(keyOf(event));
    if (event.type !== 'agent.signal') return [];
    const { agent, since } = agents.get(keyOf(event)) ?? { agent: transcript(), since: undefined };
    if (!agents.has(keyOf(event))) agents.set(keyOf(event), { agent, since });
    return agent
      .take(event.signal, Number.isNaN(at) ? undefined : at)
      .flatMap(step => stepLines(step, { since, paint }));
  };
}

type Simple = Exclude<Event, { type: 'iteration.started' | 'verdict' | 'iteration.finished' }>;

function linesOf(event: Simple, at: number, options: NarrateOptions): readonly Line[] {
  const { paint } = options;
  const run = (label: string, tone: Tone, text: string): Line => ({ type: 'run', at, label, tone, text });
  switch (event.type) {
    case 'run.started':
      return [
        run(
          'run',
          'strong',
          dots(say(event.run), `branch ${say(event.branch)}`, `agent ${say(event.agent)}`, sandboxWord(event)),
        ),
        detail('plan', 'dim', dots(say(event.plan.path), gateNames(event.gates))),
      ];
    case 'run.resumed':
      return [
        run(
          'run',
          'strong',
          dots(`resumed at ${shortCommit(event.base)}`, event.until && `until ${say(event.until, 200)}`),
        ),
      ];
    case 'baseline':
      return event.gates.length === 0 ? [] : [run('baseline', toneOf(event.gates), gateList(event.gates, paint))];
    case 'final':
      return event.gates.length === 0 ? [] : [run('final', toneOf(event.gates), gateList(event.gates, paint))];
    case 'agent.finished':
      return agentLines(event, options);
    case 'lessons.shown':
      return event.ids.length === 0
        ? []
        : [detail('lessons', 'dim', `${plural(event.ids.length, 'lesson')} in the brief`)];
    case 'lessons.said':
      return saidLines(event);
    case 'stopping':
      return [];
    case 'plan.restored':
      return [detail('restored', 'warn', `the agent changed what is the runner's: ${listed(event.edits)}`)];
    case 'evidence':
      return [...evidenceLines(event.evidence, paint), ...(options.verbose ? redOutput(event.evidence, paint) : [])];
    case 'merge':
      return [mergeLine(event, paint)];
    case 'iteration.aborted':
      return [
        run(
          'cut off',
          'warn',
          dots(`${say(event.item)}: ${say(event.why, 300)}`, event.ref && `kept as ${say(event.ref)}`),
        ),
      ];
    case 'item.adopted':
      return [run('adopted', 'good', `${say(event.item)} from commit ${shortCommit(event.commit)}`)];
    case 'wait.started': {
      const wait = `until ${localMoment(event.until, at, options.clockTime)} (${showDuration(Math.max(0, event.until - at))})`;
      return [run('waiting', 'warn', event.why ? `${wait}: ${say(event.why, 300)}` : wait)];
    }
    case 'agent.parked': {
      const until = event.until === undefined ? '' : ` until ${localMoment(event.until, at, options.clockTime)}`;
      return [run('parked', 'warn', `${say(event.agent)}${until}: ${say(event.why, 300)}`)];
    }
    case 'branch.pushed':
      return event.why === undefined
        ? [run('pushed', 'plain', `${shortCommit(event.commit)} to ${say(event.remote)}`)]
        : [run('pushed', 'warn', `not: ${say(event.why, 300)}`)];
    case 'remote.changed':
      return [run('remote', 'warn', `${say(event.remote)} changed, and not by this run: ${refList(event.refs)}`)];
    case 'item.marked': {
      const by = event.by === 'person' ? 'by hand' : '';
      return [run(event.to, MARKS[event.to], dots(withWhy(say(event.item), event.why), by))];
    }
    case 'item.added':
      return [run('added', 'warn', withWhy(say(event.item), event.why))];
    case 'question.asked':
      return [
        run(
          'asks',
          'warn',
          dots(`${say(event.item)}: ${say(event.question, 300)}`, itemCommand('answer', event.item, { text: '"..."' })),
        ),
      ];
    case 'question.answered': {
      const by = event.by === 'file' ? 'from .ralph/answers.md' : 'by you';
      return [run('answered', 'accent', dots(withWhy(say(event.item), event.answer), by))];
    }
    case 'item.retried':
      return [run('retry', 'accent', withWhy(say(event.item), event.hint))];
    case 'review.started':
      return [run('review', 'strong', dots(say(event.item), `round ${event.round}`, `agent ${say(event.agent)}`))];
    case 'review.finished':
      return reviewLines(event);
    case 'review.aborted':
      return [run('cut off', 'warn', `review of ${say(event.item)}: ${say(event.why, 300)}`)];
    case 'steered':
      return [run('steered', 'accent', say(event.text, 300))];
    case 'paused':
      return [run('paused', 'warn', 'continue with: ralph resume')];
    case 'unpaused':
      return [run('resumed', 'plain', 'going on')];
    case 'notice':
      return [noticeLine(event, at)];
    case 'run.finished': {
      const complete = event.reason === 'complete';
      return [run('end', complete ? 'good' : 'warn', describeStop(event.reason, event.why))];
    }
    case 'run.discarded':
      return [run('discarded', 'warn', `the branch was at ${shortCommit(event.tip)}`)];
    case 'run.restored':
      return [run('restored', 'plain', 'the branch is there again')];
    case 'agent.started':
    case 'branch.taken':
    case 'reviewer.started':
    case 'review.settled':
    case 'wait.ended':
    // Each lesson was shown when it came.
    case 'lessons.changed':
    case 'agent.signal':
    case 'agent.output':
    case 'gate.started':
    case 'gate.finished':
    case 'plan.read':
      return [];
  }
}

/** `refs/heads/main abc1234 -> def5678` */
const refList = (refs: Extract<Event, { type: 'remote.changed' }>['refs']): string =>
  refs
    .map(({ ref, was, now }) => `${say(ref)} ${was ? shortCommit(was) : 'new'} -> ${now ? shortCommit(now) : 'gone'}`)
    .join(', ');

/** A notice that begins with spaces continues the previous one. */
function noticeLine({ level, message }: Extract<Event, { type: 'notice' }>, at: number): Line {
  const [label, tone] = level === 'warn' ? (['warning', 'warn'] as const) : (['note', 'dim'] as const);
  const text = say(message, 400);
  const indent = message.search(/[^ ]/);
  if (indent > 0 && level === 'info') return { type: 'detail', label: '', tone, text, indent };
  return { type: 'run', at, label, tone, text };
}

const MARKS = { pending: 'plain', done: 'good', blocked: 'bad', skipped: 'warn' } as const;

function gateNames(names: readonly string[]): string {
  return names.length === 0 ? 'no gates' : `gates ${listed(names)}`;
}

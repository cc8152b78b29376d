/**
 * Records of a run, one by one, to the spans that end with each of them: live, and from a journal after the fact. What is
 * told depends on the records alone, so that both tell the same. The names are documented in docs/traces.md.
 */
import type { Event } from '../events.ts';
import { agentAttributes, failureIn, verdictAttributes } from './attributes.ts';
import { gateSpans, proofSpan } from './gate-spans.ts';
import { type Attributes, type Span, type SpanEvent, spanId, traceId } from './span.ts';

/** Takes what happened and when; gives the spans that are over with it. */
export interface SpanMaker {
  take(event: Event, at: number): readonly Span[];
  /** The run so far, for one that has no end yet; undefined before it began. */
  run(at: number): Span | undefined;
}

type Of<T extends Event['type']> = Extract<Event, { readonly type: T }>;

interface Open {
  readonly id: string;
  readonly at: number;
  readonly agent: string;
  readonly attributes: Attributes;
  readonly events: SpanEvent[];
  verdict?: Attributes;
  agentAt?: number;
  agentEnd?: number;
  failed?: string;
}

/** Of one span. */
const EVENTS = 100;
const FINDINGS = 20;

export function spanMaker(): SpanMaker {
  let begun: { readonly trace: string; readonly id: string; readonly at: number; readonly event: Of<'run.started'> };
  let started = false;
  const told: SpanEvent[] = [];
  const iterations = new Map<number, Open>();
  const reviews = new Map<number, { readonly event: Of<'review.started'>; readonly at: number }>();
  const gaps = new Map<'wait' | 'pause', { readonly at: number; readonly why: string }>();
  let sum = { input: 0, output: 0, cached: 0, costUsd: 0 };
  let last = 0;

  const span = (
    name: string,
    words: readonly (string | number)[],
    rest: Omit<Span, 'trace' | 'id' | 'name'>,
  ): Span => ({
    trace: begun.trace,
    id: spanId(begun.trace, ...words),
    name,
    ...rest,
  });
  const tell = (name: string, at: number, attributes: Attributes) => {
    if (told.length < EVENTS) told.push({ name, at, attributes });
  };
  const spend = (usage: { inputTokens: number; outputTokens: number; cachedTokens: number }, costUsd: number) => {
    sum = {
      input: sum.input + usage.inputTokens + usage.cachedTokens,
      output: sum.output + usage.outputTokens,
      cached: sum.cached + usage.cachedTokens,
      costUsd: sum.costUsd + costUsd,
    };
  };

  function runSpan(end: number, over?: Of<'run.finished'>): Span {
    const { event } = begun;
    return {
      trace: begun.trace,
      id: begun.id,
      name: 'ralph.run',
      start: begun.at,
      end,
      attributes: {
        'ralph.run.id': event.run,
        'ralph.plan.name': event.plan.name,
        'ralph.plan.path': event.plan.path,
        'ralph.plan.format': event.plan.format,
        'ralph.sandbox': event.sandbox,
        'ralph.run.reason': over?.reason,
        'ralph.cost_usd': sum.costUsd,
        'vcs.ref.head.name': event.branch,
        'vcs.ref.head.revision': event.base,
        'gen_ai.agent.name': event.agent,
        'gen_ai.usage.input_tokens': sum.input,
        'gen_ai.usage.output_tokens': sum.output,
        'gen_ai.usage.cache_read.input_tokens': sum.cached,
      },
      events: told,
      ...(over?.reason === 'failed' ? { error: over.why } : {}),
    };
  }

  function finished(event: Of<'agent.finished'>, at: number): readonly Span[] {
    const open = iterations.get(event.iteration);
    spend(event.usage, event.costUsd);
    if (!open) return [];
    open.agentEnd = at;
    const agent = open.agent;
    return [
      span(`invoke_agent ${agent.split(':')[0]}`, ['agent', open.id], {
        parent: open.id,
        start: open.agentAt ?? at - event.end.durationMs,
        end: at,
        attributes: { ...open.attributes, ...agentAttributes({ agent, ...event }) },
        ...failureIn(event),
      }),
    ];
  }

  function looked({ iteration, evidence }: Of<'evidence'>, at: number): readonly Span[] {
    const open = iterations.get(iteration);
    if (!open) return [];
    for (const { rule, level, message, path } of evidence.findings
      .filter(each => each.level !== 'note')
      .slice(0, FINDINGS)) {
      const attributes = { 'ralph.rule': rule, 'ralph.level': level, 'ralph.message': message, 'code.file.path': path };
      open.events.push({ name: 'ralph.finding', at, attributes });
    }
    const place = { trace: begun.trace, parent: open.id, attributes: open.attributes };
    const proof = proofSpan({ ...place, evidence, end: at });
    const gates = [
      ...evidence.verify.map(gate => ({ gate, phase: 'item' })),
      ...evidence.gates.map(gate => ({ gate, phase: 'item' })),
    ];
    const since = open.agentEnd ?? open.at;
    return [...gateSpans({ ...place, gates, end: proof?.start ?? at, since }), ...(proof ? [proof] : [])];
  }

  function ended(iteration: number, at: number, attributes: Attributes): readonly Span[] {
    const open = iterations.get(iteration);
    iterations.delete(iteration);
    if (!open) return [];
    return [
      {
        trace: begun.trace,
        id: open.id,
        parent: begun.id,
        name: 'ralph.iteration',
        start: open.at,
        end: at,
        attributes: { ...open.attributes, ...open.verdict, ...attributes },
        events: open.events,
        ...(open.failed === undefined ? {} : { error: open.failed }),
      },
    ];
  }

  function reviewed(event: Of<'review.finished'> | Of<'review.aborted'>, at: number): readonly Span[] {
    const open = reviews.get(event.review);
    reviews.delete(event.review);
    spend(event.usage, event.costUsd);
    if (!open) return [];
    const { agent, round, item } = open.event;
    return [
      span('ralph.review', ['review', event.review, open.at], {
        parent: begun.id,
        start: open.at,
        end: at,
        attributes: {
          'ralph.item.id': item,
          'ralph.review.round': round,
          'ralph.review.verdict': event.type === 'review.finished' ? event.verdict : 'cut off',
          'ralph.review.findings': event.type === 'review.finished' ? event.findings.length : undefined,
          ...agentAttributes({ agent, ...event }),
        },
        ...(event.type === 'review.aborted' ? failureIn(event) : {}),
      }),
    ];
  }

  function gap(kind: 'wait' | 'pause', at: number, by?: string): readonly Span[] {
    const open = gaps.get(kind);
    gaps.delete(kind);
    if (!open) return [];
    const attributes = { 'ralph.why': open.why || undefined, 'ralph.ended_by': by };
    return [span(`ralph.${kind}`, [kind, open.at], { parent: begun.id, start: open.at, end: at, attributes })];
  }

  function spansOf(event: Event, at: number): readonly Span[] {
    switch (event.type) {
      case 'iteration.started': {
        const { iteration, item, title, attempt, agent = begun.event.agent } = event;
        const attributes = {
          'ralph.run.id': begun.event.run,
          'ralph.iteration': iteration,
          'ralph.item.id': item,
          'ralph.item.title': title,
          'ralph.attempt': attempt,
        };
        // A number is used again after an iteration that was cut off, so the start is part of the id.
        iterations.set(iteration, {
          id: spanId(begun.trace, 'iteration', iteration, at),
          at,
          agent,
          attributes,
          events: [],
        });
        return [];
      }
      case 'agent.started':
        Object.assign(iterations.get(event.iteration) ?? {}, { agentAt: at });
        return [];
      case 'agent.finished':
        return finished(event, at);
      case 'evidence':
        return looked(event, at);
      case 'verdict': {
        const open = iterations.get(event.iteration);
        const { verdict } = event;
        if (!open) return [];
        open.verdict = verdictAttributes(verdict);
        if (verdict.type === 'rejected' || verdict.type === 'blocked') open.failed = verdict.why;
        return [];
      }
      case 'iteration.finished':
        return ended(event.iteration, at, { 'vcs.ref.head.revision': event.commit, 'ralph.ref': event.ref });
      case 'iteration.aborted':
        return ended(event.iteration, at, { 'ralph.verdict': 'cut off', 'ralph.verdict.why': event.why });
      case 'review.started':
        reviews.set(event.review, { event, at });
        return [];
      case 'review.finished':
      case 'review.aborted':
        return reviewed(event, at);
      case 'baseline':
      case 'final': {
        const gates = event.gates.map(gate => ({ gate, phase: event.type }));
        const place = { trace: begun.trace, parent: begun.id, attributes: { 'ralph.run.id': begun.event.run } };
        return gateSpans({ ...place, gates, end: at, since: begun.at });
      }
      case 'wait.started':
        gaps.set('wait', { at, why: event.why });
        return [];
      case 'wait.ended':
        return gap('wait', at, event.by);
      case 'paused':
        gaps.set('pause', { at, why: '' });
        return [];
      case 'unpaused':
        return gap('pause', at, event.actor?.via);
      case 'steered':
        tell('ralph.steered', at, { 'ralph.text': event.text, 'ralph.via': event.actor?.via });
        return [];
      case 'item.marked':
        tell('ralph.marked', at, {
          'ralph.item.id': event.item,
          'ralph.status': event.to,
          'ralph.by': event.by,
          'ralph.why': event.why,
          'ralph.via': event.actor?.via,
        });
        return [];
      case 'lessons.changed':
        tell('ralph.lessons', at, { 'ralph.gained': event.gained, 'ralph.retired': event.retired });
        return [];
      case 'run.finished':
        return [runSpan(at, event)];
      default:
        return [];
    }
  }

  return {
    take: (event, at) => {
      if (event.type === 'run.started') {
        const trace = traceId({ run: event.run, at, base: event.base });
        begun = { trace, id: spanId(trace, 'run'), at, event };
        started = true;
      }
      last = Math.max(last, at);
      return started ? spansOf(event, at) : [];
    },
    run: at => (started ? runSpan(Math.max(at, last)) : undefined),
  };
}

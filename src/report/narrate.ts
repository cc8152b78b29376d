/** The permanent lines of a run: one for each thing a person cares about, the same on a terminal and in a log. */
import type { Event } from '../events.ts';
import type { Claim, Evidence, GateResult, ReviewVerdict, TrialCost, Usage, Verdict } from '../protocol.ts';
import { shownSandbox } from '../state.ts';
import { plural, showCost, showDuration, showTokens } from '../util/show.ts';
import { type ClockTime, type Line, localMoment } from './layout.ts';
import { tally } from './progress.ts';
import { describeEnd, describeStop, type EndLimits, gateOutcome, verdictReason } from './sentences.ts';
import { stepLines } from './steps.ts';
import { dots, harmless, type Paint, say, shortCommit, type Tone } from './style.ts';
import { transcript } from './transcript.ts';

export interface NarrateOptions {
  readonly paint: Paint;
  readonly clockTime: ClockTime;
  readonly limits?: EndLimits | undefined;
  /** Show every step of the agent. */
  readonly verbose?: boolean | undefined;
}

export type Narrator = (event: Event, at: number) => readonly Line[];

/** Lists longer than this end in a count. */
const LISTED = 20;

/** Lines of several workers stand among each other: each of theirs names its item. */
export function narrator(options: NarrateOptions): Narrator {
  const tell = narrateOne(options);
  return (event, at) => {
    const lines = tell(event, at);
    if (!('worker' in event) || event.worker === undefined || !('item' in event)) return lines;
    return lines.map(line =>
      line.type === 'detail' ? { ...line, text: dots(options.paint('strong', say(event.item)), line.text) } : line,
    );
  };
}

function narrateOne(options: NarrateOptions): Narrator {
  const plan = tally();
  const steps = stepNarrator(options);
  const verdicts = new Map<number, Verdict>();
  return (event, at) => {
    const before = plan.progress();
    plan.see(event);
    const told = options.verbose ? steps(event, at) : [];
    if (told.length > 0) return told;
    switch (event.type) {
      case 'iteration.started': {
        // The item about to be settled is one more than those that are; a retried one keeps its place.
        const place = before ? Math.min(before.total, before.done + before.blocked + 1) : 0;
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
        // Said once it is kept, with the commit or ref, so that a line never promises more than git holds.
        return [verdictLine(event, verdict, options)];
      }
      default:
        return linesOf(event, at, options);
    }
  };
}

/** The steps of whichever agent works: each begins anew, and its times count from its own beginning. */
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

const sandboxWords = (sandbox: string | undefined): readonly string[] =>
  sandbox === undefined ? [] : [sandbox === 'none' ? 'no sandbox' : `sandbox ${say(sandbox)}`];

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
          dots(
            say(event.run),
            `branch ${say(event.branch)}`,
            `agent ${say(event.agent)}`,
            ...sandboxWords(shownSandbox(event)),
          ),
        ),
        detail('plan', 'dim', dots(say(event.plan.path), gateNames(event.gates))),
      ];
    case 'run.resumed':
      return [run('run', 'strong', `resumed at ${shortCommit(event.base)}`)];
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
      return [run('asks', 'warn', `${say(event.item)}: ${say(event.question, 300)}  (ralph answer)`)];
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
      return [run('paused', 'warn', 'go on with: ralph resume')];
    case 'unpaused':
      return [run('resumed', 'plain', 'going on')];
    case 'notice':
      return [noticeLine(event, at)];
    case 'run.finished': {
      const complete = event.reason === 'complete';
      return [run('end', complete ? 'good' : 'warn', describeStop(event.reason, event.why))];
    }
    case 'agent.started':
    case 'branch.taken':
    case 'reviewer.started':
    case 'review.settled':
    case 'wait.ended':
    // Each of them was told as it came.
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

/** A notice that begins with spaces belongs to the one before it. */
function noticeLine({ level, message }: Extract<Event, { type: 'notice' }>, at: number): Line {
  const [label, tone] = level === 'warn' ? (['warning', 'warn'] as const) : (['note', 'dim'] as const);
  const text = say(message, 400);
  const indent = message.search(/[^ ]/);
  if (indent > 0 && level === 'info') return { type: 'detail', label: '', tone, text, indent };
  return { type: 'run', at, label, tone, text };
}

export const REVIEW_WORDS: Readonly<Record<ReviewVerdict, { readonly words: string; readonly tone: Tone }>> = {
  pass: { words: 'passed', tone: 'good' },
  'needs-fix': { words: 'needs a fix', tone: 'bad' },
  unclear: { words: 'unclear', tone: 'warn' },
};

function reviewLines(event: Extract<Event, { type: 'review.finished' }>): readonly Line[] {
  const { words, tone } = REVIEW_WORDS[event.verdict];
  const cost = event.costUsd > 0 ? showCost(event.costUsd) : '';
  const facts = dots(showDuration(event.durationMs), showUsage(event.usage), cost);
  return [
    ...(event.undone.length > 0
      ? [detail('undone', 'warn', `the reviewer changed what it may not: ${listed(event.undone)}`)]
      : []),
    ...event.findings.slice(0, LISTED).map(({ severity, text, file, line }) => {
      const place = file === undefined ? '' : say(line === undefined ? file : `${file}:${line}`);
      return detail('finding', severity === 'low' ? 'dim' : 'warn', dots(`${severity}: ${say(text, 300)}`, place));
    }),
    detail('review', tone, dots(withWhy(words, event.why), facts)),
  ];
}

function saidLines({ lessons, used }: Extract<Event, { type: 'lessons.said' }>): readonly Line[] {
  const words = dots(
    used.length > 0 ? `used ${listed(used)}` : '',
    lessons.length > 0 ? `reports ${plural(lessons.length, 'lesson')}` : '',
  );
  return words ? [detail('lessons', 'dim', words)] : [];
}

const MARKS = { pending: 'plain', done: 'good', blocked: 'bad', skipped: 'warn' } as const;

function itemTitle(event: Extract<Event, { type: 'iteration.started' }>, { paint }: NarrateOptions): string {
  const tries = [
    event.attempt > 1 ? `attempt ${event.attempt}` : '',
    // More tries than attempts: some were not the item's fault.
    event.try > event.attempt ? `try ${event.try}` : '',
  ].filter(Boolean);
  const title = paint('strong', [say(event.item), say(event.title)].filter(Boolean).join(' '));
  return tries.length > 0 ? `${title} (${tries.join(', ')})` : title;
}

function agentLines(event: Extract<Event, { type: 'agent.finished' }>, options: NarrateOptions): readonly Line[] {
  const { end } = event;
  const calm = end.reason === 'exited' && end.code === 0;
  const how = calm ? showDuration(end.durationMs) : describeEnd(end, options.limits);
  const cost = event.costUsd > 0 ? showCost(event.costUsd) : '';
  const leftovers = end.leftovers
    .slice(0, LISTED)
    .map(({ pid, command, killed }) =>
      detail('leftover', 'warn', `${say(command, 80)} (pid ${pid}) ${killed ? 'killed' : 'still alive'}`),
    );
  return [
    detail('agent', calm ? 'dim' : 'warn', dots(how, showUsage(event.usage), cost, describeClaim(event.claim))),
    ...leftovers,
    ...more(end.leftovers.length, 'leftover'),
  ];
}

function describeClaim(claim: Claim): string {
  if (claim.type === 'none') return 'no claim';
  if (claim.type === 'question') return `asks: ${say(claim.text, 300)}`;
  return claim.type === 'done' ? 'says done' : `says blocked: ${say(claim.why, 200)}`;
}

function evidenceLines(evidence: Evidence, paint: Paint): readonly Line[] {
  const { files, added, deleted, gates, verify } = evidence;
  const findings = evidence.findings.filter(finding => finding.level !== 'note');
  return [
    detail('changed', 'dim', evidence.changed ? `${plural(files, 'file')}, +${added} -${deleted}` : 'nothing'),
    ...findings.slice(0, LISTED).map(finding => {
      const text = dots(`${say(finding.rule)}: ${say(finding.message, 300)}`, finding.path && say(finding.path));
      return detail('guard', finding.level === 'block' ? 'bad' : 'warn', text);
    }),
    ...more(findings.length, 'guard'),
    ...(verify.length > 0 ? [detail('checks', toneOf(verify), gateList(verify, paint))] : []),
    ...(gates.length > 0 ? [detail('gates', toneOf(gates), gateList(gates, paint))] : []),
    ...(evidence.trials ? [detail('proof', 'dim', trialWords(evidence.trials))] : []),
  ];
}

function mergeLine({ onto, gates, conflicts = [] }: Extract<Event, { type: 'merge' }>, paint: Paint): Line {
  if (conflicts.length > 0)
    return detail('merge', 'bad', `conflicts with ${shortCommit(onto)} in ${listed(conflicts)}`);
  const said = gates.length > 0 ? gateList(gates, paint) : 'no gates';
  return detail('merge', toneOf(gates), dots(`on ${shortCommit(onto)}`, said));
}

/** `5 test runs, 12s: green in a fresh checkout, the new tests red on the base, 3 of 3 mutants noticed` */
const trialWords = ({ runs, durationMs, why }: TrialCost): string =>
  `${plural(runs, 'test run')}, ${showDuration(durationMs)}: ${why.map(each => say(each)).join(', ')}`;

const OUTPUT_LINES = 60;

/** The end of what a gate printed that is not green: what an attempt failed on. */
function redOutput({ gates, verify }: Evidence, paint: Paint): readonly Line[] {
  return [...verify, ...gates]
    .filter(gate => gate.status === 'red' || gate.status === 'timeout')
    .flatMap(gate => {
      const lines = harmless(gate.tail).replaceAll('\t', '  ').trimEnd().split('\n');
      const left = lines.length - OUTPUT_LINES;
      const texts = [...(left > 0 ? [`… ${plural(left, 'line')} before`] : []), ...lines.slice(-OUTPUT_LINES)];
      const output = texts.map(
        (text): Line => ({ type: 'detail', label: '', tone: 'dim', text: paint('dim', text), indent: 2 }),
      );
      return gate.tail.trim() === '' ? [] : [detail('output', 'dim', `of ${say(gate.name, 60)}`), ...output];
    });
}

export const VERDICT_TONES: Readonly<Record<Verdict['type'], Tone>> = {
  accepted: 'good',
  progress: 'good',
  rejected: 'bad',
  blocked: 'bad',
  retry: 'warn',
};

function verdictLine(
  event: Extract<Event, { type: 'iteration.finished' }>,
  verdict: Verdict | undefined,
  { paint, verbose }: NarrateOptions,
): Line {
  const kept = event.commit ? `commit ${shortCommit(event.commit)}` : '';
  const refused = event.verdict === 'rejected' || event.verdict === 'blocked';
  // With every step shown there is nothing more to be found there.
  const look = refused && !verbose ? `ralph logs ${event.iteration}` : '';
  const free = event.verdict === 'retry' ? 'not charged' : '';
  const aside = dots(free, kept, look);
  const reason = verdict ? verdictReason(verdict) : '';
  const text = dots(reason, aside && paint('dim', aside));
  return detail(event.verdict, VERDICT_TONES[event.verdict], text);
}

const GATE_MARKS: Readonly<Record<GateResult['status'], { readonly mark: string; readonly tone: Tone }>> = {
  green: { mark: '✓', tone: 'good' },
  red: { mark: '✗', tone: 'bad' },
  timeout: { mark: '✗', tone: 'bad' },
  'not-run': { mark: '-', tone: 'dim' },
};

function gateList(gates: readonly GateResult[], paint: Paint): string {
  const shown = gates.slice(0, LISTED).map(gate => {
    const { mark, tone } = GATE_MARKS[gate.status];
    return `${paint(tone, mark)} ${say(gate.name, 40)} ${paint('dim', gateOutcome(gate))}`;
  });
  return dots(...shown, gates.length > LISTED ? `and ${gates.length - LISTED} more` : '');
}

function toneOf(gates: readonly GateResult[]): Tone {
  return gates.every(gate => gate.status === 'green') ? 'good' : 'bad';
}

/** `12.3k in · 2.1k out`; nothing for an agent that does not say. */
export function showUsage({ inputTokens, outputTokens }: Usage): string {
  if (inputTokens + outputTokens === 0) return '';
  return `${showTokens(inputTokens)} in · ${showTokens(outputTokens)} out`;
}

function gateNames(names: readonly string[]): string {
  return names.length === 0 ? 'no gates' : `gates ${listed(names)}`;
}

function listed(words: readonly string[]): string {
  const shown = words.slice(0, LISTED).map(word => say(word, 120));
  return shown.join(', ') + (words.length > LISTED ? ` and ${words.length - LISTED} more` : '');
}

function more(count: number, label: string): readonly Line[] {
  return count > LISTED ? [detail(label, 'warn', `and ${count - LISTED} more`)] : [];
}

function withWhy(text: string, why: string): string {
  return why ? `${text}: ${say(why, 300)}` : text;
}

function detail(label: string, tone: Tone, text: string): Line {
  return { type: 'detail', label, tone, text };
}

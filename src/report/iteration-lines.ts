/** The lines about one iteration: item, agent, evidence, verdict. */
import type { Event } from '../events.ts';
import type { Claim, Evidence, TrialCost, Verdict } from '../protocol.ts';
import { plural, showCost, showDuration } from '../util/show.ts';
import { detail, gateList, LISTED, listed, more, type NarrateOptions, showUsage, toneOf } from './detail-lines.ts';
import type { Line } from './layout.ts';
import { describeEnd, verdictReason } from './sentences.ts';
import { dots, harmless, type Paint, say, shortCommit, type Tone } from './style.ts';

export function saidLines({ lessons, used }: Extract<Event, { type: 'lessons.said' }>): readonly Line[] {
  const words = dots(
    used.length > 0 ? `used ${listed(used)}` : '',
    lessons.length > 0 ? `reports ${plural(lessons.length, 'lesson')}` : '',
  );
  return words ? [detail('lessons', 'dim', words)] : [];
}

export function itemTitle(event: Extract<Event, { type: 'iteration.started' }>, { paint }: NarrateOptions): string {
  const tries = [
    event.attempt > 1 ? `attempt ${event.attempt}` : '',
    // More tries than attempts: some failures were not the item's fault.
    event.try > event.attempt ? `try ${event.try}` : '',
  ].filter(Boolean);
  const title = paint('strong', [say(event.item), say(event.title)].filter(Boolean).join(' '));
  return tries.length > 0 ? `${title} (${tries.join(', ')})` : title;
}

export function agentLines(
  event: Extract<Event, { type: 'agent.finished' }>,
  options: NarrateOptions,
): readonly Line[] {
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

export function evidenceLines(evidence: Evidence, paint: Paint): readonly Line[] {
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

export function mergeLine({ onto, gates, conflicts = [] }: Extract<Event, { type: 'merge' }>, paint: Paint): Line {
  if (conflicts.length > 0)
    return detail('merge', 'bad', `conflicts with ${shortCommit(onto)} in ${listed(conflicts)}`);
  const said = gates.length > 0 ? gateList(gates, paint) : 'no gates';
  return detail('merge', toneOf(gates), dots(`on ${shortCommit(onto)}`, said));
}

/** `5 test runs, 12s: green in a fresh checkout, the new tests red on the base, 3 of 3 mutants noticed` */
const trialWords = ({ runs, durationMs, why }: TrialCost): string =>
  `${plural(runs, 'test run')}, ${showDuration(durationMs)}: ${why.map(each => say(each)).join(', ')}`;

const OUTPUT_LINES = 60;

/** The end of the output of gates that are not green, which shows why an attempt failed. */
export function redOutput({ gates, verify }: Evidence, paint: Paint): readonly Line[] {
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

export function verdictLine(
  event: Extract<Event, { type: 'iteration.finished' }>,
  verdict: Verdict | undefined,
  { paint, verbose }: NarrateOptions,
): Line {
  const kept = event.commit ? `commit ${shortCommit(event.commit)}` : '';
  const refused = event.verdict === 'rejected' || event.verdict === 'blocked';
  // If every step is shown, the logs contain nothing more.
  const look = refused && !verbose ? `ralph logs ${event.iteration}` : '';
  const free = event.verdict === 'retry' ? 'not charged' : '';
  const aside = dots(free, kept, look);
  // The question is in the line of the agent above.
  const isAsked = verdict?.type === 'blocked' && verdict.cause === 'asked';
  const reason = isAsked ? 'waits for an answer' : verdict ? verdictReason(verdict) : '';
  const text = dots(reason, aside && paint('dim', aside));
  return detail(event.verdict, VERDICT_TONES[event.verdict], text);
}

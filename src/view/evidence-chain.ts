/** The chain of evidence of an iteration: each step with its result, or why it was not reached. */
import type { Finding, GateResult } from '../protocol.ts';
import { gateOutcome } from '../report/index.ts';
import { plural } from '../util/show.ts';
import type { IterationFacts } from './iteration-facts.ts';
import { proofTime, type Row } from './iteration-row.ts';
import type { LinkView } from './types/iteration.ts';
import type { ReviewView } from './types/plan.ts';

type State = LinkView['state'];

export function chainOf(facts: IterationFacts, row: Row, reviews: readonly ReviewView[]): readonly LinkView[] {
  const { finished, evidence: judged } = facts;
  const evidence = judged?.evidence;
  const link = (name: LinkView['name'], state: State, text: string, durationMs: number | null = null): LinkView => ({
    name,
    state,
    text,
    durationMs,
  });
  const open = row.step !== 'over';
  const agent = agentLink();
  const unreached = open ? 'not reached yet' : finished ? 'the attempt ended before it' : 'the agent did not finish';
  return [
    link(
      'brief',
      row.step === 'brief' && open ? 'now' : 'good',
      row.step === 'brief' && open ? 'being written' : 'written',
    ),
    agent,
    claimLink(),
    ...(evidence
      ? [guardLink(evidence.findings), ...checkLinks(evidence.verify), gateLink(evidence.gates), proofLink()]
      : [
          link('guards', row.step === 'checks' ? 'now' : 'not-run', unreached),
          link('gates', 'not-run', unreached),
          link('proof', 'not-run', unreached),
        ]),
    verdictLink(),
    ...reviews.slice(-1).map(reviewLink),
  ];

  function agentLink(): LinkView {
    if (!finished) {
      const text = open ? 'working' : `interrupted: ${row.why}`;
      return link('agent', open ? (row.step === 'brief' ? 'not-run' : 'now') : 'bad', text);
    }
    const { end, failure } = finished;
    if (failure) return link('agent', 'bad', failure.message, end.durationMs);
    const left = end.reason === 'exited' || end.reason === 'lingered';
    return link('agent', left ? 'good' : 'bad', left ? 'finished' : `ended: ${end.reason}`, end.durationMs);
  }
  function claimLink(): LinkView {
    if (!finished) return link('claim', 'not-run', unreached);
    const { claim } = finished;
    if (claim.type === 'done') return link('claim', 'good', `says done (${claim.how})`);
    if (claim.type === 'blocked') return link('claim', 'bad', `says blocked: ${claim.why}`);
    if (claim.type === 'question') return link('claim', 'weak', `asks: ${claim.text}`);
    return link('claim', 'weak', 'claims nothing');
  }
  function guardLink(findings: readonly Finding[]): LinkView {
    const blocks = findings.filter(({ level }) => level === 'block').length;
    if (blocks > 0)
      return link('guards', 'bad', `${plural(blocks, 'finding')} that refuse${blocks === 1 ? 's' : ''} the change`);
    return findings.length > 0
      ? link('guards', 'weak', plural(findings.length, 'warning'))
      : link(
          'guards',
          'good',
          evidence?.changed ? `nothing found in ${plural(evidence.files, 'file')}` : 'nothing was changed',
        );
  }
  function checkLinks(verify: readonly GateResult[]): readonly LinkView[] {
    return verify.length === 0 ? [] : [gatesLink('verify', verify)];
  }
  function gateLink(gates: readonly GateResult[]): LinkView {
    if (gates.length > 0) return gatesLink('gates', gates);
    const refused = evidence?.findings.some(({ level }) => level === 'block');
    if (refused) return link('gates', 'not-run', 'not run: a guard refused the change first');
    return link('gates', 'not-run', `not run: ${whyNoGates()}`);
  }
  function whyNoGates(): string {
    const claim = finished?.claim.type;
    if (claim === 'blocked') return 'the agent says that it is blocked';
    if (claim === 'question') return 'the agent asks a question';
    if (finished?.failure && claim === 'none') return 'the agent failed';
    return evidence?.verify.some(({ status }) => status !== 'green')
      ? 'a check of the item was red first'
      : 'there are none';
  }
  function gatesLink(name: 'gates' | 'verify', gates: readonly GateResult[]): LinkView {
    const red = gates.filter(gate => gate.status !== 'green');
    const time = gates.reduce((sum, gate) => sum + (gate.reused ? 0 : gate.durationMs), 0);
    const failed = red.filter(gate => gate.status !== 'not-run');
    if (red.length === 0) return link(name, 'good', `${gates.length} of ${gates.length} green`, time);
    const words = failed.map(gate => `${gate.name} ${gateOutcome(gate)}`).join(', ');
    if (failed.length === 0) return link(name, 'not-run', 'not run', time);
    return link(name, failed.every(gate => gate.wasRed) ? 'weak' : 'bad', words, time);
  }
  function proofLink(): LinkView {
    const proof = evidence?.proof;
    if (!evidence || !proof)
      return link('proof', 'not-run', 'not run: no proof was asked for, or a gate was red first');
    const time = proofTime(evidence) ?? null;
    const { tests, mutants } = proof;
    const unnoticed = mutants.filter(({ noticed }) => !noticed).length;
    const vacuous = tests.filter(test => test.proof === 'vacuous').length;
    const proven = tests.filter(test => test.proof === 'proven').length;
    const words = [
      tests.length > 0 ? `${proven} of ${plural(tests.length, 'new test')} red before, green after` : 'no new tests',
      ...(vacuous > 0 ? [`${vacuous} prove nothing`] : []),
      ...(mutants.length > 0 ? [`${mutants.length - unnoticed} of ${plural(mutants.length, 'mutant')} caught`] : []),
    ].join(', ');
    return link('proof', vacuous > 0 ? 'bad' : unnoticed > 0 || proven < tests.length ? 'weak' : 'good', words, time);
  }
  function verdictLink(): LinkView {
    const good = row.verdict === 'accepted' || row.verdict === 'progress';
    if (row.verdict === 'open') return link('verdict', 'not-run', 'not decided yet');
    return link('verdict', good ? 'good' : row.verdict === 'retry' ? 'weak' : 'bad', row.why || row.verdict);
  }
  function reviewLink({ verdict, findings, why, durationMs }: ReviewView): LinkView {
    const state: State =
      verdict === 'pass' ? 'good' : verdict === 'open' ? 'now' : verdict === 'needs-fix' ? 'bad' : 'weak';
    const words =
      verdict === 'needs-fix' ? plural(findings.length, 'finding') : verdict === 'pass' ? 'passed' : why || verdict;
    return link('review', state, words, durationMs || null);
  }
}

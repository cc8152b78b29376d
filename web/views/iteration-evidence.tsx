/** Gates with their output, proofs, reviews. */
import type { GateResult } from '../../src/protocol.ts';
import type { IterationView, ProofView, ReviewView, VerdictWord } from '../../src/view/index.ts';
import { Card, Words } from '../parts/bits.tsx';
import { duration, plural } from '../parts/format.ts';
import { Said, type SealName } from '../parts/seal.tsx';
import { VERDICTS } from '../parts/words.ts';

const SEALS: Readonly<Record<GateResult['status'], SealName>> = {
  green: 'ok',
  red: 'no',
  timeout: 'no',
  'not-run': 'notrun',
};

export function GatesCard({ iteration: { gates, verify, verifyWasRed } }: { readonly iteration: IterationView }) {
  if (gates.length + verify.length === 0) return null;
  const red = [...verify, ...gates].filter(({ status }) => status === 'red' || status === 'timeout');
  return (
    <Card
      title="Gates"
      id="gates"
      end={red.length === 0 ? undefined : <Said seal="no">{red.map(({ name }) => name).join(', ')} red</Said>}
    >
      <div class="in gatelist">
        {verify.length === 0 ? null : (
          <p class="quiet">Own checks of the item{verifyWasRed ? ', red before it was begun' : ''}:</p>
        )}
        {verify.map((gate, index) => (
          <Gate key={`v${index}`} gate={gate} />
        ))}
        {verify.length === 0 || gates.length === 0 ? null : <p class="quiet">Gates of the repository:</p>}
        {gates.map((gate, index) => (
          <Gate key={`g${index}`} gate={gate} />
        ))}
      </div>
    </Card>
  );
}

function Gate({ gate }: { readonly gate: GateResult }) {
  const isRed = gate.status === 'red' || gate.status === 'timeout';
  const { tests } = gate;
  const counted =
    tests === undefined || tests === 'unknown'
      ? ''
      : ` · ${plural(tests.executed, 'test')}${tests.failed > 0 ? `, ${tests.failed} failed` : ''}${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`;
  return (
    <details open={isRed}>
      <summary>
        <Said seal={SEALS[gate.status]} size={13}>
          {gate.name}
        </Said>{' '}
        <span class="quiet">
          {gate.status === 'not-run'
            ? 'not run'
            : gate.status === 'timeout'
              ? `took too long, ${duration(gate.durationMs)}`
              : duration(gate.durationMs)}
          {gate.status === 'red' && gate.exit !== null ? ` · exit ${gate.exit}` : ''}
          {counted}
          {gate.reused ? ' · the result of an earlier run on the same files' : ''}
          {gate.wasRed ? ' · was red before' : ''}
        </span>
        {gate.run === '' ? null : <code class="quiet"> {gate.run}</code>}
      </summary>
      {gate.tail === '' ? (
        <p class="quiet">It printed nothing{gate.status === 'green' ? ' that is kept' : ''}.</p>
      ) : (
        <pre class="out" tabIndex={0} role="region" aria-label={`Output of the gate ${gate.name}`}>
          <Output text={gate.tail} marks={isRed} />
        </pre>
      )}
    </details>
  );
}

/** The lines that a person looks for first in the output of a red gate. */
const TELLING =
  /^\s*(not ok|✗|×|✕|●|FAIL(ED)?\b|E\s{2,}|AssertionError|Error:|error\b|error\[|--- FAIL|panicked)|!==|\bexpected:|\bactual:|\berror TS\d+/;

function Output({ text, marks }: { readonly text: string; readonly marks: boolean }) {
  if (!marks) return <>{text}</>;
  const lines = text.split('\n');
  return (
    <>
      {lines.map((line, index) => {
        const end = index === lines.length - 1 ? '' : '\n';
        return TELLING.test(line) ? (
          <>
            <mark key={index}>{line}</mark>
            {end}
          </>
        ) : (
          line + end
        );
      })}
    </>
  );
}

const TESTS: Readonly<Record<ProofView['tests'][number]['proof'], readonly [SealName, string]>> = {
  proven: ['no', 'red'],
  weak: ['weak', 'did not load (weak)'],
  vacuous: ['warn', 'green: proves nothing'],
};

export function ProofCard({ proof, verdict }: { readonly proof: ProofView | null; readonly verdict: VerdictWord }) {
  if (proof === null) return null;
  return (
    <Card title="Proof" id="proof" end={<Said seal={VERDICTS[verdict][0]}>{VERDICTS[verdict][1]}</Said>}>
      <div class="in proofs" tabIndex={0} role="region" aria-label="Proof">
        {proof.tests.length === 0 ? null : (
          <table class="t">
            <thead>
              <tr>
                <th scope="col">New or changed test</th>
                <th scope="col">Without the code</th>
                <th scope="col">With it</th>
              </tr>
            </thead>
            <tbody>
              {proof.tests.map((test, index) => (
                <tr key={index}>
                  <td class="grow">
                    {test.test}
                    <br />
                    <code class="quiet">
                      {test.path}:{test.line}
                    </code>
                  </td>
                  <td>
                    <Said seal={TESTS[test.proof][0]} size={12}>
                      {TESTS[test.proof][1]}
                    </Said>
                  </td>
                  <td>
                    <Said seal="ok" size={12}>
                      green
                    </Said>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {proof.mutants.length === 0 ? null : (
          <table class="t">
            <thead>
              <tr>
                <th scope="col">Mutation of the new code</th>
                <th scope="col">Caught by a test</th>
              </tr>
            </thead>
            <tbody>
              {proof.mutants.map((mutant, index) => (
                <tr key={index}>
                  <td class="grow">
                    <Words text={mutant.change} />{' '}
                    <code class="quiet">
                      {mutant.path}:{mutant.line}
                    </code>
                  </td>
                  <td class="nowrap">
                    <Said seal={mutant.noticed ? 'ok' : 'warn'} size={12}>
                      {mutant.noticed ? 'caught' : 'not caught'}
                    </Said>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <p class="quiet">
          {proof.tests.length + proof.mutants.length === 0 ? 'There was nothing to prove. ' : ''}
          {proof.runs > 0
            ? `${plural(proof.runs, 'extra run')} of the tests${proof.durationMs === null ? '' : `, ${duration(proof.durationMs)}`}: ${proof.why.join('; ')}`
            : ''}
        </p>
      </div>
    </Card>
  );
}

export function ReviewsCard({ reviews }: { readonly reviews: readonly ReviewView[] }) {
  if (reviews.length === 0) return null;
  return (
    <Card title="Reviews" id="reviews">
      <div class="in">
        {reviews.map(review => (
          <div key={review.review} class="need">
            <span>
              <Said seal={review.verdict === 'pass' ? 'ok' : review.verdict === 'open' ? 'live' : 'fix'}>
                round {review.round}: {review.verdict}
              </Said>{' '}
              <span class="quiet">
                {review.agent} · {duration(review.durationMs)}
                {review.fix === null ? '' : ` · ${review.fix} fixes it`}
              </span>
            </span>
            {review.why === '' ? null : <span class="soft">{review.why}</span>}
            <ul class="listed">
              {review.findings.map((finding, index) => (
                <li key={index}>
                  <b>{finding.severity}</b>{' '}
                  {finding.file === undefined ? null : (
                    <code>{finding.line === undefined ? finding.file : `${finding.file}:${finding.line}`} </code>
                  )}
                  {finding.text}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Card>
  );
}

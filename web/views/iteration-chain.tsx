/** The chain of evidence: each link with its state; one that was not reached says why. */
import type { IterationView, LinkView } from '../../src/view/index.ts';
import { duration } from '../parts/format.ts';
import { Seal, type SealName } from '../parts/seal.tsx';

const NAMES: Readonly<Record<LinkView['name'], readonly [word: string, part: string]>> = {
  brief: ['Brief', 'brief'],
  agent: ['Agent', 'steps'],
  claim: ['Claim', 'steps'],
  guards: ['Guards', 'diff'],
  verify: ['Own checks', 'gates'],
  gates: ['Gates', 'gates'],
  proof: ['Proof', 'proof'],
  verdict: ['Verdict', 'main'],
  review: ['Review', 'reviews'],
};

const SEALS: Readonly<Record<LinkView['state'], SealName>> = {
  good: 'ok',
  bad: 'no',
  weak: 'weak',
  'not-run': 'notrun',
  now: 'live',
};

const STATES: Readonly<Record<LinkView['state'], string>> = {
  good: 'good',
  bad: 'bad',
  weak: 'weak',
  'not-run': 'not run',
  now: 'under way',
};

export function Chain({ iteration: { chain, verdict } }: { readonly iteration: IterationView }) {
  const broke = chain.findIndex(({ state }) => state === 'bad');
  return (
    <nav class="chain card" aria-label="Chain of evidence">
      {chain.map(({ name, state, text, durationMs }, index) => {
        const [word, part] = NAMES[name];
        const seal = name === 'verdict' && verdict.type === 'blocked' ? 'halt' : SEALS[state];
        return (
          <a
            key={name}
            href={`#${part}`}
            aria-current={index === broke ? 'true' : undefined}
            onClick={event => {
              // A fragment would change the page's route.
              event.preventDefault();
              document.getElementById(part)?.scrollIntoView({ block: 'start' });
            }}
          >
            <Seal name={seal} size={16} label={STATES[state]} />
            <b>{word}</b>
            <small>
              {text}
              {durationMs === null ? '' : ` · ${duration(durationMs)}`}
            </small>
          </a>
        );
      })}
    </nav>
  );
}

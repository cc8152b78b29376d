/** What one worker is doing: the phase of the iteration, and the agent's steps as they come. */
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { PhaseName, PhaseView, RunView, WorkView } from '../../src/view/index.ts';
import { now } from '../clock.ts';
import { useKeys } from '../keys.ts';
import { Card } from '../parts/bits.tsx';
import { duration, tokens, usd } from '../parts/format.ts';
import { Seal } from '../parts/seal.tsx';
import { StepList } from '../parts/step-list.tsx';
import { Steer } from './now-controls.tsx';

const PHASES: Readonly<Record<PhaseName, string>> = {
  brief: 'Brief',
  agent: 'Agent',
  guards: 'Guards',
  gates: 'Gates',
  proof: 'Proof',
  verdict: 'Verdict',
};

/** Scrolls along until the reader scrolls up. */
const following = signal(true);

export function Work({ work, run }: { readonly work: WorkView; readonly run: RunView }) {
  const box = useRef<HTMLDivElement>(null);
  const toEnd = () => {
    const steps = box.current;
    if (steps) steps.scrollTop = steps.scrollHeight;
  };
  useEffect(() => {
    if (following.value) toEnd();
  }, [work.steps.length, following.value]);
  useKeys(
    useMemo(
      () => [{ key: 'f', does: 'Follow the agent, or not', run: () => void (following.value = !following.value) }],
      [],
    ),
  );
  const { spent } = work;
  const isOneOfMany = run.work.length > 1;
  return (
    <Card
      title={titleOf(work, isOneOfMany)}
      end={
        <>
          <span class="id">{work.agent}</span>
          {spent === null ? null : (
            <span>
              {tokens(spent.usage.inputTokens)} in · {tokens(spent.usage.outputTokens)} out
              {spent.costUsd > 0 ? ` · ${usd(spent.costUsd)}` : ''}
            </span>
          )}
          <button
            class="btn sm"
            type="button"
            aria-pressed={following.value}
            onClick={() => (following.value = !following.value)}
          >
            {following.value ? 'Following' : 'Follow'} <kbd aria-hidden="true" data-key="f" />
          </button>
        </>
      }
    >
      <div class="in">
        {isOneOfMany ? <Alone work={work} /> : null}
        <PhaseBar phases={work.phases} />
        {work.gate === null ? null : (
          <p class="gating">
            <Seal name="live" size={12} /> {work.gate.phase === 'proof' ? 'Proof: ' : ''}gate{' '}
            <code>{work.gate.name}</code> runs for {duration(Math.max(0, now.value - work.gate.since))}
          </p>
        )}
        <div
          class="following"
          ref={box}
          tabIndex={0}
          role="region"
          aria-label={isOneOfMany ? `Steps of the agent on ${work.item}` : 'Steps of the agent'}
          onScroll={event => {
            const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
            const isAtEnd = scrollHeight - scrollTop - clientHeight < 24;
            if (following.value !== isAtEnd) following.value = isAtEnd;
          }}
        >
          {work.steps.length === 0 ? (
            <p class="quiet">No step yet: its first words come here.</p>
          ) : (
            <StepList steps={work.steps} start={work.since} live />
          )}
        </div>
      </div>
      {isOneOfMany ? null : <Steer run={run} />}
    </Card>
  );
}

function titleOf({ kind, item, title }: WorkView, isOneOfMany: boolean): string {
  if (kind === 'review') return `What the reviewer of ${item} does`;
  return isOneOfMany ? `${item}: ${title}` : 'What the agent does';
}

/** Facts about one of several workers; for a single worker, the head of the page shows them. */
function Alone({ work: { worker, attempt, since, heardAt } }: { readonly work: WorkView }) {
  return (
    <p class="facts small alone">
      {worker === null ? null : <span>worker {worker}</span>}
      <span>attempt {attempt}</span>
      <span>{duration(Math.max(0, now.value - since))}</span>
      {heardAt === null ? null : <span>last output {duration(Math.max(0, now.value - heardAt))} ago</span>}
    </p>
  );
}

function PhaseBar({ phases }: { readonly phases: readonly PhaseView[] }) {
  return (
    <ol class="phase" aria-label="Where this iteration is" style={{ '--n': String(phases.length) }}>
      {phases.map(({ name, state }) => (
        <li
          key={name}
          class={state === 'done' ? 'done' : state === 'now' ? 'cur' : ''}
          aria-current={state === 'now' ? 'step' : undefined}
        >
          {state === 'done' ? (
            <Seal name="ok" size={12} label="done" />
          ) : state === 'now' ? (
            <Seal name="live" size={12} />
          ) : null}
          {PHASES[name]}
        </li>
      ))}
    </ol>
  );
}

/** The steps of an agent, one line each. */
import { useState } from 'preact/hooks';
import type { StepView } from '../../src/view/index.ts';
import { firstLine, moment, offset, plural } from './format.ts';
import { Icon, type IconName } from './icon.tsx';

const ICONS: Readonly<Record<NonNullable<StepView['verb']>, IconName>> = {
  Read: 'read',
  Search: 'grep',
  Edit: 'edit',
  Write: 'edit',
  Run: 'bash',
  Fetch: 'find',
  Plan: 'plan',
  Agent: 'branch',
};

interface StepListProps {
  readonly steps: readonly StepView[];
  /** When the agent started; times count from there. */
  readonly start: number;
  /** The last step is the current one. */
  readonly live?: boolean;
}

export function StepList({ steps, start, live = false }: StepListProps) {
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <StepRow
          key={`${step.at ?? ''}/${steps.length - index > 40 ? index : ''}${index}`}
          step={step}
          start={start}
          current={live && index === steps.length - 1}
        />
      ))}
    </ol>
  );
}

const WIDE = 300;

interface StepRowProps {
  readonly step: StepView;
  readonly start: number;
  readonly current: boolean;
}

function StepRow({ step, start, current }: StepRowProps) {
  const [open, setOpen] = useState(false);
  const first = firstLine(step.text);
  const isLong = step.text.trim() !== first.trim() || first.length > WIDE;
  const text = open ? step.text : first.slice(0, WIDE);
  const bad = step.kind === 'error' || step.failed;
  return (
    <li class={[current ? 'cur' : '', bad ? 'bad' : '', step.depth > 0 ? 'sub' : ''].filter(Boolean).join(' ')}>
      {step.at === null ? (
        <time />
      ) : (
        <time dateTime={new Date(step.at).toISOString()} title={moment(step.at)}>
          {offset(step.at - start)}
        </time>
      )}
      <Icon name={iconOf(step)} />
      <span class={open ? 'whole' : ''}>
        <StepWords step={step} text={text} />
        {step.count > 1 ? <span class="more"> {step.count} times</span> : null}{' '}
        {isLong ? (
          <button type="button" class="more unfold" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'show less' : 'show all'}
          </button>
        ) : null}
        {step.more > 0 && (open || !isLong) ? (
          <span class="more"> and {plural(step.more, 'line')} more in the log</span>
        ) : null}
      </span>
      <span class="more">{current ? 'now' : ''}</span>
    </li>
  );
}

function StepWords({ step, text }: { readonly step: StepView; readonly text: string }) {
  switch (step.kind) {
    case 'says':
      return <span class="say">{text}</span>;
    case 'tool':
      return (
        <>
          <b>{step.verb ?? step.tool}</b> <code>{text}</code>
        </>
      );
    case 'result':
      return (
        <>
          {step.failed ? <b>Failed </b> : <span class="vh">Answer: </span>}
          <code>{text}</code>
        </>
      );
    case 'error':
      return (
        <>
          <b>Error</b> {text}
        </>
      );
    case 'retrying':
      return (
        <>
          <b>Retrying</b> {text}
        </>
      );
  }
}

function iconOf({ kind, verb }: StepView): IconName {
  if (kind === 'says') return 'say';
  if (kind === 'result') return 'more';
  if (kind === 'tool') return verb === null ? 'bash' : ICONS[verb];
  return 'stop';
}

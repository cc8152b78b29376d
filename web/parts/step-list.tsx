/** What the agent did, one line for each step. */
import { useState } from 'preact/hooks';
import { firstLine, offset } from './format.ts';
import { Icon, type IconName } from './icon.tsx';

export interface StepLine {
  readonly kind: 'says' | 'tool' | 'result' | 'error' | 'retrying';
  readonly at?: number;
  readonly depth?: number;
  readonly text: string;
  readonly tool?: string;
  readonly failed?: true;
  readonly more?: number;
}

/** Tools of the agents as verbs; others keep their own name. */
const VERBS: Readonly<Record<string, readonly [string, IconName]>> = {
  read: ['Read', 'read'],
  cat: ['Read', 'read'],
  view: ['Read', 'read'],
  read_file: ['Read', 'read'],
  ls: ['List', 'read'],
  grep: ['Search', 'grep'],
  glob: ['Search', 'grep'],
  search: ['Search', 'grep'],
  find: ['Search', 'grep'],
  websearch: ['Search', 'grep'],
  edit: ['Edit', 'edit'],
  multiedit: ['Edit', 'edit'],
  replace: ['Edit', 'edit'],
  apply_patch: ['Edit', 'edit'],
  write: ['Write', 'edit'],
  append: ['Add to', 'edit'],
  delete: ['Delete', 'edit'],
  bash: ['Run', 'bash'],
  shell: ['Run', 'bash'],
  run: ['Run', 'bash'],
  exec: ['Run', 'bash'],
};

interface Shown extends StepLine {
  readonly count: number;
}

/** The same tool on one thing in a row is one line with a count. */
function gather(steps: readonly StepLine[]): readonly Shown[] {
  const shown: Shown[] = [];
  for (const step of steps) {
    const last = shown.at(-1);
    const again = last && step.kind === 'tool' && last.kind === 'tool' && last.tool === step.tool && last.text === step.text;
    if (again) shown[shown.length - 1] = { ...last, count: last.count + 1 };
    else shown.push({ ...step, count: 1 });
  }
  return shown;
}

interface StepListProps {
  readonly steps: readonly StepLine[];
  /** When the agent started: times count from there. */
  readonly start?: number | undefined;
  /** The last step is what happens now. */
  readonly live?: boolean;
}

export function StepList({ steps, start, live = false }: StepListProps) {
  const shown = gather(steps);
  return (
    <ol class="steps">
      {shown.map((step, index) => (
        <StepRow key={index} step={step} start={start} current={live && index === shown.length - 1} />
      ))}
    </ol>
  );
}

function StepRow({ step, start, current }: { readonly step: Shown; readonly start: number | undefined; readonly current: boolean }) {
  const [open, setOpen] = useState(false);
  const first = firstLine(step.text);
  const long = step.text.trim() !== first.trim() || first.length > 300;
  const text = open ? step.text : first.slice(0, 300);
  const [verb, icon] = VERBS[step.tool?.toLowerCase() ?? ''] ?? [step.tool ?? '', 'bash' as const];
  const bad = step.kind === 'error' || step.failed === true;
  return (
    <li class={[current ? 'cur' : '', bad ? 'bad' : '', step.depth ? 'sub' : ''].join(' ')}>
      <time>{step.at === undefined || start === undefined ? '' : offset(step.at - start)}</time>
      <Icon name={step.kind === 'tool' ? icon : step.kind === 'says' ? 'say' : step.kind === 'result' ? 'more' : 'stop'} />
      <span>
        {step.kind === 'tool' ? (
          <>
            <b>{verb}</b> <code>{text}</code>
          </>
        ) : step.kind === 'says' ? (
          <span class="say">{text}</span>
        ) : step.kind === 'result' ? (
          <code class="answer">{text}</code>
        ) : (
          <>
            <b>{step.kind === 'error' ? 'Trouble' : 'Tries again'}</b> {text}
          </>
        )}
        {step.count > 1 ? <span class="more"> {step.count} times</span> : null}
        {long || step.more ? (
          <button type="button" class="more link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'less' : `more${step.more ? `, ${step.more} lines left out` : ''}`}
          </button>
        ) : null}
      </span>
      <span class="more">{current ? 'now' : ''}</span>
    </li>
  );
}

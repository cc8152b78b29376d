/** Iteration: why this verdict? The chain of evidence is the table of contents. */
import { useMemo } from 'preact/hooks';
import type { IterationView, RunView, VerdictRow } from '../../src/view/index.ts';
import { address } from '../data/address.ts';
import { useView } from '../data/store.ts';
import { chooseColumns, diffColumns, hasRoomForTwo } from '../diff/columns.ts';
import { Diff } from '../diff/diff-view.tsx';
import { useKeys } from '../keys.ts';
import { Card, Command, copy, Hints, Segments, Words } from '../parts/bits.tsx';
import { clock, duration, firstLine, moment, plural, tokens, usd } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Seal, toneOf } from '../parts/seal.tsx';
import { StepList } from '../parts/step-list.tsx';
import { VERDICTS } from '../parts/words.ts';
import { go, hrefOf } from '../route.ts';
import { BriefCard } from './iteration-brief.tsx';
import { Chain } from './iteration-chain.tsx';
import { GatesCard, ProofCard, ReviewsCard } from './iteration-evidence.tsx';
import { Loading, TroubleView } from './states.tsx';

export function Iteration({ run, n }: { readonly run: RunView; readonly n: number }) {
  const loaded = useView(address('/runs/{run}/iterations/{n}', { run: run.id, n }));
  const { value: iteration, trouble } = loaded;
  if (!iteration) return trouble ? <TroubleView trouble={trouble} /> : <Loading what={`Reading iteration ${n}`} />;
  return <Whole run={run} iteration={iteration} />;
}

function Whole({ run, iteration }: { readonly run: RunView; readonly iteration: IterationView }) {
  useKeys(useMemo(() => keysOf(run.id, iteration), [run.id, iteration]));
  return (
    <>
      <Head run={run} iteration={iteration} />
      <section class="cols iter">
        <div class="chainbox">
          <Chain iteration={iteration} />
        </div>
        <div class="stack evidence">
          <Card title="What changed" id="diff" end={<DiffEnd iteration={iteration} />}>
            {iteration.diff.files.length === 0 && iteration.findings.length === 0 ? (
              <p class="in quiet">
                {iteration.diff.state === 'none' ? 'No diff is recorded yet.' : 'Nothing was changed.'}
              </p>
            ) : (
              <Diff diff={iteration.diff} findings={iteration.findings} item={iteration.item} />
            )}
          </Card>
          <GatesCard iteration={iteration} />
          <ProofCard proof={iteration.proof} verdict={iteration.verdict.type} />
          <ReviewsCard reviews={iteration.reviews} />
        </div>
        <div class="stack side">
          <Card
            title="What the agent did"
            id="steps"
            end={plural(iteration.steps.filter(({ kind }) => kind === 'tool').length, 'tool call')}
          >
            <div class="in">
              {iteration.stepsLeftOut > 0 ? (
                <p class="quiet">
                  {plural(iteration.stepsLeftOut, 'earlier step')} left out: {iteration.logsCommand}
                </p>
              ) : null}
              {iteration.steps.length === 0 ? (
                <p class="quiet">No step is recorded.</p>
              ) : (
                <StepList steps={iteration.steps} start={iteration.startedAt} />
              )}
            </div>
          </Card>
          <BriefCard iteration={iteration} />
          <Kept iteration={iteration} />
          <Aside iteration={iteration} />
        </div>
      </section>
      <Hints
        keys={[
          ['[ ]', 'attempt'],
          ['j k', 'file'],
          ['e', 'next finding'],
          ['d', 'one or two columns'],
          ['y', 'copy the command'],
          ['Esc', 'back'],
        ]}
      />
    </>
  );
}

/** The size of the change, and the choice of columns if there is room for two. */
function DiffEnd({ iteration: { changes, diff } }: { readonly iteration: IterationView }) {
  return (
    <>
      {changes === null ? null : (
        <span>
          {plural(changes.files, 'file')} <span class="pm">+{changes.added}</span>{' '}
          <span class="mm">−{changes.deleted}</span>
        </span>
      )}
      {diff.files.length > 0 && hasRoomForTwo.value ? (
        <Segments
          label="Diff"
          value={diffColumns.value}
          choose={chooseColumns}
          options={[
            ['one', 'One column'],
            ['two', 'Two'],
          ]}
        />
      ) : null}
    </>
  );
}

function Head({ run, iteration }: { readonly run: RunView; readonly iteration: IterationView }) {
  const { usage, verdict, said, claim } = iteration;
  const [seal, word] = VERDICTS[verdict.type];
  const words = firstLine(said).slice(0, 240);
  return (
    <section class="lede">
      <div class="facts">
        <a class="link" href={hrefOf({ view: 'plan', run: run.id, item: iteration.item })}>
          {iteration.item}
        </a>
        <b>{iteration.title}</b>
        <span class="quiet" title={moment(iteration.startedAt)}>
          iteration {iteration.n} · {clock(iteration.startedAt)} · {duration(iteration.durationMs)}
          {iteration.costUsd > 0 ? ` · ${usd(iteration.costUsd)}` : ''}
          {iteration.billing === 'notional' || iteration.billing === 'priced' ? ' (no bill)' : ''}
          {tokensUsed(usage)}
          {iteration.model === null ? '' : ` · ${iteration.model}`}
        </span>
      </div>
      <h1>
        <span class={`verdict ${toneOf(seal)}`}>
          {word.charAt(0).toUpperCase()}
          {word.slice(1)}:
        </span>{' '}
        <Words text={verdict.why === '' ? iteration.sentence : verdict.why} />
      </h1>
      {words === '' && claim === null ? null : (
        <p class="claimed">
          <Icon name="say" />
          <span>
            The agent {claim?.type === 'none' ? 'claimed nothing' : claim?.type === 'blocked' ? 'gave up' : 'said'}
            {words === '' ? '' : ': '}
            {words === '' ? null : <i>“{words}”</i>}
          </span>
        </p>
      )}
      <nav class="attempts" aria-label={`Attempts at ${iteration.item}`}>
        {iteration.attempts.map(each => (
          <AttemptTab key={`${each.n}/${each.at}`} row={each} run={run.id} isHere={each.n === iteration.n} />
        ))}
      </nav>
    </section>
  );
}

function AttemptTab({
  row,
  run,
  isHere,
}: {
  readonly row: VerdictRow;
  readonly run: string;
  readonly isHere: boolean;
}) {
  const [seal, word] = VERDICTS[row.verdict];
  const short = row.commit === null ? (row.reason ?? word) : `commit ${row.commit.slice(0, 7)}`;
  return (
    <a
      href={hrefOf({ view: 'iteration', run, iteration: row.n })}
      aria-current={isHere ? 'true' : undefined}
      title={row.why}
    >
      <Seal name={seal} size={14} label={word} />
      <span>
        <b>Attempt {row.attempt}</b> <span class="quiet">{short}</span>
      </span>
    </a>
  );
}

function Kept({ iteration: { commit, ref, getBack } }: { readonly iteration: IterationView }) {
  if (commit !== null) {
    return (
      <Card title="Committed">
        <div class="in kept">
          <Command text={`git show ${commit.slice(0, 12)}`} />
        </div>
      </Card>
    );
  }
  if (ref === null) return null;
  return (
    <Card title="Get it back">
      <div class="in kept">
        <span class="soft">Nothing is thrown away. This attempt is kept under a ref:</span>
        <Command text={getBack ?? `git show ${ref}`} />
      </div>
    </Card>
  );
}

/** Other findings about the iteration. */
function Aside({ iteration }: { readonly iteration: IterationView }) {
  const { restored, leftovers, droppedBytes, verdict } = iteration;
  const lines = [
    ...restored.map(edit => `put back: ${edit}`),
    ...leftovers.map(({ pid, command, killed }) =>
      killed
        ? `left behind and ended: ${command} (pid ${pid})`
        : `started while the agent worked, perhaps not by it, and still there: ${command} (pid ${pid})`,
    ),
    ...(droppedBytes > 0 ? [`${droppedBytes.toLocaleString('en')} bytes of output were not kept`] : []),
  ];
  return (
    <>
      {lines.length === 0 ? null : (
        <Card title="Restored by the runner">
          <ul class="in listed">
            {lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        </Card>
      )}
      {verdict.feedback === '' ? null : (
        <Card
          title="What the next attempt is told"
          end={verdict.next === 'fresh' ? 'it starts from the last commit' : 'it continues from this tree'}
        >
          <div class="in">
            <pre class="out wrap" tabIndex={0} role="region" aria-label="What the next attempt is told">
              {verdict.feedback}
            </pre>
          </div>
        </Card>
      )}
    </>
  );
}

function keysOf(run: string, iteration: IterationView) {
  const at = iteration.attempts.findIndex(({ n }) => n === iteration.n);
  const open = (row: VerdictRow | undefined) => () => {
    if (row) go({ view: 'iteration', run, iteration: row.n });
  };
  const other = (n: number | null) => () => {
    if (n !== null) go({ view: 'iteration', run, iteration: n });
  };
  return [
    { key: '[', does: 'Attempt before', run: open(iteration.attempts[at - 1]) },
    { key: ']', does: 'Attempt after', run: open(iteration.attempts[at + 1]) },
    { key: 'ArrowLeft', does: 'Iteration before', run: other(iteration.previous) },
    { key: 'ArrowRight', does: 'Iteration after', run: other(iteration.next) },
    { key: 'j', does: 'Next file', run: () => toNext('[data-file]', 1) },
    { key: 'k', does: 'File before', run: () => toNext('[data-file]', -1) },
    { key: 'e', does: 'Next finding', run: () => toNext('[data-finding]', 1) },
    {
      key: 'd',
      does: 'Diff in one or two columns',
      run: () => chooseColumns(diffColumns.value === 'two' ? 'one' : 'two'),
    },
    {
      key: 'y',
      does: 'Copy the command',
      run: () => void copy(iteration.commit === null ? (iteration.getBack ?? '') : `git show ${iteration.commit}`),
    },
  ];
}

/** Moves from the focused element, which is where the reader is. */
function toNext(selector: string, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = all.findIndex(each => each === document.activeElement);
  const next = all[at === -1 ? (by === 1 ? 0 : all.length - 1) : (at + by + all.length) % all.length];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'center' });
}

/** Nothing where the agent reports none. */
const tokensUsed = ({ inputTokens, outputTokens, cachedTokens }: IterationView['usage']): string =>
  inputTokens + outputTokens + cachedTokens === 0
    ? ''
    : ` · ${tokens(inputTokens)} in, ${tokens(outputTokens)} out, ${tokens(cachedTokens)} cached`;

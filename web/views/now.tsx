/** Now: what is happening, and do I have to do something? */
import type { RunView } from '../../src/view/index.ts';
import { now } from '../clock.ts';
import { isReport } from '../data/store.ts';
import { Card, Command, Hints } from '../parts/bits.tsx';
import { clock, duration, moment, percent, plural } from '../parts/format.ts';
import { Said, Seal } from '../parts/seal.tsx';
import { VerdictRows } from '../parts/verdict-rows.tsx';
import { ITEMS } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { Controls, Needs, Steer } from './now-controls.tsx';
import { Limits } from './now-limits.tsx';
import { Work } from './now-work.tsx';

const wayOn = (command: string): string =>
  /\bralph merge /.test(command)
    ? 'To merge it:'
    : /\bralph discard /.test(command)
      ? 'To have it back:'
      : 'To continue:';

export function Now({ run }: { readonly run: RunView }) {
  const work = run.work;
  return (
    <>
      <section class="nowhead">
        <div class="lede">
          <h1>{sentenceOf(run)}</h1>
          <Facts run={run} />
        </div>
        <Controls run={run} />
      </section>
      <section class="cols now">
        <div class="stack">
          {work.length === 0 ? (
            <Resting run={run} />
          ) : (
            work.map(each => <Work key={`${each.kind}${each.n}`} work={each} run={run} />)
          )}
          {work.length > 1 ? (
            <Card title="Steer all of them">
              <Steer run={run} />
            </Card>
          ) : null}
          {run.last.length === 0 ? null : (
            <Card
              title="Last verdicts"
              class="verdicts"
              end={
                <a class="link" href={hrefOf({ view: 'timeline', run: run.id })}>
                  all {run.iterations}
                </a>
              }
            >
              <VerdictRows rows={run.last} run={run.id} label="Last verdicts" />
            </Card>
          )}
        </div>
        <div class="stack">
          <Needs run={run} />
          <Limits run={run} />
          {run.next.length === 0 ? null : (
            <Card title="Next" class="nexts">
              <ol class="next in">
                {run.next.map(item => (
                  <li key={item.id}>
                    <Seal name={ITEMS[item.status][0]} size={13} label={ITEMS[item.status][1]} />
                    <span class="id">{item.id}</span>
                    <a href={hrefOf({ view: 'plan', run: run.id, item: item.id })}>{item.title}</a>
                  </li>
                ))}
              </ol>
            </Card>
          )}
          {run.steering.length === 0 ? null : (
            <Card title="Notes in every brief">
              <ul class="in listed">
                {run.steering.map((text, index) => (
                  <li key={index}>{text}</li>
                ))}
              </ul>
            </Card>
          )}
        </div>
      </section>
      <Hints
        keys={[
          ['j k', 'move'],
          ['Enter', 'open'],
          ...(run.isLive
            ? ([
                ['s', 'steer'],
                ['f', 'follow'],
              ] as const)
            : []),
          ...(isReport() ? [] : ([['/', 'find']] as const)),
          ['?', 'all keys'],
        ]}
      />
    </>
  );
}

/** The sentence about a live run, without values that tick: they are shown below it. */
function sentenceOf(run: RunView): string {
  const [first, ...others] = run.work;
  if (first === undefined || !run.isLive) return run.sentence;
  if (others.length > 0) return `${run.work.length} agents at work: ${run.work.map(({ item }) => item).join(', ')}`;
  return `${first.kind === 'review' ? 'Reviewing' : 'Working on'} ${first.item}: ${first.title}`;
}

function Facts({ run }: { readonly run: RunView }) {
  const { limits, counts, work } = run;
  // Of several workers, each shows its own.
  const first = work.length > 1 ? undefined : work[0];
  const silent = first?.heardAt == null ? undefined : Math.max(0, now.value - first.heardAt);
  return (
    <div class="facts">
      {first === undefined ? null : (
        <>
          <span>
            {first.kind === 'review' ? `review, round ${first.attempt}` : `attempt ${first.attempt}`}
            {first.kind === 'iteration' && limits.attempts !== undefined ? ` of ${limits.attempts}` : ''}
          </span>
          <span title={moment(first.since)}>
            {duration(Math.max(0, now.value - first.since))}
            {limits.iterationMs === undefined ? '' : ` of ${duration(limits.iterationMs)}`}
          </span>
        </>
      )}
      {silent === undefined || !run.isLive ? null : (
        <span class="silence" title={first?.heardAt == null ? '' : moment(first.heardAt)}>
          last output {duration(silent)} ago
          {limits.idleMs === undefined ? null : (
            <>
              {' '}
              <span
                class="bar"
                role="img"
                aria-label={`${percent(silent, limits.idleMs)} percent of the longest silence`}
              >
                <i style={{ '--p': String(Math.min(100, percent(silent, limits.idleMs))) }} />
              </span>{' '}
              <span class="quiet">ends at {duration(limits.idleMs)} of silence</span>
            </>
          )}
        </span>
      )}
      {run.isLive && work.length > 0 ? (
        <span class="quiet">
          {counts.done} of {plural(counts.total, 'item')} proven
        </span>
      ) : null}
      {run.isLive ? null : (
        <>
          <span>{plural(run.iterations, 'iteration')}</span>
          <span>{duration(run.activeMs)}</span>
          <span class="id">{run.branch}</span>
        </>
      )}
    </div>
  );
}

/** Nobody works: the run is over, waits, or has not begun. */
function Resting({ run }: { readonly run: RunView }) {
  const { finished, waiting, problem } = run;
  if (waiting !== null && run.isLive) {
    return (
      <Card title="Waiting for the provider">
        <div class="in resting">
          <p>{waiting.why}</p>
          <p class="soft">
            No attempt is used and nothing is spent. The next agent starts by itself at {clock(waiting.until)}, from the
            same commit.
          </p>
        </div>
      </Card>
    );
  }
  if (run.isLive) {
    return (
      <Card title="Between two iterations">
        <p class="in soft">The next agent appears here as soon as it starts.</p>
      </Card>
    );
  }
  return (
    <Card title={titleOf(run)} end={finished === null ? null : <span>{moment(finished.at)}</span>}>
      <div class="in resting">
        {problem === null ? (
          <p>{finished === null ? 'The runner died before the run was over.' : finished.why}</p>
        ) : (
          <p>What the journal says before the damage is shown here. Commits on the branch are not affected.</p>
        )}
        {run.final.length === 0 ? null : (
          <p class="gates">
            {run.final.map(gate => (
              <Said key={gate.name} seal={gate.status === 'green' ? 'ok' : 'no'} size={12}>
                final gate {gate.name}
              </Said>
            ))}
          </p>
        )}
        {run.accepted === 0 ? null : (
          <p class="soft">
            One commit for each item, on <code>{run.branch}</code>.
          </p>
        )}
        {run.nextCommand === null ? null : <p class="quiet">{wayOn(run.nextCommand)}</p>}
        {run.nextCommand === null ? null : <Command text={run.nextCommand} />}
        <div class="acts">
          {isReport() ? null : (
            <a class="btn go" href="#/morning">
              Go through it
            </a>
          )}
          <a class="btn" href={hrefOf({ view: 'plan', run: run.id })}>
            Plan
          </a>
        </div>
      </div>
    </Card>
  );
}

function titleOf({ problem, finished }: RunView): string {
  if (problem !== null) return 'Damaged journal';
  return finished?.reason === 'complete' ? 'Complete' : finished === null ? 'Interrupted' : 'Stopped';
}

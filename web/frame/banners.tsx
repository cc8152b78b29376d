/** Banners for what matters most: no connection, a damaged journal, a wait, a pause, the end. */
import { useState } from 'preact/hooks';
import type { RunView } from '../../src/view/index.ts';
import { now } from '../clock.ts';
import { outcome, send } from '../data/commands.ts';
import { connection, reconnect } from '../data/live.ts';
import { clock, duration } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Seal } from '../parts/seal.tsx';

export function Banners({ run }: { readonly run: RunView | undefined }) {
  return (
    <>
      <Lost />
      <Outcome />
      {run === undefined ? null : <OfRun run={run} />}
    </>
  );
}

function Lost() {
  const { state, since = 0, retryAt = 0 } = connection.value;
  // Read only to subscribe to its ticks: the times below use the page's own clock.
  void now.value;
  if (state !== 'lost') return null;
  const left = Math.max(0, retryAt - Date.now());
  return (
    <div class="banner wait" role="status">
      <Seal name="retry" size={14} />
      <span>
        Not connected since {clock(since)}. {left > 0 ? `Trying again in ${Math.ceil(left / 1000)}s.` : 'Trying again.'}{' '}
        The run does not depend on this page; nothing is missed.
      </span>
      <button class="btn sm last" type="button" onClick={reconnect}>
        Now
      </button>
    </div>
  );
}

function Outcome() {
  const result = outcome.value;
  const [code, setCode] = useState('');
  if (!result) return null;
  const { confirm, run } = result;
  return (
    <div class={`banner ${result.ok ? 'told' : 'no'}`} role="status">
      <Seal name={result.ok ? 'ok' : 'no'} size={14} />
      <span>
        {result.text}
        {result.hint === undefined ? null : <span class="hintline"> {result.hint}</span>}
      </span>
      {confirm === undefined ? null : (
        <form
          class="confirm"
          onSubmit={event => {
            event.preventDefault();
            void send(run, { ...confirm, confirm: code } as typeof confirm);
            setCode('');
          }}
        >
          <input
            aria-label="The code that the run's terminal shows"
            value={code}
            onInput={event => setCode(event.currentTarget.value)}
          />
          <button class="btn sm" type="submit">
            Confirm
          </button>
        </form>
      )}
      <button class="btn sm last" type="button" onClick={() => (outcome.value = undefined)}>
        Dismiss
      </button>
    </div>
  );
}

function OfRun({ run }: { readonly run: RunView }) {
  const { problem, waiting, paused, status } = run;
  if (problem !== null) {
    return (
      <div class="banner no" role="status">
        <Seal name="no" size={14} />
        <span>
          {problem.message}. {problem.hint ?? ''}
        </span>
      </div>
    );
  }
  if (waiting !== null && run.isLive) {
    return (
      <div class="banner wait" role="status">
        <Seal name="wait" size={14} />
        <span>
          Waiting until {clock(waiting.until)}, {duration(Math.max(0, waiting.until - now.value))} left: {waiting.why}
        </span>
      </div>
    );
  }
  if (paused !== null && run.isLive) {
    const from =
      paused.by.from === null ? '' : ` from ${paused.by.from === 'page' ? 'this page' : `the ${paused.by.from}`}`;
    return (
      <div class="banner halt" role="status">
        <Icon name="pause" size={14} />
        <span>
          Paused at {clock(paused.since)}
          {from}. Nothing starts and nothing is spent until you resume.
        </span>
      </div>
    );
  }
  if (status === 'cut-off') {
    return (
      <div class="banner wait" role="status">
        <Seal name="warn" size={14} />
        <span>
          The runner died before the run was over. <code>ralph run</code> continues where it stopped.
        </span>
      </div>
    );
  }
  return null;
}

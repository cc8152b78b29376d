/** The frame around every view: the rail, the bar, banners, the tape, and the tabs on a phone. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { RunView } from '../../src/view/index.ts';
import { address } from '../data/address.ts';
import { connection } from '../data/live.ts';
import { isReport, useView } from '../data/store.ts';
import { useRun } from '../data/use-run.ts';
import { Icon } from '../parts/icon.tsx';
import { Said } from '../parts/seal.tsx';
import { Tape } from '../parts/tape.tsx';
import { RUNS, runSeal } from '../parts/words.ts';
import { route } from '../route.ts';
import { Banners } from './banners.tsx';
import { FrameKeys } from './frame-keys.tsx';
import { KeyHelp, Palette, showsHelp, showsPalette } from './palette.tsx';
import { Rail, Tabs, TITLES } from './rail.tsx';

const OF_RUN = ['now', 'plan', 'timeline', 'costs', 'iteration'];
/** A longer tape comes as letters with the run itself. */
const MOST_MARKS = 220;

export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { value: run } = useRun();
  const meta = useView(address('/meta')).value;
  const { view, iteration } = route.value;
  const ofRun = OF_RUN.includes(view);
  useEffect(() => {
    const run0 = ofRun && run ? ` · ${run.name}` : '';
    document.title = `${TITLES[view]}${iteration === undefined ? '' : ` ${iteration}`}${run0} · ralph`;
  }, [view, iteration, run?.name]);
  // A new view starts at its top, and a screen reader at its heading.
  useEffect(() => {
    scrollTo(0, 0);
  }, [view, iteration, route.value.run]);
  const isLost = connection.value.state === 'lost';
  return (
    <>
      <a class="skip" href="#main" onClick={toContent}>
        To the content
      </a>
      <FrameKeys run={run} />
      <div class={`app ${isLost ? 'lost' : ''}`}>
        <Rail run={run} meta={meta} />
        <div class="main">
          <header class="top">
            <div class="crumb">
              <span class="soft">{meta?.repository ?? ''}</span>
              <i>/</i>
              <b>{ofRun ? (run?.name ?? '') : TITLES[view]}</b>
              {ofRun && run ? <Status run={run} /> : null}
            </div>
            <div class="end">
              {isReport() ? null : (
                <a class="find" href="#/search" aria-keyshortcuts="/">
                  <Icon name="find" size={14} />
                  <span>Find anything</span>
                  <kbd aria-hidden="true" data-key="/" />
                </a>
              )}
              <button
                class="btn sm bare"
                type="button"
                aria-label="Commands"
                onClick={() => (showsPalette.value = true)}
              >
                <Icon name="more" />
                <kbd aria-hidden="true" data-key="Ctrl K" />
              </button>
              <button
                class="btn sm bare"
                type="button"
                aria-label="Keyboard help"
                onClick={() => (showsHelp.value = true)}
              >
                <kbd aria-hidden="true" data-key="?" />
              </button>
            </div>
          </header>
          <Banners run={ofRun ? run : undefined} />
          {ofRun && run && run.iterations > 0 ? <RunTape run={run} iteration={iteration} /> : null}
          <main class="body" id="main" tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      <Tabs run={run} />
      <Palette run={run} />
      <KeyHelp />
    </>
  );
}

/** Moves the focus by script, because a fragment link would change the page's route. */
function toContent(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Status({ run }: { readonly run: RunView }) {
  return (
    <Said seal={runSeal(run)} size={14}>
      {RUNS[run.status]}
    </Said>
  );
}

function RunTape({ run, iteration }: { readonly run: RunView; readonly iteration: number | undefined }) {
  const wanted = run.iterations <= MOST_MARKS ? address('/runs/{run}/timeline', { run: run.id }) : undefined;
  const timeline = useView(wanted);
  const current = iteration ?? (run.isLive ? run.work[0]?.n : undefined);
  return <Tape run={run} timeline={timeline.value} current={current} />;
}

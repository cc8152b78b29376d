/** Timeline: where did the time go? Each line is an hour, read like a page. */
import { useMemo, useState } from 'preact/hooks';
import type { RunView } from '../../src/view/index.ts';
import { now } from '../clock.ts';
import { address } from '../data/address.ts';
import { useView } from '../data/store.ts';
import { useKeys } from '../keys.ts';
import { Card, Hints, Segments } from '../parts/bits.tsx';
import { duration, plural } from '../parts/format.ts';
import { VerdictRows } from '../parts/verdict-rows.tsx';
import { go, route } from '../route.ts';
import { Loading, TroubleView } from './states.tsx';
import { Hours } from './timeline-hours.tsx';
import { LINES, lineLength, piecesOf } from './timeline-pieces.ts';
import { Rows } from './timeline-rows.tsx';

type Zoom = 'all' | 'last' | 'item';

export function Timeline({ run }: { readonly run: RunView }) {
  const loaded = useView(address('/runs/{run}/timeline', { run: run.id }));
  const { value: timeline } = loaded;
  const [mode, setMode] = useState<'hours' | 'rows'>('hours');
  const [zoom, setZoom] = useState<Zoom>('all');
  const [scale, setScale] = useState<number>();
  // A live bar grows, but not every second, because that would redraw everything.
  const until =
    timeline === undefined
      ? 0
      : run.isLive
        ? Math.floor(Math.max(now.value, timeline.now) / 5000) * 5000
        : timeline.now;
  const all = useMemo(() => (timeline ? piecesOf(timeline, until) : []), [timeline, until]);
  const item = route.value.item ?? run.work[0]?.item ?? run.last[0]?.item;
  const pieces = useMemo(() => {
    if (zoom === 'item') return all.filter(piece => piece.item === item);
    const end = all.at(-1)?.end ?? 0;
    return zoom === 'last' ? all.filter(piece => piece.end > end - 3_600_000) : all;
  }, [all, zoom, item]);
  const refused = timeline?.refused ?? [];
  const span = (all.at(-1)?.end ?? 0) - (all[0]?.start ?? 0);
  const length = scale ?? lineLength(span);
  useKeys(
    useMemo(() => {
      const step = (by: number) => () => {
        const at = LINES.indexOf(length as (typeof LINES)[number]);
        setScale(LINES[Math.min(LINES.length - 1, Math.max(0, at + by))]);
      };
      return [
        { key: '+', does: 'Zoom in', run: step(-1) },
        { key: '-', does: 'Zoom out', run: step(1) },
        {
          key: 'r',
          does: 'Newest refused',
          run: () => {
            const [first] = refused;
            if (first) go({ view: 'iteration', run: run.id, iteration: first.n });
          },
        },
      ];
    }, [length, refused, run.id]),
  );
  if (!timeline)
    return loaded.trouble ? <TroubleView trouble={loaded.trouble} /> : <Loading what="Reading the journal" />;
  const longest = timeline.waits.toSorted((a, b) => (b.end ?? until) - b.start - ((a.end ?? until) - a.start))[0];
  return (
    <>
      <section class="lede">
        <h1>{timeline.sentence}</h1>
        <p>
          {run.rejected === 0 ? 'None' : run.rejected} of {plural(run.iterations, 'iteration')} refused.
          {longest === undefined
            ? ''
            : ` The longest wait was ${duration((longest.end ?? until) - longest.start)}: ${longest.why}.`}
        </p>
      </section>
      {all.length === 0 ? (
        <p class="quiet">Each iteration is a bar here, from its start on.</p>
      ) : (
        <Card
          title={
            <>
              <h2 class="vh">Timeline</h2>
              <Segments
                label="Lines"
                value={mode}
                choose={setMode}
                options={[
                  ['hours', `A line per ${lineWords(length)}`],
                  ['rows', 'A line per iteration'],
                ]}
              />
              <span class="hide-s">
                <Segments
                  label="Show"
                  value={zoom}
                  choose={setZoom}
                  options={[
                    ['all', 'All'],
                    ['last', 'Last hour'],
                    ['item', item === undefined ? 'One item' : `Only ${item}`],
                  ]}
                />
              </span>
            </>
          }
          end={<Legend />}
        >
          {mode === 'hours' ? (
            <Hours pieces={pieces} length={length} run={run.id} />
          ) : (
            <Rows pieces={pieces} run={run.id} />
          )}
        </Card>
      )}
      {refused.length === 0 ? null : (
        <Card title="What did not go through" end={`${refused.length} of ${run.iterations}`}>
          <VerdictRows rows={refused} run={run.id} label="What did not go through" withTime />
        </Card>
      )}
      <Hints
        keys={[
          ['+ -', 'zoom'],
          ['j k', 'iteration'],
          ['r', 'newest refused'],
          ['Enter', 'open'],
        ]}
      />
    </>
  );
}

const WORDS: Readonly<Record<number, string>> = {
  60_000: 'minute',
  300_000: '5 minutes',
  900_000: '15 minutes',
  3_600_000: 'hour',
  14_400_000: '4 hours',
};
const lineWords = (length: number): string => WORDS[length] ?? duration(length);

function Legend() {
  return (
    <span class="legend">
      <span>
        <i class="swatch" />
        agent
      </span>
      <span>
        <i class="swatch gt" />
        gates
      </span>
      <span>
        <i class="swatch pf" />
        proof
      </span>
      <span>
        <i class="swatch rv" />
        review
      </span>
      <span>
        <i class="swatch wl" />
        waiting
      </span>
    </span>
  );
}

/** How much of a run's limits is used, and a projection. */
import type { RunView } from '../../src/view/index.ts';
import { now } from '../clock.ts';
import { address } from '../data/address.ts';
import { useView } from '../data/store.ts';
import { Card, Meter } from '../parts/bits.tsx';
import { duration, percent, sum, tokens, usd } from '../parts/format.ts';

export function Limits({ run }: { readonly run: RunView }) {
  const { limits, projection } = run;
  const waits =
    useView(run.iterations <= 220 ? address('/runs/{run}/timeline', { run: run.id }) : undefined).value?.waits ?? [];
  const waited = sum(waits, wait => (wait.end ?? now.value) - wait.start);
  // What working agents have used, and their time, is not in the journal yet.
  const used = (of: (spent: NonNullable<RunView['work'][number]['spent']>) => number): number =>
    sum(run.work, ({ spent: some }) => (some === null ? 0 : of(some)));
  const spent = run.costUsd + used(({ costUsd }) => costUsd);
  const isAtWork = run.isLive && run.waiting === null && run.paused === null;
  const activeMs = run.activeMs + (isAtWork ? Math.max(0, now.value - run.lastAt) : 0);
  const cached = run.usage.cachedTokens + used(({ usage }) => usage.cachedTokens);
  const of = limits.costUsd;
  // The projection does not include the current item's usage.
  const projected = projection === null || projection.costUsd <= spent ? undefined : projection.costUsd;
  return (
    <Card title="Against the limits" class="limits">
      <div class="in meters">
        {of === undefined ? (
          <Figure
            name="Cost"
            value={usd(spent)}
            note={projected === undefined ? 'no limit recorded' : atThisRate(projected)}
          />
        ) : (
          <Meter
            name="Cost"
            value={usd(spent)}
            of={usd(of)}
            percent={percent(spent, of)}
            tick={projected === undefined ? undefined : percent(projected, of)}
            note={projected === undefined ? undefined : atThisRate(projected)}
          />
        )}
        {limits.iterations === undefined ? (
          <Figure name="Iterations" value={String(run.iterations)} />
        ) : (
          <Meter
            name="Iterations"
            value={String(run.iterations)}
            of={String(limits.iterations)}
            percent={percent(run.iterations, limits.iterations)}
          />
        )}
        {limits.timeMs === undefined ? (
          <Figure
            name="Time"
            value={duration(activeMs)}
            note={waited > 0 ? `and ${duration(waited)} waiting` : undefined}
          />
        ) : (
          <Meter
            name="Time"
            value={duration(activeMs)}
            of={duration(limits.timeMs)}
            percent={percent(activeMs, limits.timeMs)}
            note={waited > 0 ? `and ${duration(waited)} waiting, which does not count` : undefined}
          />
        )}
        <Figure
          name="Tokens"
          value={`${tokens(run.usage.inputTokens + used(({ usage }) => usage.inputTokens))} in, ${tokens(run.usage.outputTokens + used(({ usage }) => usage.outputTokens))} out`}
          note={cached > 0 ? `and ${tokens(cached)} from the cache` : undefined}
        />
      </div>
    </Card>
  );
}

const atThisRate = (cost: number): string => `at this rate ${usd(cost)} for all items that can still be done`;

function Figure({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
}) {
  return (
    <div class="meter">
      <span>{name}</span>
      <b>{value}</b>
      {note === undefined ? null : <small>{note}</small>}
    </div>
  );
}

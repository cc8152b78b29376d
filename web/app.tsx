/** Chooses the view that is shown inside the frame. */
import { useEffect } from 'preact/hooks';
import { setClock } from './clock.ts';
import { address } from './data/address.ts';
import { isReport, load, useView } from './data/store.ts';
import { useRun } from './data/use-run.ts';
import { Frame } from './frame/frame.tsx';
import { Announcer } from './parts/announce.tsx';
import { type Route, route } from './route.ts';
import { Archives } from './views/archives.tsx';
import { Costs } from './views/costs.tsx';
import { Iteration } from './views/iteration.tsx';
import { Lessons } from './views/lessons.tsx';
import { Morning } from './views/morning.tsx';
import { Now } from './views/now.tsx';
import { Plan } from './views/plan.tsx';
import { Search } from './views/search.tsx';
import { Loading, NoRuns, TroubleView } from './views/states.tsx';
import { Timeline } from './views/timeline.tsx';

/** How often a page without a live run looks for a new one. */
const LOOK_MS = 2000;

export function App() {
  const meta = useView(address('/meta'));
  const runs = useView(address('/runs'));
  const at = meta.value?.now;
  useEffect(() => {
    if (at !== undefined) setClock(at, isReport());
  }, [at]);
  const isEmpty = runs.value?.runs.length === 0 || (!runs.value && runs.trouble !== undefined);
  // Without a live run, the next one may start at any moment, and the stream of the old one would not say so.
  const isQuiet = isEmpty || (!isReport() && runs.value?.runs.every(run => !run.isLive) === true);
  useEffect(() => {
    if (!isQuiet) return undefined;
    const timer = setInterval(() => {
      void load('/runs');
      if (!meta.value) void load('/meta');
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isQuiet]);
  return (
    <>
      <Announcer />
      <Frame>
        <Content route={route.value} />
      </Frame>
    </>
  );
}

function Content({ route: { view, iteration } }: { readonly route: Route }) {
  switch (view) {
    case 'morning':
      return <Morning />;
    case 'lessons':
      return <Lessons />;
    case 'archives':
      return <Archives />;
    case 'search':
      return <Search />;
    case 'now':
    case 'plan':
    case 'timeline':
    case 'costs':
    case 'iteration':
      return <OfRun view={view} iteration={iteration} />;
  }
}

interface OfRunProps {
  readonly view: 'now' | 'plan' | 'timeline' | 'costs' | 'iteration';
  readonly iteration: number | undefined;
}

function OfRun({ view, iteration }: OfRunProps) {
  const runs = useView(address('/runs'));
  const run = useRun();
  if (runs.value?.runs.length === 0) return <NoRuns startCommand={runs.value.startCommand} />;
  if (!run.value) {
    const trouble = run.trouble ?? (runs.value ? undefined : runs.trouble);
    return trouble ? <TroubleView trouble={trouble} /> : <Loading what="Reading the journal" />;
  }
  switch (view) {
    case 'plan':
      return <Plan run={run.value} />;
    case 'timeline':
      return <Timeline run={run.value} />;
    case 'costs':
      return <Costs run={run.value} />;
    case 'iteration':
      return <Iteration run={run.value} n={iteration ?? run.value.iterations} key={iteration} />;
    case 'now':
      return <Now run={run.value} />;
  }
}

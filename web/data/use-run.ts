/** The shown run, and what every view of it needs. */
import { useEffect } from 'preact/hooks';
import type { RunView } from '../../src/view/index.ts';
import { route } from '../route.ts';
import { address } from './address.ts';
import { follow } from './live.ts';
import { isReport, type Loaded, useView } from './store.ts';

/** The run in the URL, or else the live or newest one. */
function useRunId(): string | undefined {
  const runs = useView(address('/runs'));
  return route.value.run ?? runs.value?.runs[0]?.id;
}

export function useRun(): Loaded<RunView> {
  const id = useRunId();
  const loaded = useView(id === undefined ? undefined : address('/runs/{run}', { run: id }));
  const { value } = loaded;
  useEffect(() => {
    if (value && !isReport()) follow(value.id, value.cursor);
  }, [value?.id]);
  return loaded;
}

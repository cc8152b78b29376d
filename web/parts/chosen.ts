/** Moves in a list by `j` and `k`, and opens an entry by Enter. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useKeys } from '../keys.ts';

/** The selected index; undefined before the first key. */
export function useChosen(length: number, open: (index: number) => void, first?: number): number | undefined {
  const [chosen, setChosen] = useState<number | undefined>(first);
  const state = useRef({ length, chosen, open });
  state.current = { length, chosen, open };
  const keys = useMemo(
    () => [
      {
        key: 'j',
        does: 'Down',
        run: () => setChosen(old => Math.min(state.current.length - 1, (old ?? -1) + 1)),
      },
      { key: 'k', does: 'Up', run: () => setChosen(old => Math.max(0, (old ?? state.current.length) - 1)) },
      {
        key: 'Enter',
        does: 'Open',
        run: () => {
          if (state.current.chosen !== undefined) state.current.open(state.current.chosen);
        },
      },
    ],
    [],
  );
  useKeys(keys);
  useEffect(() => {
    if (chosen !== undefined) document.querySelector('.chosen')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return chosen;
}

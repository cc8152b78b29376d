/** The keys that work in every view. */
import { useMemo } from 'preact/hooks';
import type { RunView } from '../../src/view/index.ts';
import { control, send } from '../data/commands.ts';
import { isReport } from '../data/store.ts';
import { type Key, useKeys } from '../keys.ts';
import { go } from '../route.ts';
import { showsHelp, showsPalette, showsStop } from './palette.tsx';
import { OF_REPOSITORY, OF_RUN, TITLES } from './rail.tsx';

export function FrameKeys({ run }: { readonly run: RunView | undefined }) {
  const canPause = run && control(run, 'pause')?.enabled;
  const canResume = run && control(run, 'resume')?.enabled;
  const canStop = run && control(run, 'stop')?.enabled;
  const id = run?.id;
  const keys = useMemo((): readonly Key[] => {
    const views = [...OF_RUN, ...(isReport() ? OF_REPOSITORY.filter(([view]) => view === 'lessons') : OF_REPOSITORY)];
    return [
      ...views.map(([view, key]) => ({
        key: `g ${key}`,
        does: TITLES[view],
        run: () => go({ view, ...(id === undefined ? {} : { run: id }) }),
      })),
      { key: '?', does: 'All keys', run: () => (showsHelp.value = true) },
      { key: 'Ctrl+k', does: 'Commands', run: () => (showsPalette.value = true) },
      { key: 'Escape', does: 'Back', run: () => history.back() },
      ...(isReport() ? [] : [{ key: '/', does: 'Find anything', run: () => go({ view: 'search' }) }]),
      ...(id !== undefined && (canPause || canResume)
        ? [
            {
              key: 'Shift+p',
              does: canPause ? 'Pause after this' : 'Go on',
              run: () => void send(id, { type: canPause ? 'pause' : 'resume' }),
            },
          ]
        : []),
      ...(canStop ? [{ key: 'Shift+s', does: 'Stop…', run: () => (showsStop.value = true) }] : []),
    ];
  }, [id, canPause, canResume, canStop]);
  useKeys(keys);
  return null;
}

/** What the page shows without data or on failure: the state, then what to do. */
import { useEffect, useState } from 'preact/hooks';
import type { Trouble } from '../data/source.ts';
import { load } from '../data/store.ts';
import { Command, Empty } from '../parts/bits.tsx';

export function NoRuns({ startCommand }: { readonly startCommand: string }) {
  return (
    <Empty title="No run here yet">
      <p>A run would start with:</p>
      <Command text={startCommand || 'ralph run'} />
      <p class="quiet">This page follows by itself as soon as it starts.</p>
    </Empty>
  );
}

/** Placeholders appear only after this delay, so that fast responses do not flicker. */
const PATIENCE_MS = 150;

export function Loading({ what }: { readonly what: string }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="loading" role="status">
      {shown ? (
        <>
          <div class="sk a" />
          <div class="sk b" />
          <div class="sk c" />
          <div class="sk d" />
          <div class="sk c" />
          <span class="quiet">{what}</span>
        </>
      ) : (
        <span class="vh">{what}</span>
      )}
    </div>
  );
}

/** A command inside a hint, which can be copied. */
const COMMAND = /(?:^|: )(ralph [^.]*|git [^.]*)$/;

export function TroubleView({ trouble, path }: { readonly trouble: Trouble; readonly path?: string }) {
  const command = trouble.hint === null ? undefined : COMMAND.exec(trouble.hint)?.[1];
  return (
    <Empty title={sentence(trouble.message)}>
      {trouble.hint === null ? null : <p>{trouble.hint}</p>}
      {command === undefined ? null : <Command text={command} />}
      {path === undefined ? null : (
        <p>
          <button class="btn" type="button" onClick={() => void load(path)}>
            Try again
          </button>
        </p>
      )}
    </Empty>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

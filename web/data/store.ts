/** All requested views, cached and requested again when the stream says that they may have changed. */
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Address } from './address.ts';
import { type Source, server, type Trouble } from './source.ts';

export interface Loaded<T> {
  /** The last value, also while a newer one is loading or cannot be loaded. */
  readonly value?: T;
  readonly trouble?: Trouble;
}

interface Entry {
  readonly state: Signal<Loaded<unknown>>;
  users: number;
  /** A request is pending; `again` if something changed meanwhile. */
  busy: boolean;
  again: boolean;
  isOld: boolean;
  askedAt: number;
  tookMs: number;
}

const entries = new Map<string, Entry>();
let source: Source = server;

export function useSource(from: Source): void {
  source = from;
}

export const isReport = (): boolean => source.kind === 'report';
export const currentSource = (): Source => source;

function entryOf(path: string): Entry {
  const known = entries.get(path);
  if (known) return known;
  const entry = { state: signal({}), users: 0, busy: false, again: false, isOld: true, askedAt: 0, tookMs: 0 };
  entries.set(path, entry);
  return entry;
}

/** The view at a URL, loaded when it is first shown. */
export function useView<T>(address: Address<T> | undefined): Loaded<T> {
  return useViews(address === undefined ? [] : [address])[0] ?? {};
}

export function useViews<T>(addresses: readonly Address<T>[]): readonly Loaded<T>[] {
  const paths = addresses.map(({ path }) => path);
  useEffect(() => {
    for (const path of paths) {
      const entry = entryOf(path);
      entry.users += 1;
      if (entry.isOld && !entry.busy) void load(path);
    }
    return () => {
      for (const path of paths) entryOf(path).users -= 1;
    };
  }, [paths.join('\n')]);
  return paths.map(path => entryOf(path).state.value as Loaded<T>);
}

/** The cached value; requests nothing. */
export const peek = <T>(address: Address<T>): Loaded<T> => entryOf(address.path).state.peek() as Loaded<T>;

/** Changes the shown value without a request, for messages that contain everything. */
export function patch<T>(address: Address<T>, change: (value: T) => T): void {
  const { state } = entryOf(address.path);
  const { value } = state.peek() as Loaded<T>;
  if (value !== undefined) state.value = { ...state.peek(), value: change(value) };
}

export async function load(path: string): Promise<void> {
  const entry = entryOf(path);
  if (entry.busy) {
    entry.again = true;
    return;
  }
  entry.busy = true;
  do {
    entry.again = false;
    entry.askedAt = performance.now();
    const answer = await source.get(path);
    entry.tookMs = performance.now() - entry.askedAt;
    entry.isOld = !answer.ok;
    entry.state.value = answer.ok ? { value: answer.value } : { ...entry.state.peek(), trouble: answer.error };
  } while (entry.again);
  entry.busy = false;
}

/** A slow view is requested less often: requests take at most a tenth of the time. */
const SHARE = 10;
const LEAST_MS = 120;

/** Marks views as changed: visible ones are requested again soon, the others when they are shown. */
export function changed(is: (path: string) => boolean): void {
  for (const [path, entry] of entries) {
    if (!is(path)) continue;
    if (entry.users === 0) {
      entry.isOld = true;
      continue;
    }
    if (entry.again) continue;
    entry.again = entry.busy;
    if (entry.busy || waiting.has(path)) continue;
    waiting.add(path);
    const wait = Math.max(LEAST_MS, SHARE * entry.tookMs - (performance.now() - entry.askedAt));
    setTimeout(() => {
      waiting.delete(path);
      void load(path);
    }, wait);
  }
}

const waiting = new Set<string>();

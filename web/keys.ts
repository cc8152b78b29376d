/** The keyboard map. Letters never act in a field, and can all be switched off (WCAG 2.1.4). */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Key {
  /** As in `event.key`, with `Shift+` or `Ctrl+` before it; `g n` for a sequence. */
  readonly key: string;
  readonly does: string;
  readonly run: () => void;
  /** Listed with another key, not on its own. */
  readonly hidden?: true;
}

const STORED = 'ralph.letters';
export const lettersOn = signal(stored() !== 'off');

export function setLetters(on: boolean): void {
  lettersOn.value = on;
  try {
    localStorage.setItem(STORED, on ? 'on' : 'off');
  } catch {
    // In a file, or if storage is forbidden: the choice lasts until the page is closed.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** The newest set is tried first, so that a view can override a key of the frame. */
const sets = signal<readonly (readonly Key[])[]>([]);
export const allKeys = (): readonly Key[] => {
  const seen = new Set<string>();
  return sets.value
    .toReversed()
    .flatMap(set => set.filter(({ key, hidden }) => !hidden && !seen.has(key) && seen.add(key)));
};

/** Registers keys while the component is on the page. */
export function useKeys(keys: readonly Key[]): void {
  useEffect(() => {
    sets.value = [...sets.value, keys];
    return () => {
      sets.value = sets.value.filter(set => set !== keys);
    };
  }, [keys]);
}

let before: { readonly key: string; readonly at: number } | undefined;
const CHORD_MS = 1500;

function nameOf(event: KeyboardEvent): string {
  const ctrl = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  const letter = /^[a-z]$/i.test(event.key);
  const shift = event.shiftKey && letter ? 'Shift+' : '';
  return `${ctrl}${shift}${letter ? event.key.toLowerCase() : event.key}`;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

addEventListener('keydown', event => {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  // A dialog has its own keys.
  if (document.querySelector('dialog[open]')) return;
  const name = nameOf(event);
  if (isField(event.target) && !name.startsWith('Ctrl+')) {
    // The first Escape leaves the field; the next one goes back.
    if (name === 'Escape') (event.target as HTMLElement).blur();
    return;
  }
  if (!lettersOn.value && name.length === 1) return;
  const chord = before && event.timeStamp - before.at < CHORD_MS ? `${before.key} ${name}` : undefined;
  before = name === 'g' ? { key: 'g', at: event.timeStamp } : undefined;
  // Enter on a link or button belongs to the browser.
  if (name === 'Enter' && event.target instanceof HTMLElement && event.target.matches('a, button, summary')) return;
  const key = find(chord) ?? find(name);
  if (!key) return;
  event.preventDefault();
  before = undefined;
  key.run();
});

function find(name: string | undefined): Key | undefined {
  if (name === undefined) return undefined;
  for (const set of sets.value.toReversed()) {
    const key = set.find(each => each.key === name);
    if (key) return key;
  }
  return undefined;
}

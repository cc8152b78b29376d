/** The keyboard map. Letters never act in a field, and can be switched off as a whole (WCAG 2.1.4). */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Key {
  /** As `event.key` says, with `Shift+` or `Ctrl+` before it; `g n` for one after another. */
  readonly key: string;
  readonly does: string;
  readonly run: () => void;
  /** Shown in the list under another key, not on its own. */
  readonly hidden?: true;
}

const STORED = 'ralph.letters';
export const lettersOn = signal(stored() !== 'off');

export function setLetters(on: boolean): void {
  lettersOn.value = on;
  try {
    localStorage.setItem(STORED, on ? 'on' : 'off');
  } catch {
    // From a file, or where storage is forbidden: it holds until the page is closed.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** The newest set is asked first, so that a view can mean something else by a key than the frame does. */
const sets = signal<readonly (readonly Key[])[]>([]);
export const allKeys = (): readonly Key[] => {
  const seen = new Set<string>();
  return sets.value
    .toReversed()
    .flatMap(set => set.filter(({ key, hidden }) => !hidden && !seen.has(key) && seen.add(key)));
};

/** Keys that hold while the component that asks for them is on the page. */
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
  // A dialog has keys of its own.
  if (document.querySelector('dialog[open]')) return;
  const name = nameOf(event);
  if (isField(event.target) && !name.startsWith('Ctrl+')) {
    // Out of the field first; the next one leads back.
    if (name === 'Escape') (event.target as HTMLElement).blur();
    return;
  }
  if (!lettersOn.value && name.length === 1) return;
  const chord = before && event.timeStamp - before.at < CHORD_MS ? `${before.key} ${name}` : undefined;
  before = name === 'g' ? { key: 'g', at: event.timeStamp } : undefined;
  // Enter on a link or button is the browser's.
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

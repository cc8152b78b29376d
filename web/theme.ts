/** Light and dark follow the system, unless `?theme=dark` or the command palette overrides it. */
import { signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';

const STORED = 'ralph.theme';
export const theme = signal<Theme>('system');

export function applyTheme(): void {
  const asked = new URLSearchParams(location.search).get('theme');
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(STORED);
  } catch {
    // If storage is forbidden, the system decides.
  }
  set(isTheme(asked) ? asked : isTheme(kept) ? kept : 'system');
}

export function nextTheme(): void {
  const order: readonly Theme[] = ['system', 'light', 'dark'];
  const next = order[(order.indexOf(theme.value) + 1) % order.length] ?? 'system';
  set(next);
  try {
    localStorage.setItem(STORED, next);
  } catch {
    // Storage is forbidden: the choice lasts until the page is closed.
  }
}

function set(value: Theme): void {
  theme.value = value;
  if (value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = value;
}

const isTheme = (value: string | null): value is Theme => value === 'light' || value === 'dark' || value === 'system';

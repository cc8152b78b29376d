/** Whether a diff has one column or two. Narrow screens have room for one only; wide ones start with two. */
import { computed, signal } from '@preact/signals';

export type DiffColumns = 'one' | 'two';

const STORED = 'ralph.diff';
const narrow = matchMedia('(max-width: 760px)');
const wide = matchMedia('(min-width: 1900px)');

const room = signal(roomNow());
const asked = signal<DiffColumns | undefined>(kept());
for (const query of [narrow, wide]) query.addEventListener('change', () => (room.value = roomNow()));

export const hasRoomForTwo = computed(() => room.value !== 'narrow');
export const diffColumns = computed<DiffColumns>(() => {
  if (room.value === 'narrow') return 'one';
  return asked.value ?? (room.value === 'wide' ? 'two' : 'one');
});

export function chooseColumns(columns: DiffColumns): void {
  asked.value = columns;
  try {
    localStorage.setItem(STORED, columns);
  } catch {
    // Storage is forbidden: the choice lasts until the page is closed.
  }
}

function roomNow(): 'narrow' | 'middle' | 'wide' {
  return narrow.matches ? 'narrow' : wide.matches ? 'wide' : 'middle';
}

function kept(): DiffColumns | undefined {
  try {
    const value = localStorage.getItem(STORED);
    return value === 'one' || value === 'two' ? value : undefined;
  } catch {
    return undefined;
  }
}

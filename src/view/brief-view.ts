/** The prompt of an iteration, and what each of its slots takes. */
import { plain } from '../util/show.ts';
import { readIterationFile } from './files.ts';
import type { Located } from './library.ts';
import type { BriefView, SlotView } from './types/iteration.ts';

const BYTES_PER_TOKEN = 4;

export function briefView(located: Located, n: number, most: number): BriefView {
  const file = readIterationFile(located, n, 'brief.md');
  if (!file) return { state: 'none', text: '', tokens: 0, slots: null };
  const text = plain(file.bytes.toString('utf8'));
  return {
    state: text.length > most ? 'cut' : 'whole',
    text: text.slice(0, most),
    tokens: Math.ceil(file.size / BYTES_PER_TOKEN),
    slots: slotsOf(readIterationFile(located, n, 'brief.json')?.bytes),
  };
}

/** An agent could have written into it, so nothing of it is believed unseen. */
function slotsOf(bytes: Buffer | undefined): readonly SlotView[] | null {
  if (!bytes) return null;
  try {
    const { slots } = JSON.parse(bytes.toString('utf8')) as { readonly slots?: unknown };
    if (!Array.isArray(slots)) return null;
    return slots.slice(0, 50).flatMap((slot: unknown) => {
      const { name, tokens, budget, dropped, note } = (slot ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof name !== 'string' || typeof tokens !== 'number') return [];
      return [
        {
          name: name.slice(0, 40),
          tokens,
          budget: typeof budget === 'number' ? budget : null,
          dropped: typeof dropped === 'number' ? dropped : 0,
          note: typeof note === 'string' ? note.slice(0, 200) : null,
        },
      ];
    });
  } catch {
    return null;
  }
}

/** What the commit of a merge says: what is in it, and where its evidence is. */
import type { RunState } from '../state.ts';
import { oneLine, plural } from '../util/show.ts';

const SHOWN = 50;

export function mergeMessage(
  state: RunState,
  { into, isSquash }: { readonly into: string; readonly isSquash: boolean },
): string {
  const done = [...state.items].filter(([, item]) => item.status === 'done');
  const what = oneLine(state.plan.name, 40);
  const subject = isSquash
    ? `feat: ${what} (${plural(done.length, 'item')})`
    : `Merge ${state.branch} into ${into}: ${what} (${plural(done.length, 'item')})`;
  const lines = done.slice(0, SHOWN).map(([id, item]) => `- ${oneLine(`${id} ${item.title}`, 100)}`);
  const more = done.length > SHOWN ? [`- and ${done.length - SHOWN} more`] : [];
  return `${subject}\n\n${[...lines, ...more].join('\n')}\n\nRalph-Run: ${state.run}\n`;
}

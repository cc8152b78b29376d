/** The diffs of a run, item by item and screen by screen. */
import { type Branch, itemDiffs, patchOf } from '../morning/index.ts';
import { diffText, painter, screensOf } from '../report/index.ts';
import type { Project } from '../start/index.ts';
import { plural } from '../util/show.ts';
import { askLine } from './person.ts';
import { columnsOf, complain, print, wantsColor } from './print.ts';

/** What the prompt takes of a screen. */
const KEPT_ROWS = 2;

/** `left`: the person is gone; `back`: all was shown, or enough. */
export async function pageDiffs(project: Project, branch: Branch): Promise<'back' | 'left'> {
  const all = itemDiffs(branch);
  const color = wantsColor();
  for (const [at, { commit, evidence }] of all.entries()) {
    const patch = await patchOf(project, commit);
    if (!patch.ok) {
      complain(patch.error);
      continue;
    }
    const title = painter({ color })('strong', `${at + 1} of ${all.length}  ${evidence}`);
    const isLast = at === all.length - 1;
    const end = await pageText(`${title}\n\n${diffText(patch.value, { color })}`, isLast);
    if (end !== 'read') return end;
  }
  return 'back';
}

async function pageText(text: string, isLast: boolean): Promise<'read' | 'back' | 'left'> {
  const size = { columns: columnsOf() ?? 80, rows: Math.max(3, (process.stdout.rows || 24) - KEPT_ROWS) };
  const screens = screensOf(text, size);
  for (const [at, screen] of screens.entries()) {
    print(screen);
    const left = screens.length - at - 1;
    if (left === 0 && isLast) return 'read';
    const next = left > 0 ? `Enter: ${plural(left, 'more screen')}, [n]ext item` : 'Enter: next item';
    const typed = await askLine(`${next}, [b]ack? `);
    if (typed === undefined) return 'left';
    const word = typed.toLowerCase();
    if (word === 'b' || word === 'q') return 'back';
    if (word === 'n') return 'read';
  }
  return 'read';
}

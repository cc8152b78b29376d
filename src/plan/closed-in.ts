/** What a change closes in a file that a run could take for its plan. */
import { newlyClosed } from './compare.ts';
import { locate, type OpenPlan, readPlan } from './read-file.ts';

export interface PlanTexts {
  /** Where the file is on disk. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The ids of items that were open before and are done or skipped after; none if the file is no plan. */
export function closedIn({ path, before, after }: PlanTexts): readonly string[] {
  const found = locate(path, []);
  if (found?.file !== path) return [];
  const read = (text: string): OpenPlan | undefined => {
    const open = readPlan({ path, format: found.format, bytes: Buffer.from(text) });
    return open.ok ? open.value : undefined;
  };
  const [given, now] = [read(before), read(after)];
  if (!given || !now) return [];
  const known = new Set(given.plan.items.map(({ id }) => id));
  return newlyClosed(given.plan, now.plan).filter(id => known.has(id));
}

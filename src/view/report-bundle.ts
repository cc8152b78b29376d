/** One run as one value: what the report file shows without a server. It has to fit into a file that can be mailed. */

import type { Library, Look } from './all-runs.ts';
import { openArchives } from './archives.ts';
import { costsView } from './costs.ts';
import { ALL_ITEMS, itemsView } from './items-view.ts';
import { iterationView, type Room, WHOLE } from './iteration-view.ts';
import { lessonsView } from './lessons.ts';
import { runView } from './run-view.ts';
import { safeJson } from './safe-json.ts';
import { timelineView } from './timeline.ts';
import type { IterationView } from './types/iteration.ts';
import type { ReportBundle } from './types/report.ts';

/** The newest iteration of each item and all refused ones get more room: a person looks at them first. */
const SMALL: Room = { steps: 60, brief: 4_000, diff: 16_000, stepText: 400 };
const TINY: Room = { steps: 0, brief: 0, diff: 2_000, stepText: 0 };

export interface BundleOptions {
  readonly version: string;
  /** In characters of JSON. */
  readonly most: number;
}

export async function reportBundle(
  library: Library,
  look: Look,
  { version, most }: BundleOptions,
): Promise<ReportBundle> {
  const { project } = library;
  const views = {
    meta: {
      api: 1,
      version,
      repository: project.repository.root.split('/').at(-1) ?? '',
      readonly: true,
      csrf: null,
      kind: 'report',
      now: look.now,
    } as const,
    run: await runView(library, look, { isReadonly: true }),
    items: itemsView(look, ALL_ITEMS),
    timeline: timelineView(look),
    costs: costsView(look, openArchives(project).records()),
    lessons: lessonsView(project),
  };
  let left = most - safeJson(views).length;
  const numbers = [...look.facts.byNumber.keys()].toSorted((a, b) => b - a);
  const iterations: IterationView[] = [];
  for (const n of numbers) {
    const view = fitting(look, n, left, numbers.length - iterations.length);
    if (!view) break;
    left -= view.size;
    iterations.push(view.view);
  }
  const bundle: ReportBundle = { ...views, iterations, leftOut: numbers.length - iterations.length };
  // The report may be mailed, so it goes through the redaction of `safeJson`, however the file is made.
  return JSON.parse(safeJson(bundle)) as ReportBundle;
}

/** As much of an iteration as its share of the remaining room allows. */
function fitting(
  look: Look,
  n: number,
  left: number,
  others: number,
): { readonly view: IterationView; readonly size: number } | undefined {
  const share = Math.min(left, (3 * left) / Math.max(1, others));
  for (const room of [WHOLE, SMALL, TINY]) {
    const view = iterationView(look, n, room);
    if (!view) return undefined;
    const size = safeJson(view).length;
    if (size <= (room === TINY ? left : share)) return { view, size };
  }
  return undefined;
}

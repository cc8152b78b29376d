/** One run as one file: all views of it that a page without a server shows. */
import type { CostsView } from './costs.ts';
import type { IterationView } from './iteration.ts';
import type { ItemsView } from './plan.ts';
import type { LessonsView } from './repository.ts';
import type { MetaView, RunView } from './run.ts';
import type { TimelineView } from './timeline.ts';

export interface ReportBundle {
  readonly meta: MetaView;
  readonly run: RunView;
  readonly items: ItemsView;
  readonly timeline: TimelineView;
  readonly costs: CostsView;
  readonly lessons: LessonsView;
  /** Newest first, as many as fit; the texts of older ones are cut first. */
  readonly iterations: readonly IterationView[];
  /** Iterations that did not fit. */
  readonly leftOut: number;
}

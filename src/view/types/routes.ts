/**
 * Every route below `/api/v1` with the type of its response. The build makes the OpenAPI file from this type, so a route
 * that is not here does not exist. `{run}` is the `id` of a run, `{item}` an item's id, percent-encoded.
 */
import type { CommandAnswer, CommandBody } from './command.ts';
import type { ErrorAnswer } from './common.ts';
import type { CostsView } from './costs.ts';
import type { IterationView } from './iteration.ts';
import type { ItemDetailView, ItemsView } from './plan.ts';
import type { ArchivesView, ArchiveView, LessonsView, MorningView, SearchView } from './repository.ts';
import type { MetaView, RunsView, RunView } from './run.ts';
import type { StreamMessage } from './stream.ts';
import type { TimelineView } from './timeline.ts';

export interface Routes {
  'GET /meta': MetaView;
  'GET /runs': RunsView;
  'GET /runs/{run}': RunView;
  /** Query: `from`, `count` (at most 1,000), `q` (words in id or title), `status` (one or more, by commas). */
  'GET /runs/{run}/items': ItemsView;
  'GET /runs/{run}/items/{item}': ItemDetailView;
  'GET /runs/{run}/timeline': TimelineView;
  'GET /runs/{run}/iterations/{n}': IterationView;
  'GET /runs/{run}/costs': CostsView;
  /** Server-sent events. Query: `after`, the id to continue after; without it or a `Last-Event-ID`, from now on. */
  'GET /runs/{run}/stream': StreamMessage;
  /** Query: `since`, epoch milliseconds; without it, the last 24 hours. */
  'GET /morning': MorningView;
  'GET /lessons': LessonsView;
  'GET /archives': ArchivesView;
  'GET /archives/{archive}': ArchiveView;
  /** Query: `q`. */
  'GET /search': SearchView;
  'POST /runs/{run}/commands': CommandAnswer;
}

/** The whole file as plain text; `{file}` is `brief`, `output` (what the agent printed) or `diff`. */
export interface Texts {
  'GET /runs/{run}/iterations/{n}/{file}': string;
}

/** Request bodies. */
export interface Bodies {
  'POST /runs/{run}/commands': CommandBody;
}

/** The whole interface; every response that is not 2xx is `failed`. */
export interface Interface {
  routes: Routes;
  texts: Texts;
  bodies: Bodies;
  failed: ErrorAnswer;
}

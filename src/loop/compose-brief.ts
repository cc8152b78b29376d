/** Collects the content of the brief's slots; the `brief` room decides how much of it fits. */
import { dirname, join } from 'node:path';
import { type Brief, type BriefInput, buildBrief, DEFAULT_BUDGET, type Templates } from '../brief/index.ts';
import type { Settings } from '../config/index.ts';
import type { RalphFolder } from '../journal/index.ts';
import { progressOn, recentProgress } from '../memory/index.ts';
import { type OpenPlan, tally } from '../plan/index.ts';
import type { Gate, Item, ItemStatus } from '../protocol.ts';
import { GOAL, itemOf, type RunState, statusIn } from '../state.ts';
import { readText } from '../util/files.ts';
import { readDocuments } from './read-documents.ts';
import { runsBeside } from './runs-beside.ts';
import { isUnclaimed } from './settling.ts';

export interface BriefRequest {
  readonly item: Item;
  readonly iteration: number;
  readonly attempt: number;
  /** The last attempt's changes are still in the tree. */
  readonly carried: boolean;
  readonly lessons: BriefInput['lessons'];
}

const NEIGHBOURS = 3;
const PROGRESS_ENTRIES = 5;
const DEPENDENCIES = 3;

/** The input of a brief: a session, or what `ralph brief` builds without starting anything. */
export interface BriefPlace {
  readonly state: RunState;
  readonly settings: Settings;
  readonly workspace: { readonly root: string };
  readonly plan: OpenPlan;
  readonly itemGates: readonly Gate[];
  readonly options: {
    readonly planInTree: string | undefined;
    readonly ownedInTree: readonly string[];
    readonly folder: RalphFolder;
    readonly templates: Templates;
  };
}

export function composeBrief(session: BriefPlace, { item, iteration, attempt, carried, lessons }: BriefRequest): Brief {
  const { state, settings, workspace } = session;
  const { plan } = session.plan;
  const known = itemOf(state, item.id);
  const status = (candidate: Item): ItemStatus => statusIn(state, candidate);
  const { done, total, blocked } = tally(plan.items, status);
  const dependencies = progressOn({
    file: session.options.folder.progress,
    items: item.dependsOn,
    entries: DEPENDENCIES,
  });
  const recent = recentProgress({
    file: session.options.folder.progress,
    entries: PROGRESS_ENTRIES,
    without: runsBeside(session.options.folder),
  });
  return buildBrief({
    run: state.run,
    iteration,
    attempt,
    maxAttempts: Math.max(settings.limits.attempts, attempt),
    item: inTree(session, item),
    plan: {
      path: session.options.planInTree ?? plan.path,
      format: plan.format,
      name: plan.name,
      instructions: plan.instructions,
      repeats: plan.repeats,
      about: plan.about ?? '',
      testCommand: plan.testCommand ?? '',
    },
    documents: readDocuments({ root: workspace.root, documents: plan.documents, item }),
    dependencies,
    position: {
      done,
      total,
      blocked,
      ...neighboursOf(item, { items: plan.items, status }),
    },
    gates: session.itemGates,
    finalGates: plan.repeats ? [] : settings.final,
    rules: settings.rules,
    owned: session.options.ownedInTree,
    feedback: known.feedback,
    kept: known.signature === GOAL && !carried,
    unclaimed: isUnclaimed(known, carried),
    carried,
    lessons,
    progress: recent.filter(entry => !dependencies.includes(entry)),
    context: settings.context.map(path => ({
      path,
      text: readText(join(workspace.root, path)) ?? '(this file is missing)',
    })),
    // A person's hint about this item is the newest instruction, so it comes last.
    steering: [
      ...state.steering,
      ...(known.answers ?? []).map(({ question, answer }) => `Asked about this item: ${question} Answer: ${answer}`),
      ...(known.hint ? [`About this item: ${known.hint}`] : []),
    ],
    templates: session.options.templates,
    budget: DEFAULT_BUDGET,
  });
}

/** The items done last, and the items that come next. */
function neighboursOf(
  { id }: Item,
  { items, status }: { readonly items: readonly Item[]; readonly status: (item: Item) => ItemStatus },
): Pick<BriefInput['position'], 'recent' | 'upcoming'> {
  const done = items.filter(candidate => status(candidate) === 'done');
  const upcoming: Item[] = [];
  // A plan may have thousands of items; the first few are enough.
  for (let at = items.findIndex(candidate => candidate.id === id) + 1; at < items.length; at++) {
    const candidate = items[at];
    if (candidate && status(candidate) === 'pending' && upcoming.push(candidate) === NEIGHBOURS) break;
  }
  const titles = (some: readonly Item[]) => some.map(({ title }) => title);
  return { recent: titles(done.slice(-NEIGHBOURS)), upcoming: titles(upcoming) };
}

/** Makes a path relative to the plan's folder relative to the repository. */
function inTree({ options }: BriefPlace, item: Item): Item {
  const { source } = item;
  if (!source || options.planInTree === undefined) return item;
  return { ...item, source: { ...source, path: join(dirname(options.planInTree), source.path) } };
}

/**
 * A plan that both sides of a merge changed: a person added items where the run marked others, which git takes for a conflict. The file is
 * that of the target, with what happened on the branch of the run: its marks, and the items it added.
 */
import { join } from 'node:path';
import { removeCheckout } from '../loop.ts';
import { appendToPlan, formats, itemWords, markPlan, type OpenPlan, planProblem, readPlan } from '../plan/index.ts';
import type { Item, ItemStatus, Mark } from '../protocol.ts';
import type { Project } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { uniqueName } from '../util/unique-name.ts';
import { OtherTrees } from '../workspace/index.ts';

/** Formats in which a plan is one file, whose marks are in it. */
const ONE_FILE: readonly string[] = ['prd', 'checklist'];

export interface Sides {
  readonly project: Project;
  readonly state: RunState;
  /** The commit that is merged into, and the one that is merged. */
  readonly onto: string;
  readonly tip: string;
}

/** The merged tree with the plan in it; undefined where a person has to decide. */
export async function withPlanMerged(
  sides: Sides,
  { tree, paths }: { readonly tree: string; readonly paths: readonly string[] },
): Promise<Result<string | undefined>> {
  if (paths.some(each => each !== sides.state.plan.path)) return ok(undefined);
  const merged = await mergedPlan(sides);
  return merged ? await putPlan(sides, tree, merged) : ok(undefined);
}

/** The same where git saw no conflict: an item that both sides added may be in the file twice. Undefined where none is. */
export async function withoutTwins(sides: Sides, tree: string): Promise<Result<string | undefined>> {
  const found = await planAt(sides, tree);
  const merged = found && (await mergedPlan(sides));
  const isSame = merged === undefined || found?.plan.ids.length === merged.plan.ids.length;
  return isSame ? ok(undefined) : await putPlan(sides, tree, merged);
}

async function mergedPlan(sides: Sides): Promise<OpenPlan | undefined> {
  const { project, state, onto, tip } = sides;
  if (!ONE_FILE.includes(state.plan.format)) return undefined;
  const common = await project.repository.git.text('merge-base', onto, tip);
  const base = common.ok ? await planAt(sides, common.value) : undefined;
  const [here, there] = [await planAt(sides, onto), await planAt(sides, tip)];
  return base && here && there && mergePlans({ base, here, there });
}

async function putPlan(
  { project, state, onto }: Sides,
  tree: string,
  plan: OpenPlan,
): Promise<Result<string | undefined>> {
  const { path } = state.plan;
  const trees = new OtherTrees(project.repository.git, join(project.folder.root, `merge-${uniqueName()}`));
  try {
    const entries = await trees.entries(onto);
    const mode = entries.ok ? entries.value.find(entry => entry.path === path)?.mode : undefined;
    return mode === undefined ? ok(undefined) : await trees.replacing(tree, [{ path, mode, content: plan.bytes }]);
  } finally {
    removeCheckout({ trees });
  }
}

async function planAt({ project, state }: Sides, tree: string): Promise<OpenPlan | undefined> {
  const { path, format: name } = state.plan;
  const format = formats.find(each => each.name === name);
  const bytes = await project.repository.git.run({ args: ['cat-file', 'blob', `${tree}:${path}`] });
  if (!format || !bytes.ok) return undefined;
  const read = readPlan({ path: join(project.repository.root, path), format, bytes: bytes.value });
  return read.ok && planProblem(read.value) === undefined ? read.value : undefined;
}

interface ThreePlans {
  readonly base: OpenPlan;
  readonly here: OpenPlan;
  /** On the branch of the run. */
  readonly there: OpenPlan;
}

/** Undefined where the words of an item differ on both sides, or the plan cannot take a change. */
function mergePlans({ base, here, there }: ThreePlans): OpenPlan | undefined {
  const [before, now] = [itemsOf(base), itemsOf(here)];
  let merged = here;
  for (const item of there.plan.items) {
    const [was, is] = [before.get(item.id), now.get(item.id)];
    // A person took it out.
    if (was && !is) continue;
    if (is && itemWords(is) !== itemWords(item) && (!was || itemWords(was) !== itemWords(item))) return undefined;
    const added = is ? ok(merged) : appendToPlan(merged, item);
    if (!added.ok) return undefined;
    const to = item.status === was?.status || item.status === is?.status ? undefined : markOf(item.status);
    const marked = to === undefined || (!is && to === 'pending') ? added : markPlan(added.value, { id: item.id, to });
    if (!marked.ok) return undefined;
    merged = marked.value;
  }
  return merged;
}

const itemsOf = ({ plan }: OpenPlan): ReadonlyMap<string, Item> => new Map(plan.items.map(item => [item.id, item]));

/** What is in work has no mark of its own that would outlive the run. */
const markOf = (status: ItemStatus): Mark['to'] | undefined => (status === 'in-progress' ? undefined : status);

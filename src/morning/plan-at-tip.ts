/** The plan as the branch of a run has it, and the files of it in which items are made pending again. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { withCheckout } from '../loop.ts';
import { markOwnFile, markPlan, type OpenPlan, openPlan, ownFileOf, planProblem } from '../plan/index.ts';
import type { Item, Mark } from '../protocol.ts';
import type { Project } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { fail, ok, type Result } from '../util/result.ts';
import type { OtherTrees, TreeEdit } from '../workspace/index.ts';

export interface AtTip {
  readonly project: Project;
  readonly state: RunState;
  readonly trees: OtherTrees;
  readonly tip: string;
}

export interface PendingAgain {
  /** The plan's own files in the tree, with the items pending; none where git does not keep the plan. */
  readonly edits: readonly TreeEdit[];
  /** A plan that git does not keep is marked where it lies, once the branch has moved. */
  readonly markOnDisk: () => Result<void>;
}

/** The items of the plan; none where neither the branch nor the checkout has it. */
export async function itemsAtTip(at: AtTip): Promise<Result<readonly Item[]>> {
  return await withPlan(at, open => ok(open?.plan.items ?? []));
}

export async function pendingAgain(at: AtTip, ids: readonly string[], now: number): Promise<Result<PendingAgain>> {
  const entries = await at.trees.entries(at.tip);
  if (!entries.ok) return entries;
  const modes = new Map(entries.value.map(({ path, mode }) => [path, mode]));
  return await withPlan<PendingAgain>(at, (open, folder) => {
    const nothing = ok(undefined);
    if (open === undefined) return ok({ edits: [], markOnDisk: () => nothing });
    const marks = ids.map(id => ({ id, to: 'pending', at: now }) as const);
    if (folder === undefined) return ok({ edits: [], markOnDisk: () => discard(mark(open, marks)) });
    const marked = mark(open, marks);
    if (!marked.ok) return marked;
    const { document, path } = marked.value;
    const renderings = document.renderings?.(now) ?? [];
    const rendered = renderings.map(each => ({
      path: relative(folder, join(dirname(path), each.path)),
      content: Buffer.from(each.text),
    }));
    // Through a link of the tree: the file that it leads to is the one that is marked.
    const written = [
      relative(realpathSync(folder), realpathSync(path)),
      ...ids.flatMap(id => ownFileOf(marked.value, id, folder)),
    ];
    const edits = [...written.map(each => ({ path: each, content: readBytes(join(folder, each)) })), ...rendered];
    // What is not in the tree is ignored, and stays so.
    const known = edits.flatMap(({ path: file, content }) => {
      const mode = modes.get(file);
      return mode === undefined ? [] : [{ path: file, mode, content }];
    });
    return ok({ edits: known, markOnDisk: () => nothing });
  });
}

const discard = (result: Result<unknown>): Result<void> => (result.ok ? ok(undefined) : result);

/** Marks a plan that git does not keep, in a checkout: by default the run's. Nothing where the branch has the plan. */
export async function markIgnored(
  { project: { repository, formats = [] }, state, tip }: Omit<AtTip, 'trees'>,
  marks: readonly Mark[],
  checkout = state.workspace,
): Promise<Result<void>> {
  const path = resolve(repository.root, checkout, state.plan.path);
  const isKept = (await repository.git.text('cat-file', '-e', `${tip}:${state.plan.path}`)).ok;
  if (isKept || marks.length === 0) return ok(undefined);
  // State that the first run makes is only where it worked.
  const made = existsSync(path) ? undefined : readBytes(resolve(repository.root, state.workspace, state.plan.path));
  if (made) writeAtomic(path, made);
  const open = openPlan(path, { formats });
  if (!open.ok) return existsSync(path) ? open : ok(undefined);
  const problem = planProblem(open.value);
  return problem ? fail(problem) : discard(mark(open.value, marks));
}

function mark(plan: OpenPlan, marks: readonly Mark[]): Result<OpenPlan> {
  let open = plan;
  for (const wanted of marks) {
    if (!open.plan.ids.includes(wanted.id)) continue;
    const marked = markPlan(open, wanted);
    if (!marked.ok) return marked;
    const { bytes } = marked.value;
    if (!bytes.equals(open.bytes)) writeAtomic(open.path, bytes);
    const read = markOwnFile(marked.value, wanted);
    if (!read.ok) return read;
    open = read.value;
  }
  return ok(open);
}

/** `folder` is a copy of the tip's tree; undefined where the plan is not in it but in the run's checkout, if anywhere. */
async function withPlan<T>(
  { project, state, trees, tip }: AtTip,
  use: (open: OpenPlan | undefined, folder: string | undefined) => Result<T>,
): Promise<Result<T>> {
  const { repository, formats = [] } = project;
  const { git, root } = repository;
  const tree = await git.text('rev-parse', '--verify', `${tip}^{tree}`);
  if (!tree.ok) return tree;
  if ((await git.text('cat-file', '-e', `${tree.value}:${state.plan.path}`)).ok) {
    const workspace = { root, trees };
    const fresh = { workspace, run: state.run, tree: tree.value, packages: 'none' } as const;
    const used = await withCheckout(fresh, async folder => {
      if (leadsOut(folder, state.plan.path)) return undefined;
      const open = openPlan(join(folder, state.plan.path), { formats });
      return open.ok ? use(open.value, folder) : open;
    });
    if (!used.ok) return used;
    if (used.value) return used.value;
  }
  const path = resolve(root, state.workspace, state.plan.path);
  if (!existsSync(path)) return use(undefined, undefined);
  const open = openPlan(path, { formats });
  return open.ok ? use(open.value, undefined) : open;
}

/** A link to a file that is not in the tree: git keeps the link, not the plan. */
function leadsOut(folder: string, path: string): boolean {
  const file = join(folder, path);
  return !existsSync(file) || !realpathSync(file).startsWith(realpathSync(folder) + sep);
}

/** What a run takes over from the person's tree at its start, and what it leaves there at its end. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { foreignPaths, keepForeign, type Session, writeRenderings } from '../loop.ts';
import { movedPlan, type OpenPlan, reparse, rereadPlan, withItems } from '../plan/index.ts';
import { isClosed } from '../state.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { linkAt, pathBelow } from '../util/paths.ts';
import { ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { firstFew, oneLine } from '../util/show.ts';
import { type BranchChoice, type Head, type Repository, repoPath, type Workspace } from '../workspace/index.ts';

/** The worktree's copy of the plan: the branch's own if it has one, otherwise the person's; with `asGiven` always the person's. */
export function planInWorktree(
  plan: OpenPlan,
  { path, asGiven }: { readonly path: string; readonly asGiven: boolean },
): OpenPlan {
  if (!existsSync(path) || (asGiven && !readBytes(path)?.equals(plan.bytes))) writeAtomic(path, plan.bytes);
  const bytes = readBytes(path) ?? plan.bytes;
  return movedPlan(plan, path, bytes);
}

export function ownedConfig(at: {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}): { file: string; bytes: Buffer; link: string | undefined } | undefined {
  const bytes = readBytes(at.file);
  if (!bytes) return undefined;
  const file = join(at.to, relative(at.from, at.file));
  if (!readBytes(file)?.equals(bytes)) writeAtomic(file, bytes);
  return { file, bytes, link: linkAt(file) };
}

/**
 * A run continues with the plan on its branch: open items that the person has added elsewhere are added there, unless words of them would be
 * lost. `known` are those that the run has met: what it lacks of them was taken out.
 */
export function takeAdded(
  persons: OpenPlan,
  { branch, commit }: Head,
  { known, mayWrite }: { readonly known: readonly string[]; readonly mayWrite: boolean },
): readonly string[] {
  const there = rereadPlan(persons);
  const isKnown = new Set([...there.plan.ids, ...known]);
  if (persons.plan.ids.every(id => isKnown.has(id))) return [];
  const added = persons.plan.items.filter(({ id, status }) => !isKnown.has(id) && !isClosed(status));
  const [first, ...others] = added;
  if (first === undefined) return [];
  const from = branch || commit.slice(0, 7);
  const which = `${oneLine(first.id)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  const plan = mayWrite ? withItems(there, added) : undefined;
  if (plan) {
    writeAtomic(plan.path, plan.bytes);
    return [`the plan on ${from} has ${which}, which the plan of this run did not have; added`];
  }
  // Where the run's marks are in the same file, a merge would have conflicts with them.
  const isMarked = ['prd', 'checklist', 'sprint'].includes(there.plan.format);
  const how = isMarked ? `write it into ${oneLine(basename(there.path))} here` : `git merge ${quoted(from)}`;
  return [`the plan on ${from} has ${which}, but the plan of this run does not. To add it: ${how}`];
}

/** A new run brings its plan to an existing branch, so warn about items that only the branch's plan has. */
export async function leftOutOnBranch(
  repository: Repository,
  plan: OpenPlan,
  { branch, base }: BranchChoice,
): Promise<readonly string[]> {
  const path = repoPath(repository, plan.path);
  const there = await repository.git.run({ args: ['cat-file', 'blob', `${base}:${path}`] });
  const before = there.ok ? reparse(plan, there.value) : there;
  if (!before.ok) return [];
  const [first, ...others] = before.value.plan.ids.filter(id => !plan.plan.ids.includes(id));
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [
    `the plan on ${branch} has ${oneLine(first)}${more}, which the plan here lacks; the run uses the plan here. To see the other: git show ${quoted(`${base.slice(0, 7)}:${path}`)}`,
  ];
}

export interface PlanPlace {
  /** The path under which git tracks the plan; undefined if git does not see it. */
  readonly inTree: string | undefined;
  /** All paths in the tree that refer to the plan: its file, and a link to it. */
  readonly owned: readonly string[];
  readonly link: string | undefined;
}

/** A plan may be a link: it is read and written through the link, and the file behind it is committed. */
export async function planPlace(workspace: Workspace, path: string): Promise<PlanPlace> {
  const real = pathBelow(workspace.root, realpathSync(path));
  const inTree = real !== undefined && !(await workspace.isIgnored(real)) ? real : undefined;
  const link = linkAt(path);
  const linked = link === undefined ? undefined : pathBelow(workspace.root, path);
  const owned = [inTree, linked].filter(each => each !== undefined);
  return { inTree, owned, link };
}

/** Commits an uncommitted plan or config at the start, so that an item's commit contains only its own work. */
export async function commitGiven(session: Session): Promise<Result<void>> {
  return await commitOwned(session, 'take the plan and config as given');
}

/**
 * Commits what the plan says of items that no commit took along, when the run ends: blocked items and attempts, for formats that store
 * every state in their file, and in a worktree, where no person would see and commit them, the marks of people.
 */
export async function commitState(session: Session): Promise<Result<void>> {
  const { plan, state, workspace } = session;
  if ((!plan.document.begin && state.workspace === '.') || !workspace.isCheckedOut()) return ok(undefined);
  const left = await leaveAttempt(session);
  if (!left.ok) return left;
  await writeRenderings(session, session.clock.now());
  return await commitOwned(session, 'record where the plan stands');
}

async function commitOwned(session: Session, what: string): Promise<Result<void>> {
  const { workspace } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const before = await workspace.treeOf(tip.value);
  if (!before.ok) return before;
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  session.tree = now.value;
  session.treeOfTip = { commit: tip.value, tree: before.value };
  if (now.value === before.value) return ok(undefined);
  const diff = await workspace.diff(before.value, now.value);
  if (!diff.ok) return diff;
  const { ownedInTree } = session.options;
  if (!diff.value.changes.every(change => ownedInTree.includes(change.path))) return ok(undefined);
  const message = `chore(ralph): ${what}\n\nRalph-Run: ${session.state.run}\n`;
  const commit = await workspace.commit({ tree: now.value, parent: tip.value, message, at: session.clock.now() });
  if (!commit.ok) return commit;
  session.treeOfTip = { commit: commit.value, tree: now.value };
  return ok(undefined);
}

/** At the end the work tree contains only accepted work; an unfinished attempt is kept under its ref and resumed from there. */
export async function leaveClean(session: Session): Promise<Result<void>> {
  // A person who switched to another branch has their own work tree there.
  if (!session.workspace.isCheckedOut()) return ok(undefined);
  const left = await leaveAttempt(session);
  if (left.ok) await session.workspace.syncIndex();
  return left;
}

/** Removes an unfinished attempt from the work tree; the plan stays as it is. */
async function leaveAttempt(session: Session): Promise<Result<void>> {
  const { workspace } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const clean = await workspace.treeOf(tip.value);
  if (!clean.ok) return clean;
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  if (now.value === clean.value) return ok(undefined);
  const diff = await workspace.diff(clean.value, now.value);
  if (!diff.ok) return diff;
  const difference = { now: now.value, changes: diff.value.changes, tip: tip.value };
  const foreign = await foreignPaths(session, difference);
  if (!foreign.ok) return foreign;
  const { lastTree } = session.state;
  if (foreign.value.length > 0 && (lastTree === '' || lastTree === clean.value)) {
    session.notice('warn', `${firstFew(foreign.value, 3)}: not made by any iteration, and left as it is`);
    return await workspace.forget(clean.value);
  }
  const kept = await keepForeign(session, difference);
  if (!kept.ok) return kept;
  const restored = await workspace.restore(clean.value, diff.value.changes);
  if (!restored.ok) return restored;
  // Keep a person's edits of the plan since the last commit.
  if (session.options.planInTree) writeAtomic(session.plan.path, session.plan.bytes);
  return ok(undefined);
}

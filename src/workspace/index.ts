/** The only place that calls git: branches, worktrees, snapshots, commits, and git put back as it was. */
export { attemptRef } from './attempt-ref.ts';
export { borrowHistory } from './borrowed-history.ts';
export {
  type BranchChoice,
  checkOut,
  chooseBranch,
  knowsWorktree,
  openWorktree,
  refuseName,
  refuseTaken,
  worktreeAt,
} from './branch.ts';
export { type Carry, carrying } from './carry.ts';
export type { Commit } from './commit-object.ts';
export { type Contents, objectIds, readContents, searchTests } from './contents.ts';
export { type Diff, parseDiff } from './diff.ts';
export { furnish } from './furnish.ts';
export { Git, withoutRedirection } from './git.ts';
export { type ConfigEntry, globalConfigText } from './global-config.ts';
export type { InnerEdit } from './inner-trees.ts';
export { commitsOfRun, itemsBetween } from './item-commits.ts';
export { checkouts, isContained, type Merged, mergedTree, uncommitted } from './merging.ts';
export { moveForward, refuseMove } from './move-forward.ts';
export { OtherTrees, type TreeEdit, type TreeEntry } from './other-trees.ts';
export { copyIndex } from './own-index.ts';
export { heldAt, pushBranch, type Remote, remoteOf, remoteRefs, throughVault } from './push.ts';
export { lostTop, rebuildLost } from './rebuild.ts';
export { repairGit } from './repair.ts';
export {
  besideRepositories,
  commitSettings,
  dirtyPaths,
  type Head,
  identity,
  isIgnored,
  isOnOtherBranch,
  openRepository,
  placeOfRepository,
  type Repository,
  readHead,
  refuseHalfDone,
  repoPath,
} from './repository.ts';
export { type SharedVault, shareVault } from './share-vault.ts';
export type { SinceSnapshot } from './since-snapshot.ts';
export { Vault, type VaultOptions } from './vault.ts';
export { vaultIn } from './vault-place.ts';
export { openWorkerCheckout, removeWorkerCheckouts, workerBranch, workerRoot } from './worker-checkouts.ts';
export { type Strayed, Workspace } from './workspace.ts';

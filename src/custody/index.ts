/** Protects state from other programs: records it before they run, restores it afterwards. */
export { heldAccess } from './access.ts';
export { isCutOff, putBackOwned } from './after-crash.ts';
export { keepAside } from './file-content.ts';
export { type FoundUnderGates, heldIgnored, heldTree, ignoredAfterCrash, UNTOUCHED } from './gate-ground.ts';
export { type Change, editsOf, type Held, hold, UNCHANGED } from './hold.ts';
export { IgnoredFiles, type Settled } from './ignored-files.ts';
export { ignoredKind, PACKAGE_FOLDERS } from './ignored-kinds.ts';
export { heldLessons, OwnLessons } from './lessons.ts';
export { heldOtherPlans } from './other-plans.ts';
export { heldGit, heldJournal, heldOwnFiles, keptInRalph } from './own-files.ts';
export { restoreKind } from './owned-file.ts';
export { InstalledPackages, type Installer } from './packages.ts';
export { heldConfig, heldPlan, heldPlanCopy, putCopyBack } from './plan-file.ts';
export { Planted } from './planted.ts';
export { heldToolFiles, type ToolFilesFound } from './tool-files.ts';
export { checkoutThings, putBackPlan, rememberTree, type TreeBefore, type TreeFound } from './work-tree.ts';

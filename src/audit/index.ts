/**
 * The door of this room: a change goes in, findings come out. Other rooms may import only this file; `scripts/arrows.mjs`
 * checks that. Loading these modules has no side effects, so that a bundler can drop what is not used.
 */
export { isManifest } from './dependencies.ts';
export { answersWanted, lockfilesWanted, targetsWanted } from './files-wanted.ts';
export { goneNames, mentioned } from './gone-names.ts';
export { groundEdits } from './ground.ts';
export type { Language } from './language.ts';
export type { Line } from './line.ts';
export { diffLines } from './line-diff.ts';
export { type Look, LookFile, lookAt, names } from './look.ts';
export { documentsWanted } from './named-documents.ts';
export { productionLines } from './production-lines.ts';
export { isGateFile, isTestName, isToolConfig, roleOf, subjectOf } from './roles.ts';
export { checkGuards, guards } from './rules/all.ts';
export { liftedBy } from './rules/lifted.ts';
export { quote, some } from './rules/rule.ts';
export { redact } from './secrets.ts';
export { shadowedWanted } from './shadows.ts';
export { compareTests, type Placed } from './tests/compare.ts';
export { normalName } from './tests/test-case.ts';

/** Plans: their formats, reading and marking them, and picking the next item. */
export { allowProblem } from './allow.ts';
export { appendToPlan, beginInPlan, markedFiles, markPlan, reviewPlan } from './change.ts';
export { type CheckReport, checkReport } from './check-report.ts';
export { checklist } from './checklist.ts';
export { nameTasks, readTasks, type Task } from './checklist-items.ts';
export { closedIn } from './closed-in.ts';
export { comparePlans, itemWords, newlyClosed } from './compare.ts';
export { findConflict } from './conflict.ts';
export { diskFiles } from './disk.ts';
export { type TextReading, textDocument } from './document.ts';
export { commonPath, pathsNamed } from './footprint.ts';
export { formats } from './formats.ts';
export { groups } from './groups.ts';
export { markOwnFile, ownFileOf } from './mark-files.ts';
export { linesUnder, scanMarkdown } from './markdown.ts';
export { unknownItem } from './named-item.ts';
export { type Pick, type PickInput, passedOver, pickNext, tally } from './next.ts';
export { type OpenOptions, openPlan, openPlanIn, planOfWords } from './open.ts';
export { pickOrder } from './pick-order.ts';
export { asPlainCommand } from './plain-commands.ts';
export { planProblem, wholePlanProblem } from './plan-problem.ts';
export { prd } from './prd.ts';
export { BODIES, DEPENDS, PART_TEXTS, PARTS, priorityOf, REASONS, TITLES, VERIFY } from './prd-fields.ts';
export { prdSchema } from './prd-schema.ts';
export { DONE_FLAGS, STATE_FLAGS, statusKey, statusOfWord } from './prd-state.ts';
export { findStories, IDS, LISTS, type Story, wrapped } from './prd-stories.ts';
export { isPromptName } from './prompt.ts';
export { type OpenPlan, readPlan, reparse } from './read-file.ts';
export { movedPlan, planFrom, rereadPlan } from './reread.ts';
export { boxlessPlan, findPlan, plansBelow } from './search.ts';
export { compiledShape, compileFolder, sprint } from './sprint.ts';
export { progressSchema } from './sprint-schema.ts';
export { readTaskText, slugOf } from './task-text.ts';
export {
  type Address,
  copyFile,
  isAddress,
  OWN_SCHEMES,
  outboxFile,
  readAddress,
  showAddress,
  trackersFolder,
} from './tracker/address.ts';
export { type Elsewhere, readCopy, type TrackerCopy, writeCopy } from './tracker/copy.ts';
export { blockersIn } from './tracker/links.ts';
export { type TakenIds, uniqueId } from './unique-id.ts';
export { withItems } from './with-items.ts';
export { wordFiles } from './word-files.ts';

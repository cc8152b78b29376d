/** Everything before the first item, and looking at runs that are there. */
export { isWorkedOnElsewhere } from './already-done.ts';
export { othersLive } from './already-running.ts';
export { continueApart, isApart } from './apart-run.ts';
export { type AuditOptions, audit } from './audit.ts';
export { type Baseline, checkBaseline } from './baseline.ts';
export { tellBeads } from './beads.ts';
export { type ChosenAgents, type ChosenReviewer, chooseAgent } from './choose-agent.ts';
export { type ChosenSandbox, chooseSandbox, factsOf } from './choose-sandbox.ts';
export { type CurrentRun, currentRun, type RunPlace, runMeant } from './current-run.ts';
export { diagnose } from './diagnose.ts';
export { type DoctorOptions, type DoctorReport, doctor } from './doctor.ts';
export { documentConflicts } from './document-conflicts.ts';
export { type Found, findPlanAndRun } from './find-plan.ts';
export { findReviews } from './find-reviews.ts';
export { earlierRuns, findRun, withEarlier } from './find-run.ts';
export type { Finding } from './finding.ts';
export { idsElsewhere } from './ids-elsewhere.ts';
export { closeMerged, type FoundIssues, findWithIssues, mirrorOf, type Synced, syncIssues, unsent } from './issues.ts';
export { itemsOfRun, readItemsOfRun } from './items-of-run.ts';
export { keepLock, orRelease } from './keep-lock.ts';
export { type KnownAgent, knownAgents } from './known-agents.ts';
export { type CountedLesson, type LessonsOptions, lessons, rankedLessons, withCounts } from './lessons.ts';
export { liveRun } from './live-run.ts';
export { goOnCommand, identityOf, type Meant, meantPlan, runnablePlan } from './meant-plan.ts';
export { finishLeftArchives, memoryOf, openMemory } from './memory.ts';
export { missingContext } from './missing-context.ts';
export { openRuns } from './open-runs.ts';
export { type PlanFile, planFile } from './plan-file.ts';
export { cleared, type Preflight, preflight, refuseLocked, refuseState } from './preflight.ts';
export { isPromptText, locatePlan, openProject, type Project, type Refusal, refuse } from './project.ts';
export {
  dequeue,
  enqueue,
  isLeftOpen,
  isLiveNamed,
  isUnminded,
  mindQueue,
  type Queued,
  queueIn,
  queueLines,
  waitsFor,
} from './queue.ts';
export { pastCost, pastFigures, report, reportOn } from './report.ts';
export { runCommits } from './run-commits.ts';
export { isCalled } from './run-names.ts';
export { planKeyOf, type Seat, type TakenOver, takeOver, takeSeat } from './take-over.ts';
export { takeTurn } from './take-turns.ts';
export { readTemplates } from './templates.ts';
export { allOpen, type Tried, tryEscapes } from './try-escapes.ts';
export { clearUnborn } from './unborn.ts';
export { unstartableChecks } from './unstartable-checks.ts';
export { type OpenWorkspace, openWorkspace } from './workspace.ts';

/** A session whose only result is a plan, and plans made from other files. */
export { lostBetween } from './compare-items.ts';
export { convertPlan } from './convert-plan.ts';
export { importMarkdown } from './import-markdown.ts';
export { describeLost, type Lost } from './lost.ts';
export { makePlan, type PlanningNews, type PlanOutcome, type Spent } from './make-plan.ts';
export { SPREAD } from './spread.ts';
export { chooseTarget, USUAL_FILE } from './target.ts';
export { writePrd } from './write-prd.ts';
export { DRAFT_FILE, refuseSpread, type SpreadRequest, writeSpread } from './write-spread.ts';

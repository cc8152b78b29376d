/**
 * The steps that follow an agent. They are large, so they are loaded while the first agent works, which does not delay its start. They are
 * not loaded later, when they are needed: by then an update may have replaced the files on disk.
 */
export { conclude } from './conclude.ts';
export { finishPlan } from './finish-plan.ts';
export { gather } from './gather.ts';
export { judge } from './judge.ts';
export { abortIteration, recoverTree } from './recover.ts';
export { reviewItem } from './review.ts';

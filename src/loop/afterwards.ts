/**
 * All that comes after an agent. It is large, so it is loaded while the first agent works and not before it starts; and then, not
 * when it is needed: hours later a newer version may have taken its place on the disk.
 */
export { conclude } from './conclude.ts';
export { finishPlan } from './finish-plan.ts';
export { gather } from './gather.ts';
export { judge } from './judge.ts';
export { abortIteration, recoverTree } from './recover.ts';
export { reviewItem } from './review.ts';

/** Decides how to react to a failure that the work did not cause. */
export { isSetBack, type LimitClock, limitClock, limitsFolder } from './limit-clock.ts';
export { type Reaction, react } from './wait.ts';

/** What to do about a failure that is not the work's. */
export { type LimitClock, limitClock, limitsFolder } from './limit-clock.ts';
export { type Reaction, react } from './wait.ts';

/** What to do about a failure that is not the work's. */
export { react } from './wait.ts';

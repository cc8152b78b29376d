/** What must be as it was: held before code that is not the runner's runs, and put back after it. */
export { linkAt, restoreKind } from './owned-file.ts';

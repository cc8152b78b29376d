/** The only place that starts programs, waits for them and ends them. */
export { actorHere } from './actor.ts';
export { isInOlderSession, isPerson } from './asker.ts';
export { capture, expectCalls } from './capture.ts';
export { type Changed, changedSince, countEntries } from './changed-since.ts';
export { startChildRun } from './child-run.ts';
export { isOwnSession, startDetached, withoutOwnMark } from './detached.ts';
export { identify, isAlive, self } from './identity.ts';
export { loadIsAlive } from './load-identity.ts';
export { openBrowser } from './open-browser.ts';
export { programPath } from './program-path.ts';
export { runHere } from './run-here.ts';
export { isSupervising, killRunning } from './running.ts';
export { keepAlive, type Standing, startStanding } from './standing.ts';
export { Stopper } from './stopper.ts';
export { runCommand, type SuperviseOptions, supervise, superviseInside } from './supervise.ts';
export { endLeftovers } from './sweep.ts';
export { systemTable } from './system-table.ts';

/** Sets a worker's checkout up once, and again when a tree arrives that needs other packages. */
import { isManifest, roleOf } from '../audit/index.ts';
import { type CheckPlace, runChecks } from '../checks/index.ts';
import type { Change } from '../protocol.ts';
import { allGreen } from '../state.ts';
import { fail, ok, type Result } from '../util/result.ts';
import type { Session } from './session.ts';

/** Runs the set-up as in the run's own checkout: without a sandbox, with all variables that a private registry may need. */
export async function setUpCheckout(worker: Session): Promise<Result<void>> {
  const { setup } = worker.settings;
  if (setup.length === 0) return ok(undefined);
  const { env, stopper } = worker.options;
  const place: CheckPlace = {
    workspace: worker.workspace,
    options: { env, stopper, settings: { gateEnv: ['*'] } },
    show: event => worker.show(event),
  };
  const done = await runChecks(place, { gates: setup, phase: 'item' });
  if (allGreen(done) || stopper.signal.aborted) return ok(undefined);
  const red = done.find(({ status }) => status !== 'green');
  return fail({
    reason: 'setup-failed',
    message: `a worker's checkout could not be set up: \`${red?.run ?? ''}\` failed`,
    hint: `Run it yourself in ${worker.workspace.root}, fix it, then: ralph run`,
  });
}

/** Other workers may have changed which packages are needed. */
export async function readyCheckout(worker: Session, changes: readonly Change[]): Promise<Result<void>> {
  const asks = changes.some(({ path }) => isManifest(path) || roleOf(path) === 'lockfile');
  return asks ? await setUpCheckout(worker) : ok(undefined);
}

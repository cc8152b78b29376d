/** Whether the repository was already red before the first item. */

import { type CheckPlace, runChecks } from '../checks/index.ts';
import { UNTIL } from '../config/index.ts';
import type { GateResult, Plan } from '../protocol.ts';
import { allGreen } from '../state.ts';
import { tailOf } from '../util/bounded.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import { gateEnd } from '../util/show.ts';
import type { Workspace } from '../workspace/index.ts';
import type { Found } from './find-plan.ts';
import { type Project, type Refusal, refuse } from './project.ts';

export interface Baseline {
  readonly tree: string;
  readonly gates: readonly GateResult[];
}

export interface BaselineRequest {
  readonly project: Project;
  readonly place: CheckPlace & { readonly workspace: Workspace };
  readonly found: Pick<Found, 'plan' | 'state' | 'died'>;
  /** The one item that is wanted. */
  readonly only?: string | undefined;
  /** A checkout that did not exist before: setup commands have to run. */
  readonly fresh: boolean;
  /** Asked before what the gates wrote is undone; a run owns its tree. */
  readonly mayUndo?: () => boolean;
}

const TAIL_CHARS = 1500;

/** The first group lays the foundation: before it there is nothing that gates could look at. */
export function isFoundation({ format, items }: Plan, only?: string): boolean {
  const [first] = items;
  const untouched = items.every(item => item.status === 'pending' || (item === first && item.status === 'in-progress'));
  return format === 'groups' && first !== undefined && untouched && (only === undefined || only === first.id);
}

/** Setup where the checkout is new, then the gates; undefined where there is nothing to find out. */
export async function checkBaseline(request: BaselineRequest): Promise<Result<Baseline | undefined, Refusal>> {
  const { project, place, found, only, fresh } = request;
  if (fresh) {
    // Setting up is the person's own doing, on files that no agent has touched: a private registry may need its token.
    // For the same reason in no sandbox: what it leaves in caches and stores is there for the gates.
    const { env, stopper } = place.options;
    const setUpPlace = { ...place, options: { env, stopper, settings: { gateEnv: ['*'] } } };
    const setUp = await runChecks(setUpPlace, { gates: project.settings.setup, phase: 'baseline' });
    if (!allGreen(setUp)) return refuse(4, redFailure('a setup command failed', setUp));
  }
  // After a crash the tree is only known once it is recovered, and what was accepted there was green.
  if (found.died || isFoundation(found.plan.plan, only)) return ok(undefined);
  return await checkGates(request);
}

async function checkGates({
  project,
  place,
  found: { state },
  mayUndo = () => true,
}: BaselineRequest): Promise<Result<Baseline | undefined, Refusal>> {
  const { baseline } = project.settings;
  const gates = project.settings.gates.filter(gate => gate.name !== UNTIL);
  if (gates.length === 0) return ok(undefined);
  const tree = await place.workspace.snapshot();
  if (!tree.ok) return refuse(4, tree.error);
  if (tree.value === state?.greenTree) return ok(undefined);
  // A run that starts red anyway has to know of every gate which it was.
  const wasRed = () => baseline === 'any';
  const ran = await runChecks(place, { gates, phase: 'baseline', wasRed });
  const results = ran.map(result => (result.wasRed ? asFound(result) : result));
  if (mayUndo()) {
    const after = await place.workspace.snapshot();
    if (after.ok && after.value !== tree.value) await place.workspace.restore(tree.value);
  }
  if (!allGreen(results) && baseline === 'green' && !place.options.stopper.signal.aborted) {
    const confined = place.options.sandbox !== undefined;
    return refuse(4, redFailure('the repository is red before the first item', results, { confined }));
  }
  return ok({ tree: tree.value, gates: results });
}

/** Nothing was before the baseline. */
function asFound({ wasRed: _, ...result }: GateResult): GateResult {
  return result;
}

function redFailure(
  what: string,
  results: readonly GateResult[],
  { confined = false }: { readonly confined?: boolean } = {},
): Failure {
  const red = results.find(result => result.status !== 'green');
  const tail = red?.tail ? `\n\n${tailOf(red.tail, TAIL_CHARS)}\n` : '';
  return {
    reason: 'red-baseline',
    message: `${what}: \`${red?.run ?? ''}\` ${red ? gateEnd(red) : ''}${tail}`,
    hint: [
      'Fix it first, or start anyway with --allow-red (baseline: any in the config).',
      ...(confined
        ? ['Green without the sandbox (ralph doctor --no-sandbox)? Allow what it needs: docs/sandbox.md']
        : []),
    ].join('\n'),
  };
}

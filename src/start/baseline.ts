/** Whether the repository was already red before the first item. */
import { UNTIL } from '../config/settings.ts';
import { type CheckPlace, runChecks } from '../loop/checks.ts';
import type { GateResult, Plan } from '../protocol.ts';
import { allGreen } from '../state.ts';
import { tailOf } from '../util/bounded.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Project, type Refusal, refuse } from './project.ts';

export interface Baseline {
  readonly tree: string;
  readonly gates: readonly GateResult[];
}

export interface BaselineRequest {
  readonly project: Project;
  readonly place: CheckPlace & { readonly workspace: Workspace };
  /** The tree a previous verdict already found green. */
  readonly knownGreen: string;
}

const TAIL_CHARS = 1500;

/** The first group lays the foundation: before it there is nothing that gates could look at. */
export function isFoundation({ format, items }: Plan, only?: string): boolean {
  const [first] = items;
  const untouched = items.every(item => item.status === 'pending' || (item === first && item.status === 'in-progress'));
  return format === 'groups' && first !== undefined && untouched && (only === undefined || only === first.id);
}

/** Undefined where there is nothing to find out. */
export async function checkBaseline(request: BaselineRequest): Promise<Result<Baseline | undefined, Refusal>> {
  const { project, place, knownGreen } = request;
  const { baseline } = project.settings;
  const gates = project.settings.gates.filter(gate => gate.name !== UNTIL);
  if (gates.length === 0) return ok(undefined);
  const tree = await place.workspace.snapshot();
  if (!tree.ok) return refuse(4, tree.error);
  if (tree.value === knownGreen) return ok(undefined);
  // A run that starts red anyway has to know of every gate which it was.
  const wasRed = () => baseline === 'any';
  const found = await runChecks(place, { gates, phase: 'baseline', wasRed });
  const results = found.map(result => (result.wasRed ? asFound(result) : result));
  const after = await place.workspace.snapshot();
  if (after.ok && after.value !== tree.value) await place.workspace.restore(tree.value);
  if (!allGreen(results) && baseline === 'green' && !place.options.stopper.signal.aborted) {
    return refuse(4, redFailure('the repository is red before the first item', results));
  }
  return ok({ tree: tree.value, gates: results });
}

/** Nothing was before the baseline. */
function asFound({ wasRed: _, ...result }: GateResult): GateResult {
  return result;
}

export function redFailure(what: string, results: readonly GateResult[]): Failure {
  const red = results.find(result => result.status !== 'green');
  const tail = red?.tail ? `\n\n${tailOf(red.tail, TAIL_CHARS)}\n` : '';
  return {
    reason: 'red-baseline',
    message: `${what}: \`${red?.run ?? ''}\` ${red?.status === 'timeout' ? 'ran out of time' : `exited ${red?.exit ?? 'by a signal'}`}${tail}`,
    hint: 'Fix it first, or start anyway with --allow-red (baseline: any in ralph.yaml).',
  };
}

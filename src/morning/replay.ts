/** `audit --replay`: the checks that each accepted item was accepted on, run again on its commit in a clean checkout. */
import type { Passing, Recorded } from '../events.ts';
import type { Gate, GateResult } from '../protocol.ts';
import { gateOutcome, shortCommit } from '../report/index.ts';
import type { Project } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { gatesOnTree } from './gates-on-tree.ts';
import { findNightRun } from './night-run.ts';

export interface ReplayOptions {
  readonly project: Project;
  /** Its id, its plan or its branch. */
  readonly run: string;
  readonly signal: AbortSignal;
  readonly show: (item: string, event: Passing) => void;
}

export interface Replayed {
  readonly item: string;
  /** Where it was accepted; its base where it needed no change. */
  readonly commit: string;
  readonly reproduced: boolean;
  /** Why not; empty where it was. */
  readonly why: string;
  /** What was green then, as it came out now. */
  readonly checks: readonly Pick<GateResult, 'name' | 'run' | 'status' | 'exit' | 'tail'>[];
}

export interface Replay {
  readonly run: string;
  readonly branch: string;
  readonly items: readonly Replayed[];
}

export async function replay({ project, run, signal, show }: ReplayOptions): Promise<Result<Replay>> {
  const night = await findNightRun(project, run);
  if (!night.ok) return night;
  const { state, records } = night.value;
  const items: Replayed[] = [];
  for (const claim of claimsOf(state, records)) {
    const again = await replayOne(claim, { project, run, state, signal, show });
    if (signal.aborted) return fail({ reason: 'interrupted', message: `stopped while ${claim.item} was replayed` });
    if (!again.ok) return again;
    items.push(again.value);
  }
  return ok({ run: state.run, branch: state.branch, items });
}

interface Claimed {
  readonly item: string;
  readonly commit: string;
  /** Those that were green. */
  readonly checks: readonly GateResult[];
}

/** The newest acceptance of each item that the run calls done, in the order of acceptance. */
function claimsOf(state: RunState, records: readonly Recorded[]): readonly Claimed[] {
  const bases = new Map<number, string>();
  const green = new Map<number, readonly GateResult[]>();
  const claims = new Map<string, Claimed>();
  const claim = (item: string, commit: string, checks: readonly GateResult[]) => {
    claims.delete(item);
    claims.set(item, { item, commit, checks });
  };
  for (const record of records) {
    if (record.type === 'iteration.started') bases.set(record.iteration, record.base);
    if (record.type === 'evidence') {
      const { gates, verify } = record.evidence;
      green.set(
        record.iteration,
        [...verify, ...gates].filter(({ status }) => status === 'green'),
      );
    }
    if (record.type === 'iteration.finished' && record.verdict === 'accepted') {
      const { iteration, item, commit = bases.get(iteration) ?? '' } = record;
      claim(item, commit, green.get(iteration) ?? []);
    }
    // Its records were lost with the end of a journal; only its commit is known.
    if (record.type === 'item.adopted') claim(record.item, record.commit, []);
    // A person's word is no claim that could be checked.
    if (record.type === 'item.marked' && record.by === 'person') claims.delete(record.item);
  }
  return [...claims.values()].filter(({ item }) => state.items.get(item)?.status === 'done');
}

async function replayOne(
  { item, commit, checks }: Claimed,
  { project, state, signal, show }: ReplayOptions & { readonly state: RunState },
): Promise<Result<Replayed>> {
  const not = (why: string) => ok({ item, commit, reproduced: false, why, checks: [] });
  if (checks.length === 0) return not('no check was green when it was accepted, so there is nothing to repeat');
  const tree = await project.repository.git.text('rev-parse', '-q', '--verify', `${commit}^{tree}`);
  if (!tree.ok) return not(`its commit ${shortCommit(commit)} is no longer in this repository`);
  const gates = checks.map(check => asGate(project, check));
  const on = { project, state, tree: tree.value, commit, signal, gates };
  const ran = await gatesOnTree({ ...on, show: event => show(item, event) });
  if (!ran.ok) return ran;
  const red = ran.value.filter(({ status }) => status !== 'green');
  const results = ran.value.map(({ name, run, status, exit, tail }) => ({ name, run, status, exit, tail }));
  const why = red.map(result => `${result.name}: ${gateOutcome(result)}`).join(', ');
  return ok({ item, commit, reproduced: red.length === 0, why, checks: results });
}

const TIMEOUT_MS = 10 * 60_000;

/** The command as it was then, whatever the config says now. */
function asGate({ settings }: Project, { name, run }: GateResult): Gate {
  const now = [...settings.gates, ...settings.final].find(gate => gate.run === run);
  return { name, run, timeoutMs: now?.timeoutMs ?? TIMEOUT_MS };
}

export function replayText({ run, branch, items }: Replay): string {
  if (items.length === 0) return `The run ${run} has accepted nothing, so there is nothing to repeat.`;
  const wrong = items.filter(({ reproduced }) => !reproduced);
  const lines = items.flatMap(({ item, commit, reproduced, why, checks }) => {
    const head = `${shortCommit(commit)}  ${item}`;
    if (reproduced) return [`✓ ${head}  ${checks.map(({ name }) => name).join(', ')}`];
    const tail = checks.find(({ status }) => status !== 'green')?.tail.trimEnd() ?? '';
    return [`✗ ${head}  not reproduced: ${why}`, ...(tail === '' ? [] : tail.split('\n').map(line => `    ${line}`))];
  });
  const total = `${items.length - wrong.length} of ${plural(items.length, 'accepted item')} on ${branch} reproduced`;
  return [...lines, '', total].join('\n');
}

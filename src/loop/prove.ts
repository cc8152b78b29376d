/**
 * Proves that green gates mean something. Runs only for work that would be accepted: at least as many tests still run, the base's own
 * tests pass on the new code, and with `tdd`, new tests fail on the base and notice changes to the new code.
 */

import { type Look, lookAt } from '../audit/index.ts';
import { verifyGates } from '../checks/index.ts';
import { UNTIL } from '../config/index.ts';
import {
  addsCode,
  type Choices,
  disturbsOldTests,
  entriesOf,
  fewerTests,
  findingsFrom,
  isOn,
  isTestSide,
  judgeMutants,
  judgeOldTests,
  judgeTdd,
  looksLikeTests,
  mutantsOf,
  mutations,
  type ProofFound,
  proveTests,
  sameFile,
  type TestResults,
  testsOf,
  type VerdictInput,
  verdict,
  writtenTests,
} from '../evidence/index.ts';
import type { AgentFailure, Change, Claim, Evidence, Gate, GateResult, GuardInput, Proof } from '../protocol.ts';
import type { Session } from './session.ts';
import { type Said, Trials } from './trials.ts';

export interface ToProve {
  readonly input: GuardInput;
  readonly claim: Claim;
  readonly failure: AgentFailure | undefined;
  readonly settling?: VerdictInput['settling'];
  readonly baseTree: string;
  readonly evidence: Evidence;
}

/** Mutants per change; each costs a run of the tests. */
const MUTANTS = 6;
const LISTED = 100;

/** Returns the evidence with the results of the proof. */
export async function prove(
  session: Session,
  { input, claim, failure, settling, baseTree, evidence }: ToProve,
): Promise<Evidence> {
  const { item, rules } = input;
  const would = verdict({
    item,
    claim,
    end: { reason: 'exited', code: 0 },
    evidence,
    repeats: session.plan.plan.repeats,
    goal: UNTIL,
    ...(failure && { failure }),
    ...(settling && { settling }),
  });
  const gates = testGates(session.itemGates, evidence.gates);
  const own = verifyGates(item).filter((_, at) => evidence.verify[at]?.status === 'green');
  const { proof: wanted } = session.settings;
  const nothing = gates.length + own.length === 0 && wanted.tdd === 'off';
  if ((would.type !== 'accepted' && would.type !== 'progress') || nothing) return evidence;
  const trials = new Trials(session, { gates, timeoutMs: wanted.timeoutMs });
  const look = lookAt(input);
  const work: Work = { session, trials, look, baseTree, evidence, choices: { item, rules } };
  const found: ProofFound[] = [];
  const tests: readonly Check[] = [
    [() => fewer(work), 'how many there were on the base'],
    [() => oldTests(work), 'the old tests on the new code'],
  ];
  const checks: readonly Check[] = [[() => oldChecks(work, own), "the item's checks with the old tests"]];
  for (const [check, name] of [...(gates.length > 0 ? tests : []), ...checks])
    found.push(...(await trials.noting(check, () => name)));
  // Work that is already rejected need not be proven.
  const refused = findingsFrom(found, work.choices).some(({ level }) => level === 'block');
  const before = trials.took;
  const proof =
    wanted.tdd === 'off' || refused
      ? undefined
      : await testDriven(work, { mode: wanted.tdd, hasTestGate: gates.length > 0 });
  found.push(...(proof?.found ?? []));
  if (trials.incomplete !== undefined) {
    found.push({ rule: 'evidence-incomplete', level: 'warn', message: `evidence incomplete: ${trials.incomplete}` });
  }
  session.base.learn(evidence.tree, evidence.gates);
  return {
    ...evidence,
    findings: [...evidence.findings, ...findingsFrom(found, work.choices)],
    ...(proof && { proof: { ...proof.record, durationMs: trials.took - before } }),
    ...(trials.cost && { trials: trials.cost }),
  };
}

type Check = readonly [check: () => Promise<readonly ProofFound[]>, what: string];

interface Work {
  readonly session: Session;
  readonly trials: Trials;
  readonly look: Look;
  readonly baseTree: string;
  readonly evidence: Evidence;
  readonly choices: Choices;
}

/** Gates whose test runner could be read; if there are none, gates that look like tests. */
function testGates(gates: readonly Gate[], results: readonly GateResult[]): readonly Gate[] {
  const saidOf = ({ name, run }: Gate) => results.find(result => result.name === name && result.run === run);
  const green = gates.filter(gate => saidOf(gate)?.status === 'green');
  const read = green.filter(gate => typeof saidOf(gate)?.tests === 'object');
  return read.length > 0 ? read : green.filter(looksLikeTests);
}

const isGreen = ({ status }: GateResult): boolean => status === 'green';

async function fewer({ session, trials, look, baseTree, evidence, choices }: Work): Promise<readonly ProofFound[]> {
  const counted = evidence.gates.flatMap(gate => {
    const now = testsOf(gate);
    return now ? [{ gate: gate.name, now }] : [];
  });
  if (counted.length === 0 || !isOn('tests-fewer', choices)) return [];
  const known = await session.base.of(baseTree);
  const then = known ?? (await trials.on(baseTree));
  if (!then) return [];
  return counted.flatMap(({ gate, now }) => {
    const before = then.find(({ name }) => name === gate);
    const base = before && testsOf(before);
    // In a checkout of its own, a red base may only lack something that the work tree has.
    return base && before && (known || isGreen(before)) ? fewerTests({ gate, base, now }, look) : [];
  });
}

async function oldTests({ session, trials, look, baseTree, evidence, choices }: Work): Promise<readonly ProofFound[]> {
  // If only tests changed, the base's own tests tell nothing new.
  if (!isOn('old-tests', choices) || !look.changes.some(disturbsOldTests) || look.changes.every(isTestSide)) return [];
  const tree = await treeOfOldTests(session, look, evidence.tree);
  if (!tree.ok) {
    trials.incomplete ??= tree.error.message;
    return [];
  }
  const said = await trials.on(tree.value);
  if (!said || said.every(isGreen)) return [];
  const own = await trials.on(baseTree);
  const again = own && (await trials.on(tree.value, 'again'));
  if (!own || !again) return [];
  const stays = said.filter((gate, at) => [gate, again[at]].every(one => one && !isGreen(one)));
  if (stays.length === 0) {
    trials.incomplete ??= `the base's own tests were red and then green on the same code (${names(said)}): they go by chance`;
    return [];
  }
  const red = stays.filter(gate => own.some(before => before.run === gate.run && isGreen(before)));
  if (red.length === 0) {
    trials.incomplete ??= `the base's own tests are red in a fresh checkout (${names(own)}), so they say nothing about the new code`;
    return [];
  }
  return judgeOldTests(
    look,
    red.map(gate => ({ gate: gate.name, results: testsOf(gate) })),
  );
}

/** The item's own checks have to be green with the old tests, too: they are what the person asked for. */
async function oldChecks({ session, trials, look, evidence, choices }: Work, own: readonly Gate[]) {
  if (own.length === 0 || !isOn('old-tests', choices) || !look.changes.some(disturbsOldTests)) return [];
  const tree = await treeOfOldTests(session, look, evidence.tree);
  const said = tree.ok ? await trials.on(tree.value, 'known', own) : undefined;
  // Only a failed test counts, because a check may ask for a test that did not exist yet.
  const red = (said ?? []).filter(gate => !isGreen(gate) && (testsOf(gate)?.failed ?? 0) > 0);
  if (red.length === 0) return [];
  return judgeOldTests(
    look,
    red.map(gate => ({ gate: gate.name, results: testsOf(gate) })),
  );
}

const treeOfOldTests = (session: Session, { changes }: Look, tree: string) =>
  session.workspace.trees.replacing(tree, entriesOf(changes.filter(isTestSide), 'before'));

async function testDriven(
  work: Work,
  { mode, hasTestGate }: { readonly mode: 'warn' | 'enforce'; readonly hasTestGate: boolean },
): Promise<{ readonly record: Proof; readonly found: readonly ProofFound[] }> {
  const { trials, look, evidence, choices } = work;
  const written = writtenTests(look);
  const nothing: Proof = { tests: [], mutants: [] };
  if (written.length === 0 && !addsCode(look)) return { record: nothing, found: [] };
  if (written.length === 0) return { record: nothing, found: judgeTdd({ look, tests: [], mode }) };
  if (!hasTestGate) {
    trials.incomplete ??=
      'no gate is known to run tests, so the new ones prove nothing; one that does may be named "test"';
    return { record: nothing, found: [] };
  }
  const usual = await trials.noting(
    () => trials.on(evidence.tree),
    said => (said?.every(isGreen) ? 'green in a fresh checkout' : 'not green in a fresh checkout'),
  );
  if (!usual) return { record: nothing, found: [] };
  if (!usual.every(isGreen)) {
    trials.incomplete ??= `the tests are red in a fresh checkout of the very tree that is green here (${names(usual)}): it lacks something that git ignores`;
    return { record: nothing, found: [] };
  }
  const onBase = await trials.noting(
    () => redOnBase(work),
    said => (said?.some(({ green }) => !green) ? 'the new tests red on the base' : 'the new tests not red on the base'),
  );
  const tests = onBase ? proveTests(written, onBase) : [];
  const found = onBase ? judgeTdd({ look, tests, mode }) : [];
  const stopped = findingsFrom(found, choices).some(({ level }) => level === 'block');
  const wanted = stopped || !isOn('mutation', choices) ? [] : mutations(look, MUTANTS);
  const tried = await trials.noting(
    async () => (wanted.length === 0 ? [] : await trials.mutants(evidence.tree, { mutations: wanted, usual })),
    done => `${done.filter(({ noticed }) => noticed).length} of ${done.length} mutants noticed`,
  );
  return {
    record: { tests: tests.slice(0, LISTED), mutants: mutantsOf(tried) },
    found: [...found, ...judgeMutants(tried, mode)],
  };
}

interface OnBase {
  readonly green: boolean;
  readonly results: TestResults | undefined;
}

/** Runs the new tests on the old code. If files that cannot be loaded keep the others from running, repeats it without them. */
async function redOnBase(work: Work): Promise<readonly OnBase[] | undefined> {
  const { look } = work;
  const tests = look.changes.filter(isTestSide);
  const first = await tryOnBase(work, tests);
  if (!first) return undefined;
  const lost = first.flatMap(gate => testsOf(gate)?.notLoaded ?? []);
  const rest = tests.filter(({ path }) => !lost.some(named => sameFile(named, path)));
  const kept = first.some(gate => testsOf(gate)?.executed === 0);
  const again = kept && rest.length > 0 && rest.length < tests.length ? await tryOnBase(work, rest) : [];
  return [...first, ...(again ?? [])].map(gate => ({ green: isGreen(gate), results: testsOf(gate) }));
}

async function tryOnBase({ session, trials, baseTree }: Work, tests: readonly Change[]): Promise<Said> {
  const tree = await session.workspace.trees.replacing(baseTree, entriesOf(tests, 'after'));
  if (tree.ok) return await trials.on(tree.value);
  trials.incomplete ??= tree.error.message;
  return undefined;
}

const names = (gates: readonly GateResult[]): string =>
  gates
    .filter(gate => !isGreen(gate))
    .map(({ name, exit }) => `${name}: exit ${exit ?? 'by a signal'}`)
    .join(', ');

/** One walk: acts from a seed, the oracle after each, and in the end a plan that comes to its end. */
import { ACTS, type Act, type ActName, pasteStep, showActs, stepsSaid } from './acts.ts';
import { type Broken, before, broken } from './oracle.ts';
import { idsHere, type KindName, otherPlan, readHere } from './plans.ts';
import { makeWorld, ralphIn, type World } from './world.ts';

/** How often an act comes up, where that is not once. */
const WEIGHTS: Partial<Record<ActName, number>> = {
  run: 5,
  once: 6,
  worktree: 3,
  worktreeOnce: 3,
  named: 2,
  killed: 7,
  killedWorktree: 4,
  add: 5,
  merge: 3,
  mergeNamed: 2,
  discard: 2,
  revert: 3,
  toMain: 4,
  switch: 3,
  commit: 3,
  commitOther: 2,
  paste: 8,
  live: 8,
  liveWorktree: 8,
  liveParallel: 5,
  liveOther: 3,
  parallel: 2,
  killedParallel: 2,
  stashPop: 2,
};

const DECK = Object.keys(ACTS).flatMap(name =>
  Array.from({ length: WEIGHTS[name as ActName] ?? 1 }, () => name as ActName),
);

/** A walk begins with one of these: most acts need a run to be about. */
const FIRST: readonly ActName[] = ['once', 'run', 'worktreeOnce', 'worktree', 'killed', 'add'];

/** The same acts for the same seed, on every machine. */
export function actsFrom(seed: number, count: number): readonly Act[] {
  let state = seed >>> 0;
  // mulberry32
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  return Array.from({ length: count }, (_, at) => {
    const deck = at === 0 ? FIRST : DECK;
    return { name: deck[random() % deck.length] ?? 'run', n: random() % 1000 };
  });
}

export interface Fault extends Broken {
  /** The acts up to the one that broke the rule. */
  readonly acts: readonly Act[];
  readonly root: string;
}

export async function walk(kind: KindName, acts: readonly Act[]): Promise<Fault | undefined> {
  const world = makeWorld(kind);
  const log = (text: string) => {
    if (process.env.RALPH_WALK_VERBOSE) console.log(text);
  };
  for (const [at, act] of acts.entries()) {
    const was = before(world);
    const done = await ACTS[act.name](world, act.n);
    if (done) world.said = done.ended.stdout + done.ended.stderr;
    log(`--- ${act.name}:${act.n} ${done ? `$ ${done.command} => ${done.ended.code}\n${world.said}` : ''}`);
    const fault = broken(world, { act, done, was });
    if (fault) return { ...fault, acts: acts.slice(0, at + 1), root: world.repo.root };
  }
  const fault = await toTheEnd(world, log);
  if (fault) return { ...fault, acts, root: world.repo.root };
  if (!process.env.RALPH_TEST_KEEP) world.repo.remove();
  return undefined;
}

/** More steps than this to the end of the plan are a person who is sent in circles. */
const MAX_STEPS = 16;

/** A person types `ralph run`, and does what it prints, until it says that all is done. */
async function toTheEnd(world: World, log: (text: string) => void): Promise<Broken | undefined> {
  const took: string[] = [];
  const taken = new Map<string, number>();
  const taking = async (command: string): Promise<number | Broken> => {
    const was = before(world);
    const isRun = command === 'ralph run';
    const done = isRun ? { command, ended: await ralphIn(world, ['run']) } : await pasteStep(world, command);
    world.said = done.ended.stdout + done.ended.stderr;
    log(`--- end: $ ${command} => ${done.ended.code}\n${world.said}`);
    took.push(`${command} => ${done.ended.code}`);
    return broken(world, { act: { name: isRun ? 'run' : 'paste', n: 0 }, done, was }) ?? done.ended.code ?? -1;
  };
  while (took.length < MAX_STEPS) {
    const code = await taking('ralph run');
    if (typeof code !== 'number') return code;
    if (code === 0) return undone(world, took);
    const steps = stepsSaid(world.said).filter(step => step !== 'ralph run' && !LOOKS.test(step));
    // What was taken least often: a step that did not help is not the way.
    const step = steps.toSorted((a, b) => (taken.get(a) ?? 0) - (taken.get(b) ?? 0))[0];
    if (step === undefined) continue;
    taken.set(step, (taken.get(step) ?? 0) + 1);
    const after = await taking(step);
    if (typeof after !== 'number') return after;
  }
  return { rule: 'a run comes to its end', what: `${took.join('\n')}\n${world.said}` };
}

const LOOKS =
  /^(?:ralph (?:report|logs|status|items|runs|review|check|doctor|inbox)|git (?:log|show|diff|status|stash list))\b/;

/** Where the last run worked, everything is done. */
function undone({ repo, kind, skipped }: World, took: readonly string[]): Broken | undefined {
  const [first] = repo.journal(repo.runs()[0]);
  if (first?.type !== 'run.started') return undefined;
  if (first.plan.path === otherPlan.path) return undefined;
  if (repo.git('rev-parse', '--abbrev-ref', 'HEAD') !== first.branch) return undefined;
  const ids = idsHere(repo, kind);
  const open = readHere(repo, kind).find(({ id, done }) => !done && ids.includes(id) && !skipped.has(id));
  return open && { rule: 'a complete run has done everything', what: `${open.id} is open after\n${took.join('\n')}` };
}

/** The same rule broken by fewer acts: whole stretches are left out first, then single ones, for as long as there is time. */
export async function shrink(kind: KindName, fault: Fault, until: number): Promise<Fault> {
  let best = fault;
  for (let size = Math.ceil(best.acts.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = best.acts.length - size; at >= 0; at -= size) {
      if (Date.now() > until) return best;
      const fewer = best.acts.toSpliced(at, size);
      const found = await walk(kind, fewer);
      if (found?.rule === best.rule) best = found;
    }
  }
  return best;
}

export const told = (kind: KindName, { rule, what, acts, root }: Fault): string =>
  `broken: ${rule}\n${what}\nagain: RALPH_WALK="${kind} ${showActs(acts)}" npx vitest run test/walk\nin ${root}`;

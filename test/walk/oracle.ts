/** What has to hold after every act, looked up in git, the journals and the files, without the program's own code for it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentsOf } from '../crash/oracle.ts';
import type { Repo } from '../support/repo.ts';
import type { Done } from './act-kit.ts';
import { type Act, LOOKING, stepsSaid } from './acts.ts';
import { type Entry, idsHere, otherPlan, type PlanKind, readHere, readPlan } from './plans.ts';
import { type World, workOf } from './world.ts';

/** A rule that does not hold; shrinking looks for the same rule again. */
export interface Broken {
  readonly rule: string;
  readonly what: string;
}

/** What an act must leave alone. */
export interface Before {
  readonly head: string;
  readonly status: string;
  readonly plan: string;
}

export const before = ({ repo, kind }: World): Before => ({
  head: repo.git('rev-parse', '--abbrev-ref', 'HEAD', 'HEAD'),
  status: repo.git('status', '--porcelain'),
  plan: textOf(repo, kind.path),
});

const textOf = (repo: Repo, path: string): string =>
  existsSync(join(repo.root, path)) ? readFileSync(join(repo.root, path), 'utf8') : '';

export function broken(
  world: World,
  { act, done, was }: { readonly act: Act; readonly done: Done | undefined; readonly was: Before },
): Broken | undefined {
  return (
    (done && endsBadly(world, act, done)) ??
    (done?.during && endsBadly(world, act, done.during)) ??
    doneWithoutWork(world) ??
    lostWork(world) ??
    lostItems(world) ??
    touched(world, act, was) ??
    repeated(world) ??
    stashesTouched(world) ??
    (done ? leftRunning(world, done) : undefined)
  );
}

/** Every command ends by itself, without an unexpected error; what is refused says what to do next. */
function endsBadly({ repo }: World, { name }: Act, { command, ended }: Done): Broken | undefined {
  const { code, signal, stderr, stdout } = ended;
  const said = `${stdout.slice(-1500)}${stderr.slice(-1500)}`;
  if (existsSync(join(repo.root, '.ralph/crash.log'))) {
    return { rule: 'no unexpected error', what: `${command}: ${repo.read('.ralph/crash.log')}` };
  }
  if (signal === 'SIGKILL' && (name.startsWith('killed') || command.includes('SIGKILL'))) return undefined;
  if (command.includes('(live, SIG')) return undefined;
  if (code === null || code > 4)
    return { rule: 'ends with a documented exit', what: `${command}: ${code ?? signal}: ${said}` };
  const isRun = command.startsWith('ralph run') && !command.includes('--dry-run');
  const isFull = command.includes('(fails: ');
  if (isRun && !isFull && (code === 2 || code === 4) && stepsSaid(stdout + stderr).length === 0) {
    return { rule: 'a refused run says what to do', what: `${command}: exit ${code}: ${said}` };
  }
  // What the person has to do first, such as a commit, is said in turn.
  if (name === 'paste' && command.startsWith('git merge') && code !== 0) {
    return { rule: 'a printed merge has no conflict', what: `${command}: ${said}` };
  }
  const isUsage = code === 2 || (code === 4 && stepsSaid(stdout + stderr).length === 0);
  if (name === 'paste' && isUsage) {
    return { rule: 'a printed step can be taken', what: `${command}: exit ${code}: ${said}` };
  }
  return undefined;
}

interface Tip {
  readonly name: string;
  readonly commit: string;
}

const tipsOf = (repo: Repo, ...under: readonly string[]): readonly Tip[] =>
  repo
    .git('for-each-ref', '--format=%(objectname) %(refname)', ...under)
    .split('\n')
    .filter(Boolean)
    .map(line => ({ commit: line.split(' ')[0] ?? '', name: line.split(' ')[1] ?? '' }));

interface AtCommit {
  readonly plan: readonly Entry[];
  readonly files: ReadonlySet<string>;
}

const seen = new Map<string, AtCommit>();

/** Plan and files of a commit, which never change. */
function at(repo: Repo, kind: PlanKind, commit: string): AtCommit {
  const key = `${repo.root} ${kind.path} ${commit}`;
  const known = seen.get(key);
  if (known) return known;
  const files = new Set(repo.git('ls-tree', '-r', '--name-only', commit).split('\n'));
  const plan = files.has(kind.path) ? readPlan(kind, `${repo.git('show', `${commit}:${kind.path}`)}\n`) : [];
  const found = { plan, files };
  seen.set(key, found);
  return found;
}

/** No branch and no checkout says that an item is done unless its work is there, or a person said so. */
function doneWithoutWork(world: World): Broken | undefined {
  const { repo, kind, calledDone, rewritten } = world;
  const tips = tipsOf(repo, 'refs/heads');
  const onBranch = bareOn(world, kind, tips) ?? bareOn(world, otherPlan, tips);
  // A state that git does not have is not taken back with the commits.
  if (onBranch || (kind.ignored && rewritten)) return onBranch;
  const isSomewhere = (id: string) =>
    existsSync(join(repo.root, workOf(id))) ||
    (kind.ignored === true && tips.some(({ commit }) => at(repo, kind, commit).files.has(workOf(id))));
  const ids = idsHere(repo, kind);
  const bare = readHere(repo, kind).find(
    ({ id, done }) => done && ids.includes(id) && !calledDone.has(id) && !isSomewhere(id),
  );
  return bare && { rule: WORK, what: `${bare.id} is done in ${kind.path} of the checkout, without ${workOf(bare.id)}` };
}

const WORK = 'what is done has its work';

function bareOn({ repo, calledDone }: World, kind: PlanKind, tips: readonly Tip[]): Broken | undefined {
  for (const { name, commit } of tips) {
    const { plan, files } = at(repo, kind, commit);
    const bare = plan.find(({ id, done }) => done && !files.has(workOf(id)) && !calledDone.has(id));
    if (bare) return { rule: WORK, what: `${bare.id} is done on ${name}, without ${workOf(bare.id)}` };
  }
  return undefined;
}

/** Every commit that was accepted can still be reached by a ref. */
function lostWork({ repo, rewritten }: World): Broken | undefined {
  if (rewritten) return undefined;
  const reachable = new Set(repo.git('rev-list', '--all').split('\n'));
  for (const run of repo.runs()) {
    for (const record of repo.journal(run)) {
      if (record.type !== 'iteration.finished' || record.verdict !== 'accepted') continue;
      if (record.commit && !reachable.has(record.commit)) {
        return { rule: 'accepted work is kept', what: `${record.item} of ${run}: ${record.commit} has no ref` };
      }
    }
  }
  return undefined;
}

/** An item that a person wrote into the plan is in it somewhere, unless they took it out. */
function lostItems({ repo, kind, next, removed }: World): Broken | undefined {
  if (kind.ignored) return undefined;
  const tips = tipsOf(repo, 'refs/heads', 'refs/ralph/discarded', 'refs/stash');
  const known = new Set([
    ...readHere(repo, kind).map(({ id }) => id),
    ...tips.flatMap(({ commit }) => at(repo, kind, commit).plan.map(({ id }) => id)),
    ...(kind.isEditKept ? editsKept(repo).flatMap(text => kind.read(text).map(({ id }) => id)) : []),
  ]);
  for (let n = 1; n < next; n++) {
    const id = kind.id(n);
    if (!known.has(id) && !removed.has(id)) return { rule: 'items of a person are kept', what: `${id} is in no plan` };
  }
  return undefined;
}

/** Edits that a run took back, as it says. */
const editsKept = (repo: Repo): readonly string[] =>
  repo.runs().flatMap(run =>
    readdirSync(join(repo.root, '.ralph/runs', run), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.edited'))
      .map(path => repo.read(join('.ralph/runs', run, path))),
  );

/** What the person has not committed is as they left it, and what only looks or works elsewhere changes nothing here. */
function touched({ repo, kind, uncommitted, orphaned }: World, { name }: Act, was: Before): Broken | undefined {
  for (const [path, text] of uncommitted) {
    const now = textOf(repo, path);
    if (now !== text)
      return {
        rule: 'uncommitted work is left alone',
        what: `${path} is ${JSON.stringify(now)}, not ${JSON.stringify(text)}`,
      };
  }
  if (!LOOKING.has(name)) return undefined;
  const now = before({ repo, kind } as World);
  const changed = (['head', 'status', 'plan'] as const).find(
    key => now[key] !== was[key] && !(orphaned && key === 'status'),
  );
  return changed && { rule: 'looking changes nothing', what: `${changed} was ${was[changed]}, is ${now[changed]}` };
}

/** No agent is given an item whose work is there already, unless a person wanted that. */
function repeated({ repo, takenBack }: World): Broken | undefined {
  const file = join(repo.outside, 'repeated');
  const ids = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const id = ids.find(each => !takenBack.has(each));
  return id === undefined ? undefined : { rule: 'nothing is done twice', what: `${id} was given to an agent again` };
}

/** An agent whose runner was killed works on until the next run. */
function leftRunning(world: World, { command, ended: { code, signal } }: Done): Broken | undefined {
  const isRun = command.startsWith('ralph run') && !command.includes('--dry-run') && (code ?? 2) !== 2 && code !== 4;
  if (signal === 'SIGKILL') world.orphaned = true;
  else if (isRun && !command.includes('other.json')) world.orphaned = false;
  if (world.orphaned) return undefined;
  const [agent] = agentsOf(world.repo);
  return agent === undefined ? undefined : { rule: 'no agent is left behind', what: `${command}: ${agent}` };
}

/** Only the person makes stashes and takes them. */
function stashesTouched({ repo, stashes }: World): Broken | undefined {
  const now = repo.git('stash', 'list', '--format=%H');
  const was = stashes.map(({ commit }) => commit).join('\n');
  return now === was ? undefined : { rule: 'stashes are left alone', what: `they were ${was}, are ${now}` };
}

/** Every condition of a run, looked at without starting one: the list that `ralph run` itself goes through. */
import { statfsSync } from 'node:fs';
import { relative } from 'node:path';
import { configName, type Overrides } from '../config/index.ts';
import { deadLinks } from '../memory/index.ts';
import { pickNext, tally } from '../plan/index.ts';
import { capture, Stopper } from '../process/index.ts';
import type { Agent, Item, PlanFormat } from '../protocol.ts';
import { fold, isClosed, statusIn } from '../state.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import { oneLine, showBytes, showCost, showDuration } from '../util/show.ts';
import { identity, lostTop, readHead, withoutRedirection } from '../workspace/index.ts';
import { continueApart } from './apart-run.ts';
import type { ChosenAgent } from './choose-agent.ts';
import { NEEDS_NONE } from './choose-sandbox.ts';
import { type Found, findPlanAndRun } from './find-plan.ts';
import { bad, type Finding, good, warn } from './finding.ts';
import { gateFindings } from './gate-findings.ts';
import { openMemory } from './memory.ts';
import { missingContext } from './missing-context.ts';
import { notifyFindings } from './notify-findings.ts';
import { type Preflight, preflight, refuseLocked, refuseState } from './preflight.ts';
import { openProject, type Project, type Refusal } from './project.ts';
import { unstartableChecks } from './unstartable-checks.ts';
import { usageLimitMeans } from './usage-limit.ts';

export interface Question {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly plan?: string;
  /** Only this item, as for a run. */
  readonly only?: string | undefined;
  readonly overrides: Overrides;
  /** Of the caller's own, as for a run. */
  readonly agent?: Agent | undefined;
  readonly formats?: readonly PlanFormat[] | undefined;
  /** Ends the gates that are being run. */
  readonly stopper?: Stopper | undefined;
}

/** Below this a run warns, because briefs, logs and commits all need room. */
const LOW_DISK = 1024 ** 3;

export async function* diagnose(question: Question): AsyncGenerator<Finding> {
  const { cwd, agent, only, plan, stopper = new Stopper() } = question;
  const lost = lostTop(cwd);
  if (lost !== undefined) {
    yield warn('git', `the git directory of ${lost} is gone`, 'ralph run rebuilds it from .ralph/runs/.git');
    return;
  }
  const opened = await openProject({ ...question, env: withoutRedirection(question.env) });
  if (!opened.ok) {
    yield bad(opened.error.exit === 2 ? 'config' : 'git', opened.error.failure);
    return;
  }
  const project = opened.value;
  const now = Date.now();
  const unfit = refuseState(project);
  if (unfit) yield bad('state', unfit);
  const located = findPlanAndRun(project, { plan, only, now });
  const found = located.ok ? ok(await continueApart(project, located.value)) : located;
  const locked = refuseLocked(project, now, found);
  const checks = await preflight(project, { found, agent });
  yield* git(project, checks);
  yield configFinding(project);
  if (found.ok) yield* planFindings(project, found.value);
  else yield bad('plan', found.error.failure);
  // A run of a plan that is done ends before any of these is asked for.
  const isDone = found.ok && found.value.alreadyDone;
  for await (const finding of conditions(project, { found, checks, isLive: locked !== undefined })) {
    yield isDone && finding.level === 'bad' ? { ...finding, level: 'warn' } : finding;
  }
  const isHeld = unfit !== undefined || locked !== undefined;
  yield* gateFindings({ project, found, checks, isHeld, only, stopper });
  yield sandboxFinding(checks);
  yield good('limits', usageLimitMeans(project.settings.deadline, Date.now()));
  yield* memoryFindings(project);
  yield* notifyFindings(project);
  yield disk(project);
  yield locked ? bad('lock', locked) : good('lock', 'free');
}

interface Checked {
  readonly found: Result<Found, Refusal>;
  readonly checks: Preflight;
  /** A runner is at work here, on this plan or on another. */
  readonly isLive: boolean;
}

async function* conditions(project: Project, { found, checks, isLive }: Checked): AsyncGenerator<Finding> {
  const { tree, branch, templates } = checks;
  const earlier: readonly (Failure | undefined)[] = [tree, found].map(each =>
    each.ok ? undefined : each.error.failure,
  );
  if (!branch.ok && !earlier.includes(branch.error.failure)) yield bad('branch', branch.error.failure);
  yield tree.ok ? good('tree', treeOf(project, { found, isLive })) : bad('tree', tree.error.failure);
  yield await agentFinding(project, 'agent', checks.agent);
  if (checks.agent.ok) yield* costFinding(project, checks.agent.value.agent);
  if (project.settings.review?.agent) yield await agentFinding(project, 'reviewer', checks.reviewer);
  if (!templates.ok) yield bad('briefs', templates.error.failure);
}

function sandboxFinding({ sandbox }: Preflight): Finding {
  if (!sandbox.ok) return bad('sandbox', sandbox.error.failure);
  const { tier, why } = sandbox.value;
  if (tier !== 'none') return good('sandbox', `${tier}; what it holds back: ralph doctor --sandbox`);
  return warn(
    'sandbox',
    `none (${why}): the agent can do whatever you can, and HOME, PATH and your other programs can deceive the gates`,
    `${why === NEEDS_NONE ? 'Another agent gets one.' : 'Take out what switched it off, or run it in a container.'} What stays open without one: docs/trust.md`,
  );
}

function treeOf({ settings }: Project, { found, isLive }: Omit<Checked, 'checks'>): string {
  if (found.ok && found.value.died && isLive) return 'in use by a live run';
  if (found.ok && found.value.died) return 'the last runner was cut off; what it left here is recovered first';
  return settings.workspace === 'worktree' ? 'the run gets its own worktree' : 'clean';
}

/** Only what is wrong with it: a run continues without what it cannot read. */
function* memoryFindings(project: Project): Generator<Finding> {
  const memory = openMemory(project);
  if (!memory) return;
  const { root } = project.repository;
  for (const { message, file, hint } of memory.problems.slice(0, 5)) {
    const where = file === undefined ? '' : `${relative(root, file)}: `;
    yield warn('memory', `${where}${message}`, hint);
  }
  for (const { line, topic, path } of deadLinks(root, memory.pin).slice(0, 10)) {
    const detail = oneLine(`.ralph/pin.md:${line}: ${topic} names ${path}, which does not exist`, 200);
    yield warn('pin', detail, 'Correct the path, or take it out of the pin.');
  }
}

async function* git({ repository }: Project, { branch }: Preflight): AsyncGenerator<Finding> {
  const version = await repository.git.text('--version');
  const who = await identity(repository);
  yield good('git', version.ok ? version.value : 'found');
  yield who.own
    ? good('identity', `${who.name} <${who.email}>`)
    : warn(
        'identity',
        'none; commits will be by Ralph <ralph@localhost>',
        'git config user.name "…" && git config user.email "…"',
      );
  const head = await readHead(repository);
  const where = head.branch || 'a detached HEAD';
  if (!branch.ok) {
    yield good('branch', where);
    return;
  }
  const { choice, worktree } = branch.value;
  const isNew = choice.action === 'create' ? ', a new branch' : '';
  const place = worktree === undefined ? '' : ', in a worktree';
  yield good(
    'branch',
    `${where}; the run commits ${choice.action === 'stay' ? 'here' : `to ${choice.branch}${isNew}${place}`}`,
  );
}

function configFinding({ settings, repository }: Project): Finding {
  const { file } = settings;
  if (file === undefined)
    return {
      level: 'warn',
      name: 'config',
      detail: 'no ralph.yaml; defaults are used',
      fix: 'docs/configuration.md shows every key',
    };
  return { level: 'good', name: 'config', detail: relative(repository.root, file) };
}

function* planFindings(
  project: Project,
  { plan: { plan, path }, state, alreadyDone, notes }: Found,
): Generator<Finding> {
  const name = relative(project.repository.root, path);
  const { items, format, problems } = plan;
  const known = state ?? fold([]);
  const status = (item: Item) => statusIn(known, item);
  const counts = tally(items, status);
  const { next } = pickNext({ items, status });
  yield good('plan', `${name}, ${format}, ${counts.done} of ${counts.total} done`);
  if (next && !alreadyDone) yield good('next', oneLine(`${next.id} ${next.title}`));
  else if (alreadyDone) yield warn('next', 'nothing is left to do', 'To have an item done again: ralph reset <item>');
  else if (items.every(item => isClosed(status(item))))
    yield good('next', 'every item is done: the run only has to end');
  else yield warn('next', 'no item can be worked on now; to see why: ralph items');
  const checks = unstartableChecks(plan, { root: project.repository.root, env: project.env });
  for (const { line, column, message } of [...problems.slice(0, 5), ...checks.slice(0, 5)]) {
    yield warn('plan', `${name}:${line}:${column}: ${message}`);
  }
  for (const note of notes) yield warn('plan', note);
  for (const file of missingContext(project.settings, project.repository.root))
    yield warn(
      'context',
      `${file} does not exist; briefs are written without it`,
      `Correct the path in ${configName(project.settings)}: context`,
    );
}

async function agentFinding(
  { env, repository }: Project,
  name: string,
  chosen: Result<ChosenAgent | undefined, Refusal>,
): Promise<Finding> {
  if (!chosen.ok) return bad(name, chosen.error.failure);
  if (!chosen.value) return good(name, 'none');
  const { agent, program } = chosen.value;
  if (!agent.abilities?.install) return good(name, `${agent.name}: ${program}`);
  const answer = await capture({
    argv: [program, '--version'],
    cwd: repository.root,
    env,
    maxBytes: 64 * 1024,
    timeoutMs: 20_000,
  });
  const version = oneLine(answer.stdout.toString('utf8'), 60);
  if (answer.code === 0 && version) return good(name, `${agent.name} ${version} (${program})`);
  return warn(name, `${program} does not print its version`, `Try it by hand: ${program} --version`);
}

/** A limit that nothing can reach must not look like one. */
function* costFinding({ settings: { limits } }: Project, { name, abilities }: Agent): Generator<Finding> {
  if (name === 'script' || (abilities?.cost ?? 'unknown') !== 'unknown') return;
  yield warn(
    'cost',
    `${name} reports neither cost nor tokens: the limit of ${showCost(limits.costUsd)} cannot stop it`,
    `What does stop it: --max-iterations (${limits.iterations}) and --timeout (${showDuration(limits.timeMs)})`,
  );
}

function disk({ repository }: Project): Finding {
  const { bavail, bsize } = statfsSync(repository.root);
  const free = bavail * bsize;
  const detail = `${showBytes(free)} free`;
  return free < LOW_DISK
    ? { level: 'warn', name: 'disk', detail, fix: 'Free some room before a long run.' }
    : { level: 'good', name: 'disk', detail };
}

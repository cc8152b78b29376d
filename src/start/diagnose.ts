/** Every condition of a run, looked at without starting one. */
import { statfsSync } from 'node:fs';
import { relative } from 'node:path';
import type { Overrides } from '../config/settings.ts';
import { lockOwner } from '../journal/lock.ts';
import { runChecks } from '../loop/checks.ts';
import { planProblem } from '../loop/read-plan.ts';
import { Stopper } from '../loop/stopper.ts';
import { deadLinks } from '../memory/pin.ts';
import { pickNext, tally } from '../plan/next.ts';
import type { OpenPlan } from '../plan/open.ts';
import { capture } from '../process/capture.ts';
import { isAlive } from '../process/identity.ts';
import type { Agent, PlanFormat } from '../protocol.ts';
import { describeFailure, type Failure, ok, type Result } from '../util/result.ts';
import { oneLine, plural, showBytes, showDuration } from '../util/show.ts';
import { identity, isProtected, readHead } from '../workspace/repository.ts';
import { isFoundation } from './baseline.ts';
import { refuseKinds, refuseReadOnly } from './kinds.ts';
import { meantPlan } from './meant-plan.ts';
import { openMemory } from './memory.ts';
import { isOfAnotherPlan } from './new-branch.ts';
import { type ChosenAgent, chooseAgent, chooseReviewer, refuseDirty } from './preflight.ts';
import { openProject, type Project } from './project.ts';
import { usageLimitMeans } from './usage-limit.ts';

export interface Finding {
  /** `bad` would refuse a run. */
  readonly level: 'good' | 'warn' | 'bad';
  readonly name: string;
  readonly detail: string;
  readonly fix?: string;
}

export interface Question {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly plan?: string;
  readonly overrides: Overrides;
  /** Of the caller's own, as for a run. */
  readonly agent?: Agent | undefined;
  readonly formats?: readonly PlanFormat[] | undefined;
}

/** Below this a run warns, because briefs, logs and commits all need room. */
const LOW_DISK = 1024 ** 3;

const bad = (name: string, { hint, ...what }: Failure): Finding => ({
  level: 'bad',
  name,
  detail: describeFailure(what),
  ...(hint ? { fix: hint } : {}),
});

export async function* diagnose(question: Question): AsyncGenerator<Finding> {
  const opened = await openProject(question);
  if (!opened.ok) {
    yield bad(opened.error.exit === 2 ? 'config' : 'git', opened.error.failure);
    return;
  }
  const project = opened.value;
  const meant = meantPlan(project, question.plan, { toRun: true });
  const unfit = refuseReadOnly(project) ?? refuseKinds(project);
  if (unfit) yield bad('state', { ...unfit, message: unfit.file ? `${unfit.file}: ${unfit.message}` : unfit.message });
  yield* git(project, meant.ok ? meant.value.plan : undefined);
  yield configFinding(project);
  const plan = meant.ok ? ok(meant.value.plan) : meant;
  if (meant.ok) {
    yield* planFindings(project, meant.value.plan);
    for (const detail of meant.value.notes) yield { level: 'warn', name: 'plan', detail };
  } else yield bad('plan', meant.error.failure);
  if (plan.ok) {
    const dirty = await refuseDirty({ repository: project.repository, plan: plan.value, settings: project.settings });
    yield dirty
      ? bad('tree', dirty)
      : {
          level: 'good',
          name: 'tree',
          detail: project.settings.workspace === 'worktree' ? 'the run gets a worktree of its own' : 'clean',
        };
  }
  yield* agentFindings(project, question.agent);
  const red = project.settings.baseline === 'green' && !(plan.ok && isFoundation(plan.value.plan)) ? 'bad' : 'warn';
  yield* gateFindings(project, red);
  yield {
    level: 'warn',
    name: 'sandbox',
    detail: 'none: the agent can do whatever you can, and HOME, PATH and your other programs can deceive the gates',
    fix: 'Run it in a container or a virtual machine if that matters. What stays open without one: docs/trust.md',
  };
  yield { level: 'good', name: 'limits', detail: usageLimitMeans(project.settings.deadline, Date.now()) };
  yield* memoryFindings(project);
  yield disk(project);
  yield lock(project);
}

/** Only what is wrong with it: a run goes on without what it cannot read. */
function* memoryFindings(project: Project): Generator<Finding> {
  const memory = openMemory(project);
  if (!memory) return;
  const { root } = project.repository;
  for (const { message, file, hint } of memory.problems.slice(0, 5)) {
    const where = file === undefined ? '' : `${relative(root, file)}: `;
    yield { level: 'warn', name: 'memory', detail: `${where}${message}`, ...(hint ? { fix: hint } : {}) };
  }
  for (const { line, topic, path } of deadLinks(root, memory.pin).slice(0, 10)) {
    const detail = oneLine(`.ralph/pin.md:${line}: ${topic} names ${path}, which is not there`, 200);
    yield { level: 'warn', name: 'pin', detail, fix: 'Correct the path, or take it out of the pin.' };
  }
}

async function* git(project: Project, plan: OpenPlan | undefined): AsyncGenerator<Finding> {
  const { repository, settings } = project;
  const version = await repository.git.text('--version');
  const who = await identity(repository);
  yield { level: 'good', name: 'git', detail: version.ok ? version.value : 'found' };
  yield who.own
    ? { level: 'good', name: 'identity', detail: `${who.name} <${who.email}>` }
    : {
        level: 'warn',
        name: 'identity',
        detail: 'none; commits will be by Ralph <ralph@localhost>',
        fix: 'git config user.name "…" && git config user.email "…"',
      };
  const head = await readHead(repository);
  const where = head.branch || 'a detached HEAD';
  const isForeign = plan !== undefined && isOfAnotherPlan(project, head.branch, plan);
  const apart = head.branch === '' || isProtected(head.branch) || isForeign || settings.workspace === 'worktree';
  yield {
    level: 'good',
    name: 'branch',
    detail: apart
      ? `${where}; the run makes a branch of its own (${settings.branch})`
      : `${where}; the run commits here`,
  };
}

function configFinding({ settings, repository }: Project): Finding {
  const { file, notYet } = settings;
  if (file === undefined)
    return {
      level: 'warn',
      name: 'config',
      detail: 'no ralph.yaml; defaults are used',
      fix: 'docs/configuration.md shows every key',
    };
  const detail = relative(repository.root, file);
  if (notYet.length === 0) return { level: 'good', name: 'config', detail };
  return {
    level: 'warn',
    name: 'config',
    detail: `${detail}; set but not acted on in this version: ${notYet.join(', ')}`,
  };
}

function* planFindings(project: Project, plan: OpenPlan): Generator<Finding> {
  const problem = planProblem(plan);
  const name = relative(project.repository.root, plan.path);
  if (problem) {
    yield bad('plan', {
      ...problem,
      message: `${name}:${problem.line ?? 1}:${problem.column ?? 1}: ${problem.message}`,
    });
    return;
  }
  const { items, format, problems } = plan.plan;
  const counts = tally(items, item => item.status);
  const { next } = pickNext({ items, status: item => item.status });
  yield { level: 'good', name: 'plan', detail: `${name}, ${format}, ${counts.done} of ${counts.total} done` };
  yield next
    ? { level: 'good', name: 'next', detail: oneLine(`${next.id} ${next.title}`) }
    : { level: 'warn', name: 'next', detail: 'no item is left to work on' };
  for (const { line, column, message } of problems.slice(0, 5)) {
    yield { level: 'warn', name: 'plan', detail: `${name}:${line}:${column}: ${message}` };
  }
}

/** Who works, and who reviews where that is another agent. */
async function* agentFindings({ settings, env, repository }: Project, own: Agent | undefined): AsyncGenerator<Finding> {
  yield await agentFinding('agent', chooseAgent(settings, env, own), { env, root: repository.root });
  const reviewer = chooseReviewer(settings, env, own);
  if (!settings.review?.agent) return;
  yield await agentFinding('reviewer', reviewer, { env, root: repository.root });
}

async function agentFinding(
  name: string,
  chosen: Result<ChosenAgent | undefined>,
  { env, root }: { readonly env: NodeJS.ProcessEnv; readonly root: string },
): Promise<Finding> {
  if (!chosen.ok) return bad(name, chosen.error);
  if (!chosen.value) return { level: 'good', name, detail: 'none' };
  const { agent, program } = chosen.value;
  if (agent.name === 'script' || agent.name === 'command')
    return { level: 'good', name, detail: `${agent.name}: ${program}` };
  const answer = await capture({
    argv: [program, '--version'],
    cwd: root,
    env,
    maxBytes: 64 * 1024,
    timeoutMs: 20_000,
  });
  const version = oneLine(answer.stdout.toString('utf8'), 60);
  if (answer.code === 0 && version) return { level: 'good', name, detail: `${agent.name} ${version} (${program})` };
  return {
    level: 'warn',
    name,
    detail: `${program} does not tell its version`,
    fix: `Try it by hand: ${program} --version`,
  };
}

async function* gateFindings(project: Project, red: 'bad' | 'warn'): AsyncGenerator<Finding> {
  const { settings, env, repository } = project;
  if (settings.gates.length === 0) {
    yield {
      level: 'warn',
      name: 'gates',
      detail: 'none: only a claim and a change are asked for',
      fix: 'Add the commands that prove an item done: ralph init --gates, or in ralph.yaml: gates: [npm test]',
    };
    return;
  }
  const place = {
    workspace: { root: repository.root },
    options: { env, settings, stopper: new Stopper() },
    show: () => undefined,
  };
  for (const gate of settings.gates) {
    const [result] = await runChecks(place, { gates: [gate], phase: 'baseline' });
    if (!result) continue;
    const took = showDuration(result.durationMs);
    if (result.status === 'green') yield { level: 'good', name: 'gate', detail: `${gate.name}: green in ${took}` };
    else {
      const detail = `${gate.name}: ${result.status === 'timeout' ? 'ran out of time' : `exited ${result.exit ?? 'by a signal'}`} after ${took}`;
      yield {
        level: red,
        name: 'gate',
        detail,
        fix: `Fix it, or start anyway with --allow-red.\n${result.tail.split('\n').slice(-8).join('\n')}`,
      };
    }
  }
  if (settings.gatesFrom === 'detected') {
    yield {
      level: 'warn',
      name: 'gates',
      detail: `${plural(settings.gates.length, 'gate')} detected, not configured`,
      fix: 'Write them into ralph.yaml to be sure',
    };
  }
}

function disk({ repository }: Project): Finding {
  const { bavail, bsize } = statfsSync(repository.root);
  const free = bavail * bsize;
  const detail = `${showBytes(free)} free`;
  return free < LOW_DISK
    ? { level: 'warn', name: 'disk', detail, fix: 'Free some room before a long run.' }
    : { level: 'good', name: 'disk', detail };
}

function lock({ folder }: Project): Finding {
  const owner = lockOwner({ file: folder.lock, isAlive });
  if (!owner) return { level: 'good', name: 'lock', detail: 'free' };
  return {
    level: 'bad',
    name: 'lock',
    detail: `held by pid ${owner.process.pid} on ${owner.host}: ${owner.command}`,
    fix: 'End it with: ralph stop',
  };
}

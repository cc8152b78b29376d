/** Executes a run: its start in the journal, recovery, the loop, its end. */
import { hostname } from 'node:os';
import { dirname, relative } from 'node:path';
import { adoptRequests, makeInbox, type RalphFolder, ralphFolder, storeOf } from '../journal/index.ts';
import { loop, noteStop, recover, type Session, startRemembering, watchInbox } from '../loop.ts';
import type { OpenPlan } from '../plan/index.ts';
import { isAlive, self } from '../process/index.ts';
import type { RunCommits } from '../report/index.ts';
import {
  type Baseline,
  type ChosenSandbox,
  type Found,
  missingContext,
  openMemory,
  openRuns,
  type Project,
  type Refusal,
  refuse,
  runCommits,
} from '../start/index.ts';
import { ok, type Result } from '../util/result.ts';
import { orSystemFailure } from '../util/system-error.ts';
import { repoPath } from '../workspace/index.ts';
import { type Ended, endRun } from './end-run.ts';
import { commitGiven } from './hand-over.ts';
import { noteMarksBetween, noteOtherWords, settledIn, workedUntil, writeMarksSince } from './person-marks.ts';
import { openPusher, type Pusher } from './push.ts';

interface SessionEnd extends Ended {
  readonly plan: OpenPlan;
  /** Other open runs in this repository. */
  readonly others: readonly string[];
  readonly commits: RunCommits | undefined;
}

/** Requests left for the next run go to the first run that starts, also if it works in a worktree. */
function adoptLeft(folder: RalphFolder): void {
  const main = ralphFolder(dirname(folder.root));
  if (folder.seat === undefined || storeOf(main).owner({ isAlive })) return;
  adoptRequests({ from: main.control, to: folder.control });
}

/** From the record that starts or resumes a run to its last record. */
export async function runSession(
  session: Session,
  {
    project,
    found,
    key,
    baseline,
    from,
    tier,
  }: {
    readonly project: Project;
    readonly found: Found;
    /** The key of the plan in the list of runs. */
    readonly key: string;
    readonly baseline: Baseline | undefined;
    readonly from: string | undefined;
    readonly tier: ChosenSandbox['tier'];
  },
): Promise<Result<SessionEnd, Refusal>> {
  const { run, state, plan, promptText } = found;
  const { repository, settings, folder } = project;
  const { workspace } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return refuse(4, tip.error);
  workspace.flushGround(tip.value);
  session.startedFrom = tip.value;
  makeInbox(folder.control);
  adoptLeft(folder);
  const off = [watchInbox(session), noteStop(session)];
  let pusher: Pusher | undefined;
  try {
    const configured = settings.plan ?? '';
    const runner = { process: self(), host: hostname() };
    const limits = session.limits;
    const { goal } = settings;
    const until = goal === undefined ? {} : { until: goal };
    const facts = { configured, sandbox: tier, runner, limits, ...until };
    if (state) session.record({ type: 'run.resumed', base: state.tip, ...facts });
    else {
      session.record({
        type: 'run.started',
        run,
        plan: { path: repoPath(repository, plan.path) ?? plan.path, format: plan.plan.format, name: plan.plan.name },
        branch: workspace.branch,
        base: tip.value,
        workspace: relative(repository.root, workspace.root) || '.',
        agent: session.options.agent.name,
        gates: settings.gates.map(gate => gate.run),
        ...(promptText === undefined ? {} : { promptText }),
        ...(from === undefined ? {} : { from }),
        given: settledIn(session.plan),
        ...facts,
      });
      // Repeated, because a run that started at the same time rebuilt the list from journals while this run's was still empty.
      session.options.store.workOn({ run, plan: key });
    }
    if (baseline) {
      session.record({ type: 'baseline', ...baseline });
      await session.knownGreen.learn(workspace, baseline.tree, settings.gates, baseline.gates);
      session.base.learn(baseline.tree, baseline.gates);
    }
    if (settings.gates.length === 0)
      session.notice('warn', "no gates are configured: an item is accepted on the agent's claim and a change alone");
    for (const file of missingContext(settings, workspace.root))
      session.notice('warn', `context: ${file} does not exist; briefs are written without it`);
    if (settings.push.when !== 'off') {
      pusher = openPusher(session, repository);
      session.alsoTell(pusher.sink);
    }
    const stop = await orSystemFailure(async () => {
      const recovered = state || found.died ? await recover(session) : ok(undefined);
      const marked = recovered.ok && state ? writeMarksSince(session, workedUntil(state)) : recovered;
      if (marked.ok && state?.given) noteMarksBetween(session);
      if (state) noteOtherWords(session);
      const given = marked.ok ? await commitGiven(session) : marked;
      const memory = openMemory(project);
      if (memory) startRemembering(session, memory);
      return given.ok ? await loop(session) : given;
    });
    const ended = await endRun(session, (await pusher?.endOf(stop)) ?? stop);
    await pusher?.finish();
    const others = openRuns(folder).flatMap(other => (other.run === session.state.run ? [] : [other.run]));
    return ok({ ...ended, plan: session.plan, others, commits: await runCommits(project, session.state) });
  } finally {
    for (const end of off) end();
  }
}

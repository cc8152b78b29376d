/** `pr`: the branch of a run is pushed, and a pull request made of it by the program that talks to its host; else only its words. */
import { capture, programPath } from '../process/index.ts';
import {
  code,
  gateOutcome,
  type History,
  history,
  itemCounts,
  NOTHING_TO_REVIEW,
  reviewLines,
  shortCommit,
  text,
} from '../report/index.ts';
import type { Project } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { oneLine, plural, showCost } from '../util/show.ts';
import { pushBranch, remoteOf, remoteRefs } from '../workspace/index.ts';
import { type Branch, branchOf } from './branches.ts';
import { findNightRun, type NightRun, refuseHeir, refuseUnsettled } from './night-run.ts';
import { type Brought, broughtBy } from './on-branch.ts';

export interface PrOptions {
  readonly project: Project;
  readonly run: string | undefined;
  /** The branch it came from, unless named. */
  readonly into: string | undefined;
  readonly onlyPrint: boolean;
}

export interface OpenedRequest {
  readonly request: PullRequest;
  /** Where it can be seen, once it is made. */
  readonly address?: string;
  readonly notes: readonly string[];
}

const TIMEOUT_MS = 120_000;

export async function openPullRequest({ project, run, into, onlyPrint }: PrOptions): Promise<Result<OpenedRequest>> {
  const { repository, env } = project;
  const night = await findNightRun(project, run);
  if (!night.ok) return night;
  const wrong = refuseUnsettled(project, night.value) ?? refuseHeir(night.value, 'pr');
  if (wrong) return fail(wrong);
  const base = into ?? night.value.state.from ?? '';
  if (base === '') {
    return fail({
      reason: 'no-branch',
      message: `the run ${night.value.state.run} came from no other branch`,
      hint: `Name one: ralph pr ${quoted(night.value.state.run)} --into BRANCH`,
    });
  }
  const request = await describedFor(project, night.value, base);
  if (onlyPrint) return ok({ request, notes: [] });
  const remote = await remoteOf(repository, request.base);
  const program = remote === undefined ? undefined : hostProgram(remote.address, env);
  if (remote === undefined) return ok({ request, notes: ['there is no remote to push to, so this is only its text'] });
  if (program === undefined) {
    const hint = `neither gh nor glab is installed, so this is only its text. To push the branch: git push ${quoted(remote.name)} ${quoted(request.head)}`;
    return ok({ request, notes: [hint] });
  }
  const pushed = await pushBranch(repository, { remote: remote.name, branch: request.head });
  if (!pushed.ok)
    return fail(await notPushed(project, { remote, request, run: night.value.state.run, failure: pushed.error }));
  const argv = argvFor(program, request);
  const made = await capture({
    argv,
    cwd: repository.root,
    env,
    input: request.body,
    maxBytes: 1024 * 1024,
    timeoutMs: TIMEOUT_MS,
  });
  if (made.code !== 0) {
    return fail({
      reason: 'not-pushed',
      message: `${program} could not make the request: ${made.stderr.trim() || `exit ${made.code ?? 'by a signal'}`}`,
      hint: `The branch ${request.head} is pushed. Its text: ralph pr ${quoted(night.value.state.run)} --print`,
    });
  }
  const address = /https?:\/\/\S+/.exec(made.stdout.toString('utf8'))?.[0];
  return ok({ request, notes: [], address: address ?? made.stdout.toString('utf8').trim() });
}

/** Of all that the branch brings over its base; where only the remote has that, of the run alone. */
async function describedFor(project: Project, night: NightRun, base: string): Promise<PullRequest> {
  const { state, tip = '' } = night;
  const onto = await project.repository.git.text('rev-parse', '-q', '--verify', `refs/heads/${base}^{commit}`);
  const brought = onto.ok ? await broughtBy(project, { state, onto: onto.value, tip }) : { state, earlier: [] };
  const branch = await branchOf(project, { ...night, state: brought.state });
  return pullRequest(branch, { base, earlier: brought.earlier });
}

interface NotPushed {
  readonly remote: { readonly name: string; readonly address: string };
  readonly request: PullRequest;
  readonly run: string;
  readonly failure: Failure;
}

/** By how the remote looks now: git itself only says that something failed. */
async function notPushed(
  { repository }: Project,
  { remote, request: { head: branch, base }, run, failure }: NotPushed,
): Promise<Failure> {
  const { name, address } = remote;
  const refs = await remoteRefs(repository, name);
  const words = `The text of the request: ralph pr ${quoted(run)} --into ${quoted(base)} --print`;
  if (!refs.ok) {
    const message = `${name} (${address}) cannot be reached, so nothing was pushed`;
    return { reason: 'not-pushed', message, hint: `Try: git ls-remote ${quoted(name)}. ${words}` };
  }
  const said = failure.message.replace(/^git push failed: /, '');
  const hint = `Try: git push ${quoted(name)} ${quoted(branch)}. ${words}`;
  return { reason: 'not-pushed', message: `${name} refused ${branch}: ${said}`, hint };
}

type Host = 'gh' | 'glab';

/** The program for where the remote is; the other one where only that is installed. */
function hostProgram(address: string, env: NodeJS.ProcessEnv): Host | undefined {
  const order: readonly Host[] = /gitlab/i.test(address) ? ['glab', 'gh'] : ['gh', 'glab'];
  return order.find(name => programPath(name, env) !== undefined);
}

function argvFor(program: Host, { title, body, head, base }: PullRequest): readonly [string, ...string[]] {
  return program === 'gh'
    ? ['gh', 'pr', 'create', '--head', head, '--base', base, '--title', title, '--body-file', '-']
    : [
        'glab',
        'mr',
        'create',
        '--source-branch',
        head,
        '--target-branch',
        base,
        '--title',
        title,
        '--description',
        body,
        '--yes',
      ];
}

/** The words of a pull request, made from evidence: what was done, how it was checked, what nobody has looked at. */
interface PullRequest {
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
}

const SHOWN = 100;

function pullRequest(
  { state, view, past }: Branch,
  { base, earlier }: Pick<Brought, 'earlier'> & { readonly base: string },
): PullRequest {
  const done = view.rows.filter(row => row.status === 'done' && row.state.commit !== undefined);
  const [only] = done;
  const title =
    done.length === 1 && only
      ? oneLine(`${only.id} ${only.title}`, 70)
      : oneLine(`${state.plan.name}: ${plural(done.length, 'item')}`, 70);
  const before = earlier.map(each => ({ state: each.state, past: history(each.records) }));
  const attempts = [...before.flatMap(each => each.past.attempts), ...past.attempts];
  const accepted = new Map(attempts.filter(each => each.commit !== undefined).map(each => [each.item, each]));
  const rows = done.slice(0, SHOWN).map(row => {
    const attempt = accepted.get(row.id);
    const gates = attempt?.gates.map(
      gate => `${text(gate.name, 40)} ${gate.status === 'green' ? 'green' : gateOutcome(gate)}`,
    );
    return `| ${text(row.id)} ${text(row.title, 80)} | ${code(shortCommit(row.state.commit ?? ''))} | ${gates?.join(', ') || 'no gates'} |`;
  });
  const final = past.final.map(gate => `${text(gate.name)} ${gate.status === 'green' ? 'green' : gateOutcome(gate)}`);
  const left = view.rows
    .filter(row => row.status !== 'done')
    .map(row => `- ${text(row.id)} ${text(row.title, 80)}: ${row.status}`);
  const reviews = [...before.flatMap(each => each.past.reviews), ...past.reviews];
  const review = [...reviewLines({ rows: view.rows, past: { ...past, reviews } }), ...before.flatMap(ofEarlier)];
  const body = [
    `${code(state.plan.path)}: ${itemCounts(view)}. One commit for each item.`,
    '',
    '| Item | Commit | Gates when it was accepted |',
    '|---|---|---|',
    ...rows,
    ...(done.length > SHOWN ? ['', `And ${done.length - SHOWN} more.`] : []),
    '',
    final.length > 0 ? `Final gates on a fresh checkout: ${final.join(', ')}.` : 'No final gates were run.',
    '',
    '## What to review',
    '',
    ...(review.length > 0 ? review : [NOTHING_TO_REVIEW]),
    ...(left.length > 0 ? ['', '## Not in it', '', ...left.slice(0, SHOWN)] : []),
    '',
    ...[...before.map(each => each.state), state].map(madeBy),
  ];
  return { title, body: `${body.join('\n')}\n`, head: state.branch, base };
}

/** Its gates before and after are out of date: the later run had its own. */
function ofEarlier({ state, past }: { readonly state: RunState; readonly past: History }): readonly string[] {
  const lines = reviewLines({ rows: [], past: { ...past, baseline: [], final: [] } });
  return lines.length === 0 ? [] : ['', `In the earlier run ${code(state.run)}:`, '', ...lines];
}

const madeBy = ({ run, costUsd, agent }: RunState): string =>
  `Run ${code(run)}${costUsd > 0 ? `, ${showCost(costUsd)}` : ''}, made with ${text(agent)}.`;

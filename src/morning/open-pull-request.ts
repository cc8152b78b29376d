/** `pr`: the branch of a run is pushed, and a pull request made of it by the program that talks to its host; else only its words. */
import { capture, programPath } from '../process/index.ts';
import type { Project } from '../start/index.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { pushBranch, remoteOf, remoteRefs } from '../workspace/index.ts';
import { branchOf } from './branches.ts';
import { findNightRun, refuseUnsettled } from './night-run.ts';
import { type PullRequest, pullRequest } from './pull-request.ts';

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
  const wrong = refuseUnsettled(night.value);
  if (wrong) return fail(wrong);
  const words = pullRequest(await branchOf(project, night.value));
  const request = { ...words, base: into ?? words.base };
  if (request.base === '') {
    return fail({
      reason: 'no-branch',
      message: `the run ${night.value.state.run} came from no other branch`,
      hint: 'Name one: --into BRANCH',
    });
  }
  if (onlyPrint) return ok({ request, notes: [] });
  const remote = await remoteOf(repository, request.base);
  const program = remote === undefined ? undefined : hostProgram(remote.address, env);
  if (remote === undefined)
    return ok({ request, notes: ['there is no remote to push to, so these are only the words of it'] });
  if (program === undefined) {
    const hint = `neither gh nor glab is installed, so these are only the words of it. To push the branch: git push ${quoted(remote.name)} ${quoted(request.head)}`;
    return ok({ request, notes: [hint] });
  }
  const pushed = await pushBranch(repository, { remote: remote.name, branch: request.head });
  if (!pushed.ok) return fail(await notPushed(project, { remote, branch: request.head, failure: pushed.error }));
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
      hint: `The branch ${request.head} is pushed. The words of it: ralph pr ${quoted(night.value.state.run)} --print`,
    });
  }
  const address = /https?:\/\/\S+/.exec(made.stdout.toString('utf8'))?.[0];
  return ok({ request, notes: [], address: address ?? made.stdout.toString('utf8').trim() });
}

interface NotPushed {
  readonly remote: { readonly name: string; readonly address: string };
  readonly branch: string;
  readonly failure: Failure;
}

/** By how the remote looks now: git itself only says that something failed. */
async function notPushed({ repository }: Project, { remote, branch, failure }: NotPushed): Promise<Failure> {
  const { name, address } = remote;
  const refs = await remoteRefs(repository, name);
  const words = `The words of the request: ralph pr --print`;
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

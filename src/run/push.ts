/**
 * `push: each | end`: pushes the run's branch in the background, without delaying the work. The runner pushes with the person's own
 * credentials, and pushes the accepted commit, whatever an agent does to the branch meanwhile.
 */
import { join } from 'node:path';
import type { EventSink } from '../events.ts';
import { runFolder } from '../journal/index.ts';
import type { Session, Stop } from '../loop.ts';
import { readText, writeOwn } from '../util/files.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { oneLine } from '../util/show.ts';
import {
  heldAt,
  pushBranch,
  type Remote,
  type Repository,
  remoteOf,
  remoteRefs,
  throughVault,
} from '../workspace/index.ts';

export interface Pusher {
  /** Receives every event; an accepted item is pushed while the next one is worked on. */
  readonly sink: EventSink;
  /** With `on-failure: stop`, a run is complete only if everything is pushed. */
  endOf(stop: Result<Stop>): Promise<Result<Stop>>;
  /** Pushes the rest, and reports other changes at the remote. */
  finish(): Promise<void>;
}

/** The end of a run does not wait longer than this for the network. */
const LONGEST_MS = 120_000;

export function openPusher(session: Session, repository: Repository): Pusher {
  const { push } = session.settings;
  const { branch } = session.workspace;
  let line: Promise<void> = Promise.resolve();
  let remote: Remote | undefined;
  let wanted = '';
  let troubled = false;
  const begun = async () => {
    remote = await remoteOf(repository, branch);
    if (!remote)
      return failed({
        reason: 'no-remote',
        message: 'there is no remote to push to',
        hint: 'Add one: git remote add origin <address>',
      });
    await noteRefs(session, repository, remote);
  };
  const failed = ({ message, hint = '' }: Failure) => {
    const why = oneLine(message, 300);
    if (!troubled) session.notice('warn', `not pushed: ${why}. ${hint}`.trim());
    troubled = true;
    if (session.state.pushed?.why !== why)
      session.record({ type: 'branch.pushed', remote: remote?.name ?? '', commit: wanted, why });
    if (push.onFailure === 'stop') session.halt = `${branch} could not be pushed: ${why}. ${hint}`.trim();
  };
  const pushNow = async () => {
    const commit = wanted;
    const last = session.state.pushed?.commit ?? '';
    if (!remote || commit === '' || commit === last) return;
    const env = envOf(session, repository);
    const wish = { remote: remote.address, branch, commit, env };
    const lease = last === '' || last === commit ? {} : { expected: last };
    let pushed = await pushBranch(repository, { ...wish, ...lease });
    // A runner that died may have pushed and not recorded it: what the branch holds anyway is not overwritten.
    const before = pushed.ok ? undefined : await heldAt(repository, wish);
    if (before !== undefined && before !== last) pushed = await pushBranch(repository, { ...wish, expected: before });
    if (!pushed.ok)
      return failed(await explain(session, repository, { failure: pushed.error, remote, branch, commit }));
    troubled = false;
    session.record({ type: 'branch.pushed', remote: remote.name, commit });
  };
  const then = (act: () => Promise<void>) => {
    line = line.then(act).catch((error: unknown) => failed({ reason: 'git-failed', message: String(error) }));
  };
  const pushTip = async () => {
    const tip = await session.workspace.tip();
    wanted = tip.ok ? tip.value : wanted;
    if (session.state.commits > 0) then(pushNow);
  };
  const awaitLine = async () => {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<'late'>(resolve => {
      timer = setTimeout(() => resolve('late'), LONGEST_MS);
    });
    const late = (await Promise.race([line, patience])) === 'late';
    clearTimeout(timer);
    if (!late) return;
    const why = `the push to ${remote?.name ?? 'the remote'} does not end; push it yourself: git push`;
    session.notice('warn', why);
    if (push.onFailure === 'stop') session.halt = why;
  };
  then(begun);
  return {
    sink: event => {
      if (event.type !== 'iteration.finished' || event.commit === undefined) return;
      wanted = event.commit;
      if (push.when === 'each') then(pushNow);
    },
    endOf: async stop => {
      if (push.onFailure !== 'stop' || !stop.ok || stop.value.reason !== 'complete') return stop;
      await pushTip();
      await awaitLine();
      return session.halt === undefined ? stop : ok({ reason: 'halted', why: session.halt });
    },
    finish: async () => {
      await pushTip();
      then(async () => {
        if (remote) await tellChanges(session, repository, remote);
      });
      await awaitLine();
    },
  };
}

interface Refused {
  readonly failure: Failure;
  readonly remote: Remote;
  readonly branch: string;
  readonly commit: string;
}

/** Finds the cause from the state of the remote, because git only says that the push failed. */
async function explain(
  session: Session,
  repository: Repository,
  { failure, remote, branch, commit }: Refused,
): Promise<Failure> {
  const reason = 'git-failed' as const;
  const { name, address } = remote;
  const refs = await remoteRefs(repository, address, envOf(session, repository));
  if (!refs.ok)
    return { reason, message: `${name} (${address}) cannot be reached`, hint: `Try: git ls-remote ${quoted(name)}` };
  const ref = `refs/heads/${branch}`;
  const there = refs.value.get(ref);
  const look = `git fetch ${quoted(name)} && git log ${quoted(`${name}/${branch}`)}`;
  if (there !== leftAt(session, notedRefs(session), ref)) {
    return {
      reason,
      message: `${branch} of ${name} is not where this run left it: somebody else, or an agent, pushed to it`,
      hint: `Look with: ${look}`,
    };
  }
  if (there !== undefined && !(await session.workspace.isAncestor(there, commit))) {
    return {
      reason,
      message: `${branch} of ${name} has commits of before this run that are not in it`,
      hint: `Look with: ${look}. To replace them: git push --force-with-lease ${quoted(name)} ${quoted(branch)}`,
    };
  }
  const said = failure.message.replace(/^git push failed: /, '');
  return { reason, message: `${name} refused it: ${said}`, hint: `Try: git push ${quoted(name)} ${quoted(branch)}` };
}

const envOf = (session: Session, repository: Repository) => throughVault(repository, session.options.folder.runs);

const noted = (session: Session): string =>
  join(runFolder(session.options.folder, session.state.run), 'remote-refs.json');

/** Stores the remote's refs as they were before the run's first agent. */
async function noteRefs(session: Session, repository: Repository, remote: Remote): Promise<void> {
  if (readText(noted(session)) !== undefined) return;
  const refs = await remoteRefs(repository, remote.address, envOf(session, repository));
  if (refs.ok) writeOwn(noted(session), JSON.stringify([...refs.value]));
}

function notedRefs(session: Session): ReadonlyMap<string, string> | undefined {
  const text = readText(noted(session));
  return text === undefined ? undefined : new Map(JSON.parse(text) as [string, string][]);
}

/** Where a ref of the remote has to be unless somebody else moved it: where this run pushed it, else as it was before the run. */
function leftAt({ state, workspace }: Session, before: ReadonlyMap<string, string> | undefined, ref: string) {
  const pushed = ref === `refs/heads/${workspace.branch}` ? state.pushed?.commit : undefined;
  return pushed || before?.get(ref);
}

async function tellChanges(session: Session, repository: Repository, remote: Remote): Promise<void> {
  const before = notedRefs(session);
  const refs =
    before === undefined ? undefined : await remoteRefs(repository, remote.address, envOf(session, repository));
  if (!refs?.ok || before === undefined) return;
  const names = [...new Set([...before.keys(), ...refs.value.keys()])].toSorted();
  const changed = names.flatMap(ref => {
    const [old, now] = [leftAt(session, before, ref), refs.value.get(ref)];
    if (old === now) return [];
    return [{ ref, ...(old === undefined ? {} : { was: old }), ...(now === undefined ? {} : { now }) }];
  });
  const strange = [];
  for (const each of changed) if (!(await isOfAnotherRun(session, repository, each))) strange.push(each);
  if (strange.length > 0) session.record({ type: 'remote.changed', remote: remote.name, refs: strange });
}

/** The branch of another run here, which may push as well, with nothing that it does not have itself. */
async function isOfAnotherRun(
  { options: { store }, workspace }: Session,
  { git }: Repository,
  { ref, now }: { readonly ref: string; readonly now?: string },
): Promise<boolean> {
  if (now === undefined || ref === `refs/heads/${workspace.branch}`) return false;
  const isRuns = store.runs().some(run => {
    const first = store.firstRecord(run);
    return first?.type === 'run.started' && ref === `refs/heads/${first.branch}` && first.from !== undefined;
  });
  return isRuns && (await git.text('merge-base', '--is-ancestor', now, ref)).ok;
}

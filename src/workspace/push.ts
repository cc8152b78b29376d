/** Pushing a run's own branch, and nothing else. The one place where git talks to another repository. */
import { join } from 'node:path';
import { ok, type Result } from '../util/result.ts';
import type { Repository } from './repository.ts';
import { vaultIn } from './vault-place.ts';

export interface Remote {
  readonly name: string;
  readonly address: string;
}

/** Where a branch is pushed to: the remote of its upstream, else `origin`, else the only one. */
export async function remoteOf({ git }: Repository, branch: string): Promise<Remote | undefined> {
  const configured = await git.text('config', `branch.${branch}.remote`);
  const listed = await git.text('remote');
  const all = listed.ok ? listed.value.split('\n').filter(Boolean) : [];
  const wanted = configured.ok ? configured.value : 'origin';
  const name = all.includes(wanted) ? wanted : all.length === 1 ? all[0] : undefined;
  if (name === undefined) return undefined;
  const address = await git.text('remote', 'get-url', '--push', name);
  return address.ok ? { name, address: address.value } : undefined;
}

export interface Push {
  readonly remote: string;
  readonly branch: string;
  /** Another commit than the branch's own: an agent may be at the branch. */
  readonly commit?: string;
  /** From another git directory with the same objects. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the remote's branch held when it was last pushed; empty for nothing. Another state there is not overwritten. */
  readonly expected?: string;
}

/** A person's credentials are used as their own `git push` would; hooks are not run. */
export async function pushBranch(
  { git }: Repository,
  { remote, branch, commit, expected, env }: Push,
): Promise<Result<void>> {
  const lease = expected === undefined ? [] : [`--force-with-lease=refs/heads/${branch}:${expected}`];
  const pushed = await git.run({
    args: ['push', '--quiet', ...lease, remote, `${commit ?? `refs/heads/${branch}`}:refs/heads/${branch}`],
    ...(env ? { env } : {}),
    talks: true,
  });
  return pushed.ok ? ok(undefined) : pushed;
}

/** Where the remote's branch is, if the commit that is to be pushed holds that. */
export async function heldAt(
  repository: Repository,
  { remote, branch, commit, env }: Push & { readonly commit: string },
): Promise<string | undefined> {
  const refs = await remoteRefs(repository, remote, env);
  const there = refs.ok ? refs.value.get(`refs/heads/${branch}`) : undefined;
  if (there === undefined) return undefined;
  return (await repository.git.text('merge-base', '--is-ancestor', there, commit)).ok ? there : undefined;
}

/** Branches and tags of a remote, by their full names. */
export async function remoteRefs(
  { git }: Repository,
  remote: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Result<ReadonlyMap<string, string>>> {
  const listed = await git.run({ args: ['ls-remote', '--quiet', '--refs', remote], env, talks: true });
  if (!listed.ok) return listed;
  const lines = listed.value.toString('utf8').split('\n').filter(Boolean);
  return ok(new Map(lines.map(line => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))])));
}

/** While agents work, their changes to git's settings must not decide where or by which program is pushed: the vault's are a person's. */
export const throughVault = ({ commonDir }: Repository, runs: string): Readonly<Record<string, string>> => ({
  GIT_DIR: vaultIn(runs),
  GIT_ALTERNATE_OBJECT_DIRECTORIES: join(commonDir, 'objects'),
});

/** The tree and branch of a run: chosen, made or found again. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { slug } from '../journal/runs.ts';
import type { RunState } from '../state.ts';
import { readText, writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { type BranchChoice, checkOut, chooseBranch, openWorktree } from '../workspace/branch.ts';
import { type ConfigEntry, globalConfigText } from '../workspace/global-config.ts';
import { commitSettings, readHead } from '../workspace/repository.ts';
import { Vault, vaultIn } from '../workspace/vault.ts';
import { Workspace } from '../workspace/workspace.ts';
import { type Project, type Refusal, refuse } from './project.ts';

export interface OpenWorkspace {
  readonly workspace: Workspace;
  readonly vault: Vault;
  /** A checkout that did not exist before: setup commands have to run. */
  readonly fresh: boolean;
  /** Puts HEAD on the run's branch; called once nothing can be refused any more. */
  enter(): Promise<Result<void>>;
  /** Takes back what was made for a run that was refused. */
  undo(): Promise<void>;
}

export interface WorkspaceRequest {
  readonly project: Project;
  readonly run: string;
  readonly planName: string;
  /** The last runner died here: the tree is recovered by its content, whatever it holds. */
  readonly died: boolean;
  /** The run that is continued, if one is. */
  readonly state?: RunState;
}

export async function openWorkspace(request: WorkspaceRequest): Promise<Result<OpenWorkspace, Refusal>> {
  const { project, run, state, died } = request;
  const { repository, folder } = project;
  const isolated = state ? state.workspace !== '.' : project.settings.workspace === 'worktree';
  const choice = state ? await continued(project, state) : await chosen(request, isolated);
  const index = join(folder.runs, run, 'index');
  const fresh = !existsSync(dirname(index));
  mkdirSync(dirname(index), { recursive: true });
  // Our index follows the checkout, which a person may have used since.
  rmSync(index, { force: true });
  const { author, plainObjects, entries } = await commitSettings(repository);
  const path = join(folder.worktrees, run);
  const place = isolated
    ? await openWorktree({ repository, path, choice })
    : ok({ gitDir: repository.gitDir, fresh: false });
  if (!place.ok) return refuse(4, place.error);
  const root = isolated ? path : repository.root;
  const { gitDir } = place.value;
  const global = freezeGlobalConfig(request, entries);
  const git = repository.git.with({ GIT_CONFIG_GLOBAL: global });
  const workspace = new Workspace({
    repository: { ...repository, git },
    root,
    gitDir,
    branch: choice.branch,
    index,
    accepted: join(folder.runs, run, 'accepted'),
    author,
    plainObjects,
  });
  const prepared = await workspace.prepare();
  if (!prepared.ok) return refuse(4, prepared.error);
  const vault = new Vault({
    repository,
    git,
    root,
    gitDir,
    ref: workspace.ref,
    state: folder.root,
    aside: join(folder.runs, run, 'found'),
    // What briefs are made from: an agent that writes there would speak to all that come after it.
    keep: [
      ...['.gitignore', 'pin.md'].map(name => join(folder.root, name)),
      folder.lock,
      ...(global === NONE ? [] : [global]),
    ],
    keepFolders: [folder.templates],
  });
  return ok({
    workspace,
    vault,
    fresh: place.value.fresh,
    enter: async () => {
      if (isolated) return ok(undefined);
      const entered = await checkOut(repository, choice);
      if (entered.ok || !died) return entered;
      // What is in the way is what the dead run left; it is kept aside once HEAD is back.
      const head = await repository.git.text('symbolic-ref', 'HEAD', `refs/heads/${choice.branch}`);
      return head.ok ? ok(undefined) : entered;
    },
    undo: async () => {
      if (isolated && place.value.fresh) {
        await repository.git.text('worktree', 'remove', '--force', path);
        if (choice.action === 'create') await repository.git.text('branch', '-D', choice.branch);
      }
      if (fresh) rmSync(join(folder.runs, run), { recursive: true, force: true });
    },
  });
}

const NONE = '/dev/null';

/** The user's own settings as they are before the first agent; after a death, as they were before that. */
function freezeGlobalConfig({ project, died }: WorkspaceRequest, entries: readonly ConfigEntry[]): string {
  const file = join(vaultIn(project.folder.runs), 'gitconfig');
  if (died && existsSync(file)) return file;
  const text = globalConfigText(entries);
  if (text === '') {
    rmSync(file, { force: true });
    return NONE;
  }
  if (readText(file) !== text) writeAtomic(file, text);
  return file;
}

async function chosen({ project, planName, run }: WorkspaceRequest, isolated: boolean): Promise<BranchChoice> {
  const { repository, settings } = project;
  const name = slug(planName) || run;
  const wanted = settings.branch.replaceAll('{name}', name).replaceAll('{run}', run);
  const explicit = settings.branch !== 'ralph/{name}';
  return await chooseBranch({ repository, head: await readHead(repository), wanted, explicit, isolated });
}

async function continued({ repository }: Project, state: RunState): Promise<BranchChoice> {
  const head = await readHead(repository);
  const exists = await repository.git.text('rev-parse', '-q', '--verify', `refs/heads/${state.branch}^{commit}`);
  if (!exists.ok) return { branch: state.branch, base: state.tip, action: 'create' };
  return { branch: state.branch, base: exists.value, action: head.branch === state.branch ? 'stay' : 'switch' };
}

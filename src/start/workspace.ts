/** The tree and branch of a run: chosen, made or found again. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { keptInRalph, PACKAGE_FOLDERS } from '../custody/index.ts';
import { archivedFiles, archiveNames, lessonsFile } from '../memory/index.ts';
import type { OpenPlan } from '../plan/index.ts';
import type { RunState } from '../state.ts';
import { readText, writeAtomic } from '../util/files.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import {
  type Carry,
  type ConfigEntry,
  carrying,
  checkOut,
  commitSettings,
  furnish,
  globalConfigText,
  type Head,
  knowsWorktree,
  openWorktree,
  type Repository,
  readHead,
  refuseTaken,
  repoPath,
  Vault,
  vaultIn,
  Workspace,
} from '../workspace/index.ts';
import { othersLive } from './already-running.ts';
import { leftBehind } from './left-behind.ts';
import { type NewBranch, newBranch } from './new-branch.ts';
import { ignoredWords, notInWorktree } from './not-in-worktree.ts';
import { claimBranch, refsOfOthers } from './other-runs.ts';
import { type Project, type Refusal, refuse } from './project.ts';

export interface OpenWorkspace {
  readonly workspace: Workspace;
  readonly vault: Vault;
  /** The branch of the person's that the work of a new run is for, where that is another one. */
  readonly from: string | undefined;
  /** A checkout that did not exist before: setup commands have to run. */
  readonly fresh: boolean;
  /** The files are others once HEAD is on the run's branch: what is checked is checked there. */
  readonly moves: boolean;
  /** Ignored files that every new checkout of this run gets, as patterns: those of `carry`, and words of the plan. */
  readonly carry: readonly string[];
  /** What could not be brought into a new worktree. */
  readonly notes: readonly string[];
  /** Until the files of a new worktree are on disk: before the journal says that the run works there. */
  readonly flushed: Promise<Result<void>>;
  /** Puts HEAD on the run's branch; called once nothing can be refused any more. */
  enter(): Promise<Result<void>>;
  /** Takes back what was made for a run that was refused. */
  undo(): Promise<void>;
}

export interface WorkspaceRequest {
  readonly project: Project;
  readonly run: string;
  readonly plan: OpenPlan;
  /** The last runner died here: the tree is recovered by its content, whatever it holds. */
  readonly died: boolean;
  /** The run that is continued, if one is. */
  readonly state?: RunState;
  /** The run whose work is marked in the plan and is on its branch alone. */
  readonly marked?: RunState;
  /** What the configuration says about commits, where somebody has asked already. */
  readonly commits?: ReturnType<typeof commitSettings>;
}

/** Where a run works, before anything is made. */
export interface Ground {
  readonly head: Head;
  readonly choice: NewBranch;
  /** In a worktree of its own, which is here. */
  readonly worktree: string | undefined;
  /** The files are others once HEAD is on the run's branch. */
  readonly moves: boolean;
}

/** Decides without touching anything. */
export async function chooseGround(request: WorkspaceRequest): Promise<Result<Ground, Refusal>> {
  const { project, run, state } = request;
  const { repository, folder } = project;
  const isolated = state ? state.workspace !== '.' : project.settings.workspace === 'worktree';
  const worktree = isolated ? join(folder.worktrees, run) : undefined;
  const taken = worktree === undefined ? undefined : refuseTaken(worktree, relative(project.cwd, worktree));
  if (taken) return refuse(4, taken);
  const head = await readHead(repository);
  const chosen = state ? ok(await continued(project, state)) : await newBranch({ ...request, isolated });
  if (!chosen.ok) return chosen;
  const choice = chosen.value;
  const moves = !state && !isolated && choice.action !== 'stay' && choice.base !== head.commit;
  const lost = moves
    ? await leftBehind(project, request.plan, choice)
    : isolated && !state
      ? await notInWorktree(project, request.plan, { base: choice.base, head: head.commit, from: startOf(choice) })
      : undefined;
  if (lost) return refuse(4, lost);
  const goesBack = state !== undefined && !isolated && choice.action === 'switch' && !request.died;
  const inTheWay = goesBack ? await editedHere(request, { head, choice }) : undefined;
  return inTheWay ? refuse(4, inTheWay) : ok({ head, choice, worktree, moves });
}

export async function openWorkspace(
  request: WorkspaceRequest & { readonly ground: Ground },
): Promise<Result<OpenWorkspace, Refusal>> {
  const { project, run, died, ground } = request;
  const { repository, folder } = project;
  const { head, choice, worktree, moves } = ground;
  const isolated = worktree !== undefined;
  const index = join(folder.runs, run, 'index');
  const fresh = !existsSync(dirname(index));
  mkdirSync(dirname(index), { recursive: true });
  // Our index follows the checkout, which a person may have used since.
  rmSync(index, { recursive: true, force: true });
  claimBranch(folder, run, choice.branch);
  const wasKnown = worktree !== undefined && knowsWorktree(repository, worktree);
  const { author, plainObjects, entries } = await (request.commits ?? commitSettings(repository));
  const place = isolated
    ? await openWorktree({ repository, path: worktree, choice })
    : ok({ gitDir: repository.gitDir, fresh: false, flushed: Promise.resolve(ok(undefined)) });
  if (!place.ok) return refuse(4, place.error);
  const { settings } = project;
  const isCopied = isolated || settings.parallel > 1;
  const carry = isCopied ? [...settings.carry, ...(await ignoredWords(project, request.plan))] : [];
  const notes = [
    ...madeAgain(request, { ...place.value, wasKnown }),
    ...(worktree !== undefined && place.value.fresh
      ? await furnish({ ...project, ...settings, carry, packages: PACKAGE_FOLDERS }, worktree)
      : []),
  ];
  const root = worktree ?? repository.root;
  const { gitDir, flushed } = place.value;
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
    commit: choice.base,
  });
  const prepared = await workspace.prepare();
  if (!prepared.ok) return refuse(4, prepared.error);
  const kept = keptInRalph(folder);
  const vault = new Vault({
    repository,
    git,
    root,
    gitDir,
    ref: workspace.ref,
    state: folder.root,
    aside: join(folder.runs, run, 'found'),
    othersRefs: refsOfOthers(folder, run),
    ...kept,
    keep: [...kept.keep, ...(global === NONE ? [] : [global]), ...(await workspace.unseen())],
  });
  return ok({
    workspace,
    vault,
    from: choice.from,
    fresh: place.value.fresh,
    moves,
    carry,
    notes,
    flushed,
    enter: async () => {
      if (isolated) return ok(undefined);
      const move = () => checkOut(repository, choice);
      const entered = moves ? await carrying(repository, carryOf(request), move) : await move();
      if (moves && entered.ok) {
        // Our index was made of the other branch, and would know files that git ignores on this one.
        rmSync(index, { recursive: true, force: true });
        return await workspace.prepare();
      }
      if (entered.ok || !died) return entered;
      // What is in the way is what the dead run left; it is kept aside once HEAD is back.
      const head = await repository.git.text('symbolic-ref', 'HEAD', `refs/heads/${choice.branch}`);
      return head.ok ? ok(undefined) : entered;
    },
    undo: async () => {
      if (moves && (await readHead(repository)).branch === choice.branch) {
        const back = () => goBack(repository, head);
        await carrying(repository, carryOf(request), back);
        if (choice.action === 'create') await repository.git.text('branch', '-D', choice.branch);
      }
      if (isolated && place.value.fresh) {
        await repository.git.text('worktree', 'remove', '--force', worktree);
        if (choice.action === 'create') await repository.git.text('branch', '-D', choice.branch);
      }
      if (fresh) rmSync(join(folder.runs, run), { recursive: true, force: true });
    },
  });
}

/** What somebody took away from a run that is continued. */
function madeAgain(
  { state, ground: { choice, worktree } }: WorkspaceRequest & { readonly ground: Ground },
  { fresh, wasKnown }: { readonly fresh: boolean; readonly wasKnown: boolean },
): readonly string[] {
  if (!state) return [];
  const at = `at its last commit ${choice.base.slice(0, 7)}`;
  return [
    ...(choice.action === 'create' ? [`the branch ${choice.branch} was gone; it was made again ${at}`] : []),
    ...(worktree === undefined || !fresh
      ? []
      : wasKnown
        ? [`the worktree of this run was gone; it was made again ${at}, and what was not committed there is not in it`]
        : // `ralph merge` removes one with nothing else in it, and so does `git worktree remove`.
          [`the worktree of this run had been removed; it was made again ${at}`]),
  ];
}

const NONE = '/dev/null';

/** The user's own settings as they are before the first agent; after a death, as they were before that. */
function freezeGlobalConfig({ project, died }: WorkspaceRequest, entries: readonly ConfigEntry[]): string {
  const file = join(vaultIn(project.folder.runs), 'gitconfig');
  if ((died || othersLive(project).length > 0) && existsSync(file)) return file;
  const text = globalConfigText(entries);
  if (text === '') {
    rmSync(file, { force: true });
    return NONE;
  }
  if (readText(file) !== text) writeAtomic(file, text);
  return file;
}

/** What a person has in the checkout and the run needs, committed or not: it comes along. */
function carryOf({ project, plan, run }: WorkspaceRequest): Carry {
  const { repository, settings, folder } = project;
  const files = [plan.path, settings.file, lessonsFile({ folder: folder.root }), ...archives(project)];
  const paths = files.flatMap(file => (file === undefined ? [] : (repoPath(repository, file) ?? [])));
  return { paths, keepIn: join(folder.runs, run, 'carried') };
}

/** Where archives are in git, those of other plans are on their branches. */
function archives({ repository, settings: { archive } }: Project): readonly string[] {
  if (!archive?.commit) return [];
  const folder = join(repository.root, archive.folder);
  return archiveNames(folder).flatMap(name => archivedFiles(join(folder, name)).map(file => join(folder, name, file)));
}

/** A run continues with the plan and the config of its branch: an edit of them here would be overwritten there. */
async function editedHere(
  { project: { repository, settings }, plan }: WorkspaceRequest,
  { head, choice }: { readonly head: Head; readonly choice: NewBranch },
): Promise<Failure | undefined> {
  for (const file of [plan.path, settings.file]) {
    const path = file === undefined ? undefined : repoPath(repository, file);
    if (path === undefined) continue;
    const same = await repository.git.text('diff', '--quiet', 'HEAD', choice.base, '--', `:(literal)${path}`);
    if (same.ok) continue;
    const edits = await repository.git.list('status', '--porcelain', '-z', '--', `:(literal)${path}`);
    if (!edits.ok || edits.value.length === 0) continue;
    const where = head.branch || head.commit.slice(0, 7);
    const word = quoted(path);
    return {
      reason: 'cannot-switch',
      message: `${path} has changes on ${where} that are not committed, and the run continues on ${choice.branch}, where the file differs`,
      hint: `Commit it: git add ${word} && git commit -m ${quoted(`Edit ${path}`)} ${word}\nOr put it aside: git stash`,
    };
  }
  return undefined;
}

/** As the person had it: a branch, or a commit. */
async function goBack({ git }: Repository, { branch, commit }: Head): Promise<Result<void>> {
  const back = await git.text('checkout', '-q', ...(branch === '' ? ['--detach', commit] : [branch]), '--');
  return back.ok ? ok(undefined) : back;
}

async function continued({ repository }: Project, state: RunState): Promise<NewBranch> {
  const head = await readHead(repository);
  const own = { branch: state.branch, from: state.from };
  const exists = await repository.git.text('rev-parse', '-q', '--verify', `refs/heads/${state.branch}^{commit}`);
  if (!exists.ok) return { ...own, base: state.tip, action: 'create' };
  return { ...own, base: exists.value, action: head.branch === state.branch ? 'stay' : 'switch' };
}

const startOf = ({ action, branch, from = '' }: NewBranch): { readonly branch: string; readonly isOwn: boolean } =>
  action === 'create' ? { branch: from, isOwn: false } : { branch, isOwn: true };

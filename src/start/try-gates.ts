/** The baseline of a run that is not started: the same gates on the same files, and nothing of it stays. */
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Passing } from '../events.ts';
import type { Stopper } from '../process/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { ok, type Result } from '../util/result.ts';
import { uniqueName } from '../util/unique-name.ts';
import { commitSettings, openWorktree, Workspace, worktreeAt } from '../workspace/index.ts';
import { type Baseline, checkBaseline } from './baseline.ts';
import type { Found } from './find-plan.ts';
import { refuseLocked } from './preflight.ts';
import { type Project, type Refusal, refuse } from './project.ts';
import type { Ground } from './workspace.ts';

export interface Trial {
  readonly project: Project;
  readonly found: Found;
  readonly ground: Ground;
  readonly only?: string | undefined;
  readonly stopper: Stopper;
  readonly sandbox?: Sandbox | undefined;
  readonly show: (event: Passing) => void;
}

/** A run would be let through or refused for these reasons. Not for a run that moves to other files first. */
export async function tryGates(trial: Trial): Promise<Result<Baseline | undefined, Refusal>> {
  const { project, found, ground, only, stopper, sandbox, show } = trial;
  const { repository, settings, env } = project;
  const checkout = await openCheckout(trial);
  if (!checkout.ok) return checkout;
  const { root, gitDir, fresh, close } = checkout.value;
  const own = mkdtempSync(join(tmpdir(), 'ralph-doctor-'));
  try {
    const { author, plainObjects } = await commitSettings(repository);
    const workspace = new Workspace({
      repository,
      root,
      gitDir,
      branch: ground.choice.branch,
      index: join(own, 'index'),
      accepted: join(own, 'accepted'),
      author,
      plainObjects,
    });
    const prepared = await workspace.prepare();
    if (!prepared.ok) return refuse(4, prepared.error);
    const place = { workspace, options: { env, settings, stopper, ...(sandbox ? { sandbox } : {}) }, show };
    // A run that was started meanwhile owns the tree: its agent's work is not what the gates wrote.
    const mayUndo = () => refuseLocked(project, Date.now()) === undefined;
    return await checkBaseline({ project, place, found, only, fresh, mayUndo });
  } finally {
    await close();
    rmSync(own, { recursive: true, force: true });
  }
}

interface Checkout {
  readonly root: string;
  readonly gitDir: string;
  readonly fresh: boolean;
  readonly close: () => Promise<void>;
}

/** The person's own checkout, the worktree that a run has already, or one like it that is removed again. */
async function openCheckout({ project, ground }: Trial): Promise<Result<Checkout, Refusal>> {
  const { repository, folder } = project;
  const { worktree, choice } = ground;
  const stays = () => Promise.resolve();
  if (worktree === undefined) return ok({ ...repository, fresh: false, close: stays });
  const known = worktreeAt(worktree);
  if (known !== undefined) return ok({ root: worktree, gitDir: known, fresh: false, close: stays });
  // Beside where the run's own would be: programs look for what is installed in the folders above.
  const root = join(folder.worktrees, `doctor-${uniqueName()}`);
  const made = await openWorktree({ repository, path: root, choice, detached: true });
  if (!made.ok) return refuse(4, made.error);
  const close = async () => {
    await repository.git.text('worktree', 'remove', '--force', root);
    rmSync(root, { recursive: true, force: true });
    for (const empty of [dirname(root), folder.root]) removeEmpty(empty);
  };
  return ok({ root, gitDir: made.value.gitDir, fresh: true, close });
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It was there before, and holds something.
  }
}

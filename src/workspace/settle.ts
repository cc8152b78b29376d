/** After an agent: what it did to HEAD, the branch and git's own files is undone, and what it committed is kept. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../util/result.ts';
import type { OwnRefs } from './own-refs.ts';
import { halfDoneFiles } from './repository.ts';

export interface Unsettled {
  /** The branch of the run, as a ref, and where the runner left it. */
  readonly branch: string;
  readonly base: string;
  readonly tip: Result<string>;
  readonly isCheckedOut: boolean;
  /** Where the agent's own commits are kept. */
  readonly ref: string;
  readonly refs: OwnRefs;
  readonly gitDir: string;
}

/** What was found and put right, for people. */
export async function settle(unsettled: Unsettled): Promise<Result<readonly string[]>> {
  const { branch, base, tip, refs, gitDir } = unsettled;
  const notes: string[] = [];
  if (!unsettled.isCheckedOut) {
    const head = await refs.pointHead(branch);
    if (!head.ok) return head;
    notes.push('the agent left the branch; HEAD was restored');
  }
  if (!tip.ok) {
    const back = await refs.update(branch, base, '');
    if (!back.ok) return back;
    notes.push('the agent deleted the branch; it was restored');
  } else if (tip.value !== base) {
    const name = refs.freeName(unsettled.ref, tip.value);
    const kept = await refs.update(name, tip.value, '');
    if (!kept.ok) return kept;
    const back = await refs.update(branch, base, tip.value);
    if (!back.ok) return back;
    notes.push(`the agent committed by itself; its commits are under ${name}`);
  }
  return ok([...notes, ...endHalfDone(gitDir)]);
}

/** Nothing of the agent's runs any more: a lock that is still there is only in the way of everybody else. */
function endHalfDone(gitDir: string): readonly string[] {
  const notes: string[] = [];
  const lock = join(gitDir, 'index.lock');
  if (existsSync(lock)) {
    rmSync(lock, { recursive: true, force: true });
    notes.push('the agent left the index locked; the lock was removed');
  }
  for (const name of halfDoneFiles) {
    if (!existsSync(join(gitDir, name))) continue;
    rmSync(join(gitDir, name), { recursive: true, force: true });
    if (/HEAD$|^rebase/.test(name)) notes.push(`the agent left a half-done operation (${name}); it was ended`);
  }
  return notes;
}

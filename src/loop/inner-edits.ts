/** Submodules after an agent: a commit would hold nothing of what was edited in them, so it is kept elsewhere and the attempt is refused. */
import type { Finding } from '../protocol.ts';
import { itemOf } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import { attemptRef, type InnerEdit } from '../workspace/index.ts';
import type { Session } from './session.ts';

export interface InnerLook {
  /** The item's id. */
  readonly item: string;
  readonly iteration: number;
  readonly base: string;
}

/** Puts back what was edited in submodules since they were noted. */
export async function settleInner(session: Session, look: InnerLook): Promise<Result<readonly Finding[]>> {
  const edits = await session.workspace.inner.putBack(edit => keep(session, look, edit));
  return edits.ok ? ok(edits.value.map(findingOf)) : edits;
}

function findingOf({ path, changes }: InnerEdit): Finding {
  const files = changes.map(change => change.path);
  const what = files.length > 0 ? `the edits of ${firstFew(files, 3)} in it` : 'its new commit without the files';
  const message = `${path} is a repository of its own: a commit here would not hold ${what}, so they were undone. Change other files, or say that the item is blocked`;
  return { rule: 'submodule', level: 'block', message, path };
}

async function keep(session: Session, look: InnerLook, edit: InnerEdit): Promise<Result<void>> {
  const { workspace, state, clock } = session;
  const at = clock.now();
  const message = `ralph: ${edit.path} as it was before iteration ${look.iteration}\n`;
  const before = await workspace.looseCommit({ tree: edit.was, parent: look.base, message, at });
  if (!before.ok) return before;
  const name = `${itemOf(state, look.item).attempts + 1}-i${look.iteration}-submodule`;
  const kept = await workspace.setAside(attemptRef(state.run, look.item, name), String(at), {
    tree: edit.found,
    parent: before.value,
    message: `ralph: ${edit.path} as iteration ${look.iteration} left it\n`,
    at,
  });
  if (!kept.ok) return kept;
  session.notice('info', `${edit.path} is put back; as the agent left it, it is under ${kept.value}`);
  return ok(undefined);
}

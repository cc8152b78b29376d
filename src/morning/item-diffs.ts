/** What a run changed, item by item, as a person looks through it before deciding. */
import type { Project } from '../start/index.ts';
import { ok, type Result } from '../util/result.ts';
import type { Branch } from './branches.ts';
import { evidenceWords } from './review-text.ts';

export interface ItemDiff {
  readonly item: string;
  readonly commit: string;
  /** Its commit, its size, and the gates that were green for it. */
  readonly evidence: string;
}

/** More than this of one change nobody reads screen by screen. */
const MOST_BYTES = 2 * 1024 * 1024;

/** The commits of accepted items, in the order in which they were made. */
export const itemDiffs = ({ past }: Branch): readonly ItemDiff[] =>
  past.attempts.flatMap(attempt =>
    attempt.commit === undefined
      ? []
      : [{ item: attempt.item, commit: attempt.commit, evidence: evidenceWords(attempt) }],
  );

/** Which files, then the patch itself. */
export async function patchOf({ repository: { git } }: Project, commit: string): Promise<Result<string>> {
  const args = ['show', '--format=', '--stat', '--patch', '--no-textconv', '--no-color', commit];
  const shown = await git.run({ args, maxBytes: MOST_BYTES });
  if (!shown.ok) return shown;
  const cut = shown.value.length >= MOST_BYTES ? `\n(cut here; the whole of it: git show ${commit})` : '';
  return ok(`${shown.value.toString('utf8').trimEnd()}${cut}`);
}

/** Collects the content of a review's brief: the item, the evidence of its acceptance, and its changes. */

import { redact } from '../audit/index.ts';
import { buildReviewBrief } from '../brief/index.ts';
import type { DueReview, Earlier } from '../evidence/index.ts';
import { runFolder } from '../journal/index.ts';
import type { Evidence, GateResult } from '../protocol.ts';
import { type ItemState, itemOf } from '../state.ts';
import { readOfIteration } from '../util/iteration-packs.ts';
import { jsonFields } from '../util/json.ts';
import { ok, type Result } from '../util/result.ts';
import { plural, showDuration } from '../util/show.ts';
import type { Session } from './session.ts';

export async function composeReview(session: Session, { item, round }: DueReview): Promise<Result<string>> {
  const { state, settings, options } = session;
  // The evidence of the acceptance is read from a file that may not be written yet.
  await session.written();
  const known = itemOf(state, item.id);
  const { review } = known;
  // Later fixes are part of the item, like its own commit.
  const parts = [known, ...(review?.fixes ?? []).map(id => itemOf(state, id))];
  const earlier = known.accepted === undefined ? options.reviews?.earlier.get(item.id) : undefined;
  const commits = [
    ...(earlier?.commit === undefined ? [] : [earlier.commit]),
    ...parts.flatMap(({ commit }) => commit ?? []),
  ];
  const patch = await patchOf(session, commits);
  if (!patch.ok) return patch;
  return ok(
    buildReviewBrief({
      run: state.run,
      item,
      plan: options.planInTree ?? session.plan.path,
      owned: options.ownedInTree,
      round,
      rounds: settings.review?.rounds ?? 1,
      evidence: [
        ...(known.accepted === undefined ? evidenceBefore(session, earlier) : []),
        ...parts.flatMap(part => evidenceOf(session.runFolder, part)),
      ],
      commits,
      patch: redact(patch.value),
      before: round > 1 ? (review?.findings ?? []) : [],
      again: review?.verdict === 'unclear' ? review.why : '',
      templates: options.templates,
    }),
  );
}

/** The patch of each commit; a prompt's work is spread over many commits, so its patch starts at the run's base. */
async function patchOf(session: Session, commits: readonly string[]): Promise<Result<string>> {
  const { workspace, state } = session;
  const patches: string[] = [];
  for (const commit of commits) {
    const from = session.plan.plan.repeats ? state.firstBase : await workspace.parentOf(commit);
    if (from === undefined) continue;
    const before = await workspace.treeOf(from);
    if (!before.ok) return before;
    const after = await workspace.treeOf(commit);
    if (!after.ok) return after;
    const diff = await workspace.diff(before.value, after.value);
    if (!diff.ok) return diff;
    patches.push(diff.value.patch);
  }
  return ok(patches.join('\n'));
}

/** Evidence from an earlier run; an item that was done by hand has none. */
function evidenceBefore({ options }: Session, earlier: Earlier | undefined): readonly string[] {
  const found = earlier ? evidenceOf(runFolder(options.folder, earlier.run), earlier) : [];
  return found.length > 0 ? found : ['Nothing was recorded when it was done: run what proves it yourself.'];
}

function evidenceOf(folder: string, { accepted }: Pick<ItemState, 'accepted'>): readonly string[] {
  if (accepted === undefined) return [];
  const found = parseEvidence(readOfIteration(folder, accepted, 'evidence.json')?.toString('utf8') ?? '');
  if (!found) return [];
  const { files, added, deleted, findings, gates, verify } = found;
  return [
    `iteration ${accepted}: ${plural(files, 'file')} changed, +${added} -${deleted}`,
    ...[...verify, ...gates].map(gateFact),
    ...findings.map(({ rule, level, message }) => `guard ${rule} (${level}): ${message}`),
  ];
}

const gateFact = ({ name, run, status, durationMs }: GateResult): string =>
  `${name === run ? `\`${run}\`` : `${name} (\`${run}\`)`}: ${status} in ${showDuration(durationMs)}`;

/** Agents can write to this file, so content of another shape is ignored. */
function parseEvidence(text: string): Evidence | undefined {
  const value: Partial<Evidence> = jsonFields(text);
  const lists = [value.findings, value.gates, value.verify];
  return lists.every(Array.isArray) ? (value as Evidence) : undefined;
}

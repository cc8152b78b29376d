/** Runs the agent, restores what is in custody, and then reads the agent's claim. */

import { readClaim } from '../agents/index.ts';
import { hold } from '../custody/index.ts';
import { packOldIterations } from '../journal/index.ts';
import type { AgentOutcome, Claim, Item, ProcessEnd } from '../protocol.ts';
import { PACKED_TOGETHER } from '../util/iteration-packs.ts';
import { ok, type Result } from '../util/result.ts';
import { attemptRef } from '../workspace/index.ts';
import type { Begun } from './begin-iteration.ts';
import { bringForward } from './bring-forward.ts';
import { handMcp } from './hand-mcp.ts';
import { settleBranch } from './keep-found.ts';
import { takeLessons } from './remember.ts';
import type { Session } from './session.ts';
import { startAgent } from './start-agent.ts';
import { agentThings, putBackAfterAgent } from './things.ts';

/** At most this many are named. */
const STRANGERS = 20;

export interface Worked {
  readonly end: ProcessEnd;
  readonly outcome: AgentOutcome;
  readonly claim: Claim;
  readonly model: string | undefined;
  /** Notes that the agent made through a tool. */
  readonly notes: readonly string[];
}

/** `meanwhile` is called once the agent works. */
export async function runAgent(session: Session, begun: Begun, meanwhile: () => void): Promise<Result<Worked>> {
  const { item, iteration, attempt, base, worker, lease, briefFile } = begun;
  const key = { iteration, item: item.id };
  const held = await hold(agentThings(session, { item, iteration }));
  const tries = begun.known.tries + 1;
  const mcp = handMcp(session, { item, iteration, attempt, lease, lessons: begun.lessons });
  const agent = { ...key, ...mcp, attempt, tries, lease, briefFile, wishes: item, worker, meanwhile };
  const { end, outcome, priced, asked, byTool } = await session.guarded(async () => {
    // The start has to be on disk before the agent works, so that a power cut cannot lose its record.
    await session.options.journal.synced();
    return await packingBeside(session, { working: startAgent(session, agent) });
  });
  session.ignored.look(begun.since);
  const said = claimOf(item, { message: outcome.message, brief: begun.brief });
  const model = outcome.model ?? item.model ?? worker.options.model;

  session.tree = '';
  const own = attemptRef(session.state.run, item.id, `${attempt}-i${iteration}-own`);
  const strayed = await session.workspace.strayedTo(base);
  const settled = await session.mended(() => settleBranch(session, base, own));
  if (!settled.ok) return settled;
  if (strayed !== undefined) {
    const brought = await session.mended(() => bringForward(session, begun, strayed));
    if (!brought.ok) return brought;
  }
  const { markedOwn, edits, said: written } = await putBackAfterAgent(session, held);
  const claim = claimMade(said, { byTool: byTool.claim, markedOwn, asked });
  session.record({
    type: 'agent.finished',
    ...key,
    end: endOf(end),
    claim,
    usage: outcome.usage,
    costUsd: outcome.costUsd,
    ...(priced ? { priced } : {}),
    ...(outcome.billing ? { billing: outcome.billing } : {}),
    ...(model ? { model } : {}),
    ...(outcome.failure ? { failure: outcome.failure } : {}),
    ...(outcome.unknown ? { unknown: outcome.unknown } : {}),
  });
  takeLessons(session, key, { message: outcome.message, written: [...written, ...byTool.lessons] });
  if (edits.length > 0) session.record({ type: 'plan.restored', ...key, edits });
  return ok({ end, outcome, claim, model, notes: byTool.notes });
}

const endOf = ({ reason, code, signal, durationMs, leftovers, strangers, droppedBytes }: ProcessEnd) => ({
  reason,
  code,
  signal,
  durationMs: Math.round(durationMs),
  leftovers,
  ...(strangers ? { strangers: strangers.slice(0, STRANGERS) } : {}),
  droppedBytes,
});

/** Packs files of earlier iterations while the agent works. */
async function packingBeside<T>(session: Session, { working }: { readonly working: Promise<T> }): Promise<T> {
  const { folder } = session.options;
  // All iterations before the oldest open one.
  const finished = Math.min(...session.state.openIterations.map(({ iteration }) => iteration)) - 1;
  const packing =
    finished % PACKED_TOGETHER === 0 && finished > PACKED_TOGETHER
      ? packOldIterations({ base: folder.root, runFolder: session.runFolder, finished }).catch(() => 0)
      : undefined;
  const done = await working;
  await packing;
  return done;
}

/** A format may have its own name for an item (`Group 3`); the plain id is accepted, too. */
function claimOf(item: Item, said: { readonly message: string; readonly brief: string }): Claim {
  const named = item.claimAs === undefined ? undefined : readClaim({ ...said, item: item.claimAs });
  return named && named.type !== 'none' ? named : readClaim({ ...said, item: item.id });
}

/** The final message decides; if it makes no claim, then a tool call, the agent's own mark, or a question. */
function claimMade(
  said: Claim,
  { byTool, markedOwn, asked }: { readonly byTool: Claim; readonly markedOwn: boolean; readonly asked: string },
): Claim {
  if (said.type !== 'none') return said;
  if (byTool.type !== 'none') return byTool;
  if (markedOwn) return { type: 'done', how: 'mark' };
  return asked === '' ? said : { type: 'question', text: asked };
}

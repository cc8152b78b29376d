/** One iteration: a brief, a fresh agent, a look at what it did, a verdict, and what follows from it. */

import { randomBytes } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { readClaim } from '../agents/index.ts';
import { briefFigures } from '../brief/index.ts';
import { hold } from '../custody/index.ts';
import { verdict as decide, isBlamed } from '../evidence/index.ts';
import { packOldIterations } from '../journal/index.ts';
import { appendProgress } from '../memory/index.ts';
import type { AgentOutcome, Claim, Item, Verdict } from '../protocol.ts';
import { itemOf, shownSandbox } from '../state.ts';
import { writeFresh, writeOwn } from '../util/files.ts';
import { PACKED_TOGETHER } from '../util/iteration-packs.ts';
import { ownFolder } from '../util/own-folder.ts';
import { ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { attemptRef } from '../workspace/index.ts';
import { readyTools } from './check-tools.ts';
import { checksBefore } from './checks-before.ts';
import { commitMessage } from './commit-message.ts';
import { composeBrief } from './compose-brief.ts';
import { conclude } from './conclude.ts';
import { enterTree } from './enter-tree.ts';
import { gather } from './gather.ts';
import { withLastWords } from './last-words.ts';
import { abortIteration } from './recover.ts';
import { takeLessons } from './remember.ts';
import type { Session } from './session.ts';
import { isSettling } from './settling.ts';
import { startAgent } from './start-agent.ts';
import { agentThings, putBackAfterAgent } from './things.ts';
import { trackBegin } from './track.ts';
import { labelOf, type Worker } from './workers.ts';

/** Of those that are named. */
const STRANGERS = 20;

export type Iterated =
  | {
      readonly type: 'decided';
      readonly iteration: number;
      readonly verdict: Verdict;
      /** The tree is another than the one it began with. */
      readonly moved: boolean;
      /** The gate that refused the work. */
      readonly gate?: string;
    }
  /** A stop request cut it off; its work is kept aside and its number is used again. */
  | { readonly type: 'cut-off' };

export async function iterate(session: Session, item: Item, worker: Worker): Promise<Result<Iterated>> {
  const { workspace } = session;
  const base = await workspace.tip();
  if (!base.ok) return base;
  const iteration = session.state.iterations + 1;
  const known = itemOf(session.state, item.id);
  const attempt = known.attempts + 1;
  const begun = trackBegin(session, { id: item.id, attempt, at: session.clock.now() });
  if (!begun.ok) return begun;
  const tree = await enterItem(session, item.id, base.value);
  if (!tree.ok) return tree;
  const tools = await readyTools(session);
  if (!tools.ok) return tools;

  const { wasRed, unstartable } = await checksBefore(session, item, known);
  const lessons = session.recall(item);
  const carried = known.carry?.base === base.value;
  const brief = composeBrief(session, { item, iteration, attempt, carried, lessons });
  ownFolder(session.options.folder.root, session.folderOf(iteration));
  const briefFile = session.fileOf(iteration, 'brief.md');
  writeFresh(briefFile, brief.text);
  writeFresh(session.fileOf(iteration, 'brief.json'), briefFigures(brief));
  const since = lstatSync(briefFile, { bigint: true }).ctimeNs;
  const noted = await session.ignored.note();
  if (!noted.ok) return noted;
  // Where git does not see the plan, this copy is what a restart puts back.
  if (!session.options.planInTree) writeOwn(session.fileOf(iteration, 'plan.before'), session.plan.bytes);

  const lease = randomBytes(8).toString('hex');
  const key = { iteration, item: item.id };
  const started = session.record({
    type: 'iteration.started',
    ...key,
    title: oneLine(item.title, 120),
    attempt,
    try: known.tries + 1,
    base: base.value,
    tree: session.tree,
    lease,
    ...(worker.options === session.options.agentOptions ? {} : { agent: labelOf(worker) }),
    ...(item.verify.length > 0 && known.verifyWasRed === undefined ? { verifyWasRed: wasRed } : {}),
    ...(unstartable.length > 0 && known.unstartable === undefined ? { unstartable } : {}),
  });
  if (brief.lessons.length > 0) session.record({ type: 'lessons.shown', ...key, ids: brief.lessons });
  session.iterations += 1;
  const startTree = session.tree;

  const held = await hold(agentThings(session, { item, iteration }));
  const agent = { ...key, attempt, tries: known.tries + 1, lease, briefFile, wishes: item, worker };
  const { end, outcome, priced } = await session.guarded(() =>
    packingBeside(session, { finished: iteration - 1, working: startAgent(session, agent) }),
  );
  session.ignored.look(since);
  const said = claimOf(item, { message: outcome.message, brief: brief.text });
  const facts = { reason: end.reason, code: end.code, signal: end.signal, durationMs: Math.round(end.durationMs) };
  const model = outcome.model ?? item.model ?? worker.options.model;
  const finished = (claim: Claim) =>
    session.record({
      type: 'agent.finished',
      ...key,
      end: {
        ...facts,
        leftovers: end.leftovers,
        ...(end.strangers ? { strangers: end.strangers.slice(0, STRANGERS) } : {}),
        droppedBytes: end.droppedBytes,
      },
      claim,
      usage: outcome.usage,
      costUsd: outcome.costUsd,
      ...(priced ? { priced } : {}),
      ...(outcome.billing ? { billing: outcome.billing } : {}),
      ...(model ? { model } : {}),
      ...(outcome.failure ? { failure: outcome.failure } : {}),
      ...(outcome.unknown ? { unknown: outcome.unknown } : {}),
    });

  session.tree = '';
  const own = attemptRef(session.state.run, item.id, `${attempt}-i${iteration}-own`);
  const settled = await session.mended(() => workspace.settle(base.value, own));
  if (!settled.ok) return settled;
  for (const note of settled.value) session.notice('warn', note);
  const { markedOwn, edits, said: written } = await putBackAfterAgent(session, held);
  const claim: Claim = said.type === 'none' && markedOwn ? { type: 'done', how: 'mark' } : said;
  finished(claim);
  takeLessons(session, key, { message: outcome.message, written });
  if (edits.length > 0) session.record({ type: 'plan.restored', ...key, edits });
  if (session.options.stopper.signal.aborted) {
    const aborted = await abortIteration(session, 'stopped on request');
    return aborted.ok ? ok({ type: 'cut-off' }) : aborted;
  }

  const settling = isSettling(session, { known, carried, claim, outcome }) ? { settling: { tree: startTree } } : {};
  const look = {
    ...settling,
    item,
    iteration,
    base: base.value,
    claim,
    failure: outcome.failure,
    wasRed,
    unstartable,
    since,
  };
  const evidence = await session.mended(() => gather(session, look));
  if (!evidence.ok) return evidence;
  if (session.options.stopper.signal.aborted) {
    const aborted = await abortIteration(session, 'stopped on request');
    return aborted.ok ? ok({ type: 'cut-off' }) : aborted;
  }
  const byGates = session.takeReplaced();
  if (byGates.length > 0) session.record({ type: 'plan.restored', ...key, edits: byGates });
  session.record({ type: 'evidence', ...key, evidence: evidence.value });

  const { repeats } = session.plan.plan;
  const judged = decide({
    item,
    claim,
    end,
    evidence: evidence.value,
    repeats,
    answered: session.answered,
    ...(outcome.denied ? { denied: outcome.denied } : {}),
    ...settling,
    ...(outcome.failure ? { failure: outcome.failure } : {}),
  });
  const decision = withLastWords(judged, outcome);
  session.answered ||= hasAnswered(outcome);
  const message = commitMessage({
    run: session.state.run,
    item,
    iteration,
    verdict: decision,
    gates: evidence.value.gates.map(gate => gate.name),
    said: outcome.message,
    agent: [worker.agent.name, model].filter(Boolean).join(', '),
    sandbox: shownSandbox(session.state),
    template: session.settings.commit,
  });
  // Memory learns from what an attempt that failed, and the one that mended it, had changed: from a file of each.
  if (decision.type === 'rejected' || known.attempts > 0) await session.written();
  const recorded = session.record({ type: 'verdict', ...key, verdict: decision, message });
  const concluded = await conclude(session, {
    ...key,
    attempt,
    base: base.value,
    startTree,
    evidence: evidence.value,
    verdict: decision,
    message,
    at: recorded.at,
    startedAt: started.at,
  });
  if (!concluded.ok) return concluded;
  const logged = appendProgress({
    file: session.options.folder.progress,
    entry: {
      run: session.state.run,
      iteration,
      item: item.id,
      verdict: decision.type,
      at: recorded.at,
      message: outcome.message,
      ...(decision.type === 'accepted' || decision.type === 'progress' ? {} : { reason: decision.why }),
    },
  });
  if (!logged.ok) session.notice('warn', logged.error.message);
  const gate =
    decision.type === 'rejected' && decision.reason === 'gate-red' ? evidence.value.gates.find(isBlamed) : undefined;
  const moved = evidence.value.tree !== startTree;
  return ok({ type: 'decided', iteration, verdict: decision, moved, ...(gate ? { gate: gate.name } : {}) });
}

/** While the agent works there is time to pack what earlier ones left. */
async function packingBeside<T>(
  session: Session,
  { finished, working }: { readonly finished: number; readonly working: Promise<T> },
): Promise<T> {
  const { folder } = session.options;
  const packing =
    finished % PACKED_TOGETHER === 0 && finished > PACKED_TOGETHER
      ? packOldIterations({ base: folder.root, runFolder: session.runFolder, finished }).catch(() => 0)
      : undefined;
  const done = await working;
  await packing;
  return done;
}

/** Whatever it said or did, a model was reached. */
const hasAnswered = ({ failure, usage }: AgentOutcome): boolean =>
  !failure || usage.outputTokens > 0 || (failure.class === 'logic' && !failure.unanswered);

/** A format may have its own name for an item (`Group 3`); the plain id is understood too. */
function claimOf(item: Item, said: { readonly message: string; readonly brief: string }): Claim {
  const named = item.claimAs === undefined ? undefined : readClaim({ ...said, item: item.claimAs });
  return named && named.type !== 'none' ? named : readClaim({ ...said, item: item.id });
}

/** Where this item's next attempt starts: its last attempt's tree, or the base. */
async function enterItem(session: Session, item: string, base: string): Promise<Result<string>> {
  const { carry } = itemOf(session.state, item);
  if (carry && carry.base === base) {
    const entered = await enterTree(session, { wanted: carry.tree, tip: base });
    if (entered.ok) return entered;
    session.notice('warn', `the tree of the last attempt cannot be read, so ${item} starts from the last commit`);
  }
  const wanted = await wantedTree(session, base);
  return wanted.ok ? await enterTree(session, { wanted: wanted.value, tip: base }) : wanted;
}

async function wantedTree(session: Session, base: string): Promise<Result<string>> {
  // The common case needs no git: the last thing that happened here was the commit that is now the base.
  if (session.treeOfTip?.commit === base) return ok(session.treeOfTip.tree);
  return await session.workspace.treeOf(base);
}

/** Collects the evidence about an agent's work: plan, tree, diff, guards, gates. */

import { dirname, join, relative } from 'node:path';
import { checkGuards, documentsWanted, redact } from '../audit/index.ts';
import { runChecks, seeChange, verifyGates } from '../checks/index.ts';
import { type FoundUnderGates, heldTree, hold, UNTOUCHED } from '../custody/index.ts';
import { isBlamed } from '../evidence/index.ts';
import type { AgentFailure, Change, Claim, Evidence, Finding, GateResult, GuardInput, Item } from '../protocol.ts';
import { allGreen, itemOf } from '../state.ts';
import { readText, writeFresh } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { wasRedSo } from '../util/same-failure.ts';
import type { Diff } from '../workspace/index.ts';
import { checkTools } from './check-tools.ts';
import { cannotStart } from './checks-before.ts';
import { finalGateOf } from './final-gates.ts';
import { freshTimes, type HeldGround, settleIgnored } from './hidden-ground.ts';
import { settleInner } from './inner-edits.ts';
import { otherMarks } from './other-marks.ts';
import { prove } from './prove.ts';
import { putBackGround } from './put-back-ground.ts';
import { checkSameTree } from './same-tree.ts';
import type { Session } from './session.ts';
import { takeTree } from './take-tree.ts';

export interface Look {
  readonly item: Item;
  readonly iteration: number;
  readonly base: string;
  readonly startTree: string;
  readonly claim: Claim;
  readonly failure: AgentFailure | undefined;
  readonly wasRed: boolean;
  /** The item's own checks that could not be started before any agent worked on it. */
  readonly unstartable: readonly string[];
  /** The tree that was green without a claim, if this session had nothing to add to it. */
  readonly settling?: { readonly tree: string };
  /** When the agent started, by the clock of file timestamps. */
  readonly since: bigint;
  readonly ground: HeldGround;
}

export async function gather(session: Session, look: Look): Promise<Result<Evidence>> {
  try {
    return await gatherAll(session, look);
  } finally {
    session.ignored.giveBack();
  }
}

async function gatherAll(session: Session, look: Look): Promise<Result<Evidence>> {
  const { workspace, settings } = session;
  const taken = await takeTree(session, look);
  for (const note of workspace.takeNotes()) session.notice('warn', note);
  if (!taken.ok) return taken;
  const { tree } = taken.value;
  const { iteration, base, item } = look;
  const inner = await settleInner(session, { item: item.id, iteration, base });
  if (!inner.ok) return inner;
  session.ignored.list();
  const baseTree =
    session.treeOfTip?.commit === look.base ? ok(session.treeOfTip.tree) : await workspace.treeOf(look.base);
  if (!baseTree.ok) return baseTree;
  const diff = await workspace.diff(baseTree.value, tree);
  if (!diff.ok) return diff;
  // Flushed while guards and gates run, because a verdict must not survive a power cut that destroys its tree.
  const flushing = workspace.onDisk.tree(tree, baseTree.value);
  const made = withoutOwned(session, diff.value);
  session.write(session.fileOf(look.iteration, 'diff.patch'), redact(diff.value.patch));
  const seen = await seeChange({
    changes: made,
    beside: documentsWanted({ changes: made, item: look.item, folder: folderOf(session, look.item) }),
    tree,
    contents: (files, also) => workspace.contents(files, also),
    testsWith: (to, texts) => workspace.testsWith(to, texts),
  });
  if (!seen.ok) return seen;
  const input: GuardInput = {
    changes: made,
    item: look.item,
    rules: settings.rules,
    gates: [...[...session.itemGates, ...settings.final].map(gate => gate.run), ...look.item.verify],
    scope: session.plan.plan.repeats ? 'repeating' : 'item',
    ...seen.value,
  };
  const hidden = await settleIgnored(session, { iteration, ground: look.ground });
  if (!hidden.ok) return hidden;
  const found = [
    ...taken.value.findings,
    ...inner.value,
    ...checkGuards(input),
    ...checkNotes(session, look),
    ...otherMarks(workspace.root, input),
    ...hidden.value.findings,
  ];
  const sides = { baseTree: baseTree.value, tree, diff: diff.value };
  const kept = await putBackGround(session, { iteration, base, ...sides, input, findings: found });
  if (!kept.ok) return kept;
  const changes = withoutOwned(session, kept.value.diff);
  const timed = await freshTimes(session.workspace, { changes, since: look.since });
  if (!timed.ok) return timed;
  const refused = found.some(finding => finding.level === 'block');
  const tools = await checkTools(session, { item, iteration, changes, refused, tools: hidden.value.tools });
  const findings = [...found, ...tools];
  const held = await hold({ tree: treeUnderGates(session, { iteration, tree: kept.value.tree }) });
  const checked = await checks(session, {
    look,
    tree: kept.value.tree,
    blocked: findings.some(finding => finding.level === 'block'),
  });
  if (!checked.ok) return checked;
  const { gates, verify } = checked.value;
  const ran = gates.length + verify.length > 0;
  const under = ran ? (await held.putBack()).tree : ok(UNTOUCHED);
  if (!under.ok) return under;
  tellResidue(session, under.value);
  const same = await checkSameTree(session, {
    tree: kept.value.tree,
    touched: under.value.touched,
    base,
    gates: [...verifyGates(item), ...(gates.length > 0 ? session.itemGates : [])],
    results: [...verify, ...gates],
  });
  if (!same.ok) return same;
  const gathered: Evidence = {
    tree: kept.value.tree,
    changed: changes.length > 0,
    files: changes.length,
    added: changes.reduce((sum, change) => sum + change.added, 0),
    deleted: changes.reduce((sum, change) => sum + change.deleted, 0),
    findings: [...findings, ...same.value],
    gates,
    verify,
    verifyWasRed: look.wasRed,
  };
  const evidence = await prove(session, {
    ...look,
    input: { ...input, changes },
    baseTree: baseTree.value,
    evidence: gathered,
  });
  const flushed = await flushing;
  if (!flushed.ok) return flushed;
  const last = await workspace.onDisk.tree(evidence.tree, baseTree.value);
  if (!last.ok) return last;
  session.write(session.fileOf(look.iteration, 'evidence.json'), `${JSON.stringify(evidence, undefined, 2)}\n`);
  return ok(evidence);
}

/** The folder in the tree of the file that the item is in. */
const folderOf = ({ workspace, plan: { path } }: Session, { source }: Item): string =>
  dirname(relative(workspace.root, source === undefined ? path : join(dirname(path), source.path)));

const withoutOwned = ({ options }: Session, { changes }: Diff): readonly Change[] =>
  changes.filter(change => !options.ownedInTree.includes(change.path));

/** Notes that a plan asks for: missing ones reject the work once, then they are only reported. */
function checkNotes(session: Session, { item, claim, settling }: Look): readonly Finding[] {
  if (!item.notes || (claim.type !== 'done' && !settling)) return [];
  const { path, heading } = item.notes;
  if (hasSection(readText(join(session.workspace.root, path)) ?? '', heading)) return [];
  const { signature, attempts } = itemOf(session.state, item.id);
  // Finished work is never rejected twice because of missing notes.
  const asked =
    settling !== undefined || signature.startsWith('guard:notes') || attempts + 1 >= session.settings.limits.attempts;
  const message = `${path} has no section "${heading}"; append one that says what was done and what was learned`;
  return [{ rule: 'notes', level: asked ? 'warn' : 'block', message, path }];
}

/** `## Group 1: Title` is a section of `## Group 1`; `## Group 10` is not. */
const hasSection = (text: string, heading: string): boolean =>
  text.split('\n').some(line => line.startsWith(heading) && !/^[\p{L}\p{N}]/u.test(line.slice(heading.length)));

/** Gates take time, so they are skipped if the verdict cannot depend on them. */
async function checks(
  session: Session,
  { look, tree, blocked }: { readonly look: Look; readonly tree: string; readonly blocked: boolean },
): Promise<Result<{ readonly gates: readonly GateResult[]; readonly verify: readonly GateResult[] }>> {
  const brokeDown = look.failure !== undefined && look.claim.type === 'none' && look.item.verify.length === 0;
  if (blocked || brokeDown || look.claim.type === 'blocked' || look.claim.type === 'question')
    return ok({ gates: [], verify: [] });
  const wasRed = (result: GateResult) => cannotStart(result) && look.unstartable.includes(result.run);
  const verify = await runChecks(session, { gates: verifyGates(look.item), phase: 'item', wasRed });
  if (verify.some(isBlamed)) return ok({ gates: [], verify });
  const gates = await runItemGates(session, tree);
  if (!allGreen(gates)) return ok({ verify, gates });
  const final = await finalGateOf(session, { item: look.item.id, tree, commit: look.base });
  return final.ok ? ok({ verify, gates: [...gates, ...final.value] }) : final;
}

async function runItemGates(session: Session, tree: string): Promise<readonly GateResult[]> {
  const { workspace, knownGreen, itemGates: gates, state } = session;
  const known = await knownGreen.on(workspace, tree, gates);
  const wasRed = (result: GateResult) => wasRedSo(state.redGates ?? [], result);
  const results = await runChecks(session, { gates, phase: 'item', wasRed, known });
  await knownGreen.learn(workspace, tree, gates, results);
  return results;
}

function treeUnderGates(
  session: Session,
  { iteration, tree }: { readonly iteration: number; readonly tree: string },
): ReturnType<typeof heldTree> {
  const { planInTree: inTree } = session.options;
  // The agent's code runs in the gates, so an edit does not count as a person's; a copy is kept in case it was.
  const keep = (bytes: Buffer): void => {
    const copy = session.fileOf(iteration, 'plan.edited');
    writeFresh(copy, bytes);
    session.notice('warn', `the plan was edited while the gates ran; it was restored, the edit is in ${copy}`);
  };
  const plan = inTree === undefined ? {} : { plan: { inTree, path: session.plan.path, keep } };
  return heldTree({ workspace: session.workspace, tree, stamp: session.fileOf(iteration, 'brief.md'), ...plan });
}

function tellResidue(session: Session, { changed }: FoundUnderGates): void {
  if (changed.length === 0) return;
  const names = `${changed.slice(0, 3).join(', ')}${changed.length > 3 ? ' …' : ''}`;
  session.notice('info', `restored what the gates changed: ${names}`);
}

/** The iteration view: why this verdict? */
import type { GateResult } from '../protocol.ts';
import { shellWord, shortCommit } from '../report/index.ts';
import { noUsage } from '../state.ts';
import { jsonFields } from '../util/json.ts';
import { plain, plural, showCost, showDuration } from '../util/show.ts';
import type { Located, Look } from './all-runs.ts';
import { diffView } from './diff.ts';
import { chainOf } from './evidence-chain.ts';
import { readIterationFile } from './files.ts';
import { type IterationFacts, iterationFacts } from './iteration-facts.ts';
import { proofTime, type Row, verdictRow } from './iteration-row.ts';
import { typed } from './place.ts';
import { linesOf } from './signal-file.ts';
import { signalsIn, stepsOf } from './steps.ts';
import type { BriefView, IterationView, ProofView, SlotView, StepView } from './types/iteration.ts';

/** How many of the last steps are included, and how much of each text. */
export interface Room {
  readonly steps: number;
  readonly brief: number;
  readonly diff: number;
  readonly stepText: number;
}

export const WHOLE: Room = { steps: 2_000, brief: 200_000, diff: 600_000, stepText: 24_000 };

const FINDINGS = 500;

export function iterationView(look: Look, n: number, room: Room = WHOLE): IterationView | undefined {
  const { facts } = look;
  const at = facts.byNumber.get(n);
  const row = at === undefined ? undefined : facts.rows[at];
  if (at === undefined || !row) return undefined;
  const records = iterationFacts(look, row);
  const { finished, evidence: judged, verdict, ended } = records;
  const evidence = judged?.evidence;
  const steps = stepsIn(look, row);
  const reviews = facts.reviews.filter(review => review.n === n && review.item === row.item);
  const findings = (evidence?.findings ?? []).slice(0, FINDINGS);
  const decided = verdict?.verdict;
  return {
    sentence: sentenceOf(row, look.now),
    n,
    item: row.item,
    title: row.title,
    attempt: row.attempt,
    try: row.try,
    agent: row.agent,
    model: finished?.model ?? null,
    startedAt: row.start,
    endedAt: ended?.at ?? null,
    durationMs: row.step === 'over' ? row.durationMs : Math.max(0, look.now - row.start),
    usage: finished?.usage ?? noUsage,
    costUsd: row.costUsd,
    billing: finished?.priced ? 'priced' : (finished?.billing ?? null),
    end: finished ? endOf(finished.end) : null,
    verdict: {
      type: row.verdict,
      reason: row.reason,
      why: row.why,
      feedback: decided?.type === 'rejected' ? plain(decided.feedback) : '',
      next: decided?.type === 'rejected' ? decided.next : null,
      at: verdict?.at ?? null,
      settled: decided?.type === 'accepted' && decided.settled === true,
    },
    claim: finished?.claim ?? null,
    said: steps.findLast(step => step.kind === 'says' && step.depth === 0)?.text ?? '',
    chain: chainOf(records, row, reviews),
    changes: evidence ? { files: evidence.files, added: evidence.added, deleted: evidence.deleted } : null,
    findings,
    verify: (evidence?.verify ?? []).map(harmlessGate),
    verifyWasRed: evidence?.verifyWasRed ?? false,
    gates: (evidence?.gates ?? []).map(harmlessGate),
    proof: proofOf(records),
    diff: diffView(readIterationFile(look, n, 'diff.patch')?.bytes, findings, room.diff),
    steps: steps.slice(-room.steps).map(step => cutStep(step, room.stepText)),
    logsCommand: typed(look.place, `ralph logs ${n} --run ${look.run}`),
    stepsLeftOut: Math.max(0, steps.length - room.steps),
    brief: briefView(look, n, room.brief),
    lessons: {
      shown: records.shown,
      used: records.said?.used ?? [],
      said: records.said?.lessons ?? [],
    },
    restored: records.restored,
    leftovers: [...(finished?.end.leftovers ?? []), ...(finished?.end.strangers ?? [])],
    droppedBytes: finished?.end.droppedBytes ?? 0,
    base: records.started?.base ?? '',
    commit: row.commit,
    ref: row.ref,
    getBack: getBack(row, records),
    attempts: facts.rows
      .filter(({ item }) => item === row.item)
      .slice(-200)
      .map(verdictRow),
    reviews,
    previous: facts.rows[at - 1]?.n ?? null,
    next: facts.rows[at + 1]?.n ?? null,
  };
}

const endOf = ({ reason, code, signal, durationMs }: NonNullable<IterationFacts['finished']>['end']) => ({
  reason,
  code,
  signal,
  durationMs,
});

function stepsIn(look: Look, row: Row): readonly StepView[] {
  const bytes = readIterationFile(look, row.n, 'events.jsonl')?.bytes;
  if (!bytes) return [];
  return stepsOf(signalsIn(linesOf(bytes).lines.map(({ text }) => text)), row.start);
}

const cutStep = (step: StepView, most: number): StepView =>
  step.text.length <= most ? step : { ...step, text: `${step.text.slice(0, most)}…` };

const harmlessGate = (gate: GateResult): GateResult => ({ ...gate, tail: plain(gate.tail) });

function proofOf({ evidence: judged }: IterationFacts): ProofView | null {
  const evidence = judged?.evidence;
  if (!evidence?.proof) return null;
  const { tests, mutants } = evidence.proof;
  return {
    tests,
    mutants,
    durationMs: proofTime(evidence) ?? null,
    runs: evidence.trials?.runs ?? 0,
    why: evidence.trials?.why ?? [],
  };
}

/** The command that shows the kept work: the diff to its ref, or its commit. */
function getBack({ ref, commit }: Row, { started }: IterationFacts): string | null {
  if (ref !== null) return `git diff ${started ? shortCommit(started.base) : 'HEAD'} ${shellWord(ref)}`;
  return commit === null ? null : `git show ${shortCommit(commit)}`;
}

function sentenceOf(row: Row, now: number): string {
  const what = `${row.item}, attempt ${row.attempt}`;
  const spent = row.costUsd > 0 ? ` for ${showCost(row.costUsd)}` : '';
  const time = showDuration(row.step === 'over' ? row.durationMs : Math.max(0, now - row.start));
  switch (row.verdict) {
    case 'open':
      return `${what}: being worked on for ${time}.`;
    case 'accepted':
      return `${what}: proven after ${time}${spent}. ${row.why}`;
    case 'progress':
      return `${what}: green work kept after ${time}${spent}. ${row.why}`;
    case 'rejected':
      return `${what}: refused after ${time}${spent}. ${row.why}`;
    case 'blocked':
      return `${what}: blocked after ${time}${spent}. ${row.why}`;
    case 'retry':
      return `${what}: to be tried again, and no attempt used. ${row.why}`;
    case 'aborted':
      return `${what}: cut off after ${plural(Math.round(row.durationMs / 1000), 'second')}. ${row.why}`;
  }
}

/** For an estimate of the tokens of a brief. */
const BYTES_PER_TOKEN = 4;

function briefView(located: Located, n: number, most: number): BriefView {
  const file = readIterationFile(located, n, 'brief.md');
  if (!file) return { state: 'none', text: '', tokens: 0, slots: null };
  const text = plain(file.bytes.toString('utf8'));
  return {
    state: text.length > most ? 'cut' : 'whole',
    text: text.slice(0, most),
    tokens: Math.ceil(file.size / BYTES_PER_TOKEN),
    slots: slotsOf(readIterationFile(located, n, 'brief.json')?.bytes),
  };
}

/** The slots of a brief. An agent could have written this file, so every field is validated. */
function slotsOf(bytes: Buffer | undefined): readonly SlotView[] | null {
  const { slots } = jsonFields(bytes?.toString('utf8'));
  if (!Array.isArray(slots)) return null;
  return slots.slice(0, 50).flatMap((slot: unknown) => {
    const { name, tokens, budget, dropped, note } = (slot ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || typeof tokens !== 'number') return [];
    return [
      {
        name: name.slice(0, 40),
        tokens,
        budget: typeof budget === 'number' ? budget : null,
        dropped: typeof dropped === 'number' ? dropped : 0,
        note: typeof note === 'string' ? note.slice(0, 200) : null,
      },
    ];
  });
}

/** The Now view: what is happening, and do I have to do something? */
import { pickNext } from '../plan/index.ts';
import type { Item, ItemStatus } from '../protocol.ts';
import { howItEnded } from '../report/index.ts';
import { isApart, type Project } from '../start/index.ts';
import { isComplete, shownSandbox, statusIn } from '../state.ts';
import type { Failure } from '../util/result.ts';
import { plural, showCost, showDuration } from '../util/show.ts';
import type { Library, Look } from './all-runs.ts';
import { cursorAt } from './cursor.ts';
import { type ItemRows, itemRows, refOf } from './item-rows.ts';
import { verdictRow } from './iteration-row.ts';
import { liveFacts, workOf } from './live-work.ts';
import { needsOf } from './needs.ts';
import { goOnCommand, planFlag, typed } from './place.ts';
import { lettersOf, runRow } from './run-row.ts';
import { fitTape } from './tape.ts';
import type { LimitsView } from './types/common.ts';
import type { ControlView, RunRow, RunView, WorkView } from './types/run.ts';

const LAST = 10;
const NEXT = 5;
const FULL_TAPE = 2_000;

export async function runView(
  { project }: Pick<Library, 'project'>,
  look: Look,
  { isReadonly }: { readonly isReadonly: boolean },
): Promise<RunView> {
  const { facts, owner, now } = look;
  const { state } = facts;
  const items = itemRows(look);
  const row = runRow(look, items);
  const live = liveFacts(look);
  const { work, heard } = workOf(look, live.gate);
  return {
    ...row,
    sentence: sentenceOf(look, row, work),
    cursor: cursorAt(look, heard),
    now,
    base: state.firstBase,
    from: state.from || null,
    sandbox: shownSandbox(state) ?? null,
    gates: facts.gates,
    limits: limitsOf(look, live.limits),
    projection: projectionOf(look, items),
    work,
    waiting:
      state.waitUntil !== undefined && owner
        ? {
            since: facts.waits.at(-1)?.start ?? state.lastAt,
            until: state.waitUntil,
            why: state.waitWhy,
            announced: (state.troubleMs ?? 0) === 0,
          }
        : null,
    paused: state.paused && owner ? { since: state.pausedAt ?? state.lastAt, by: facts.pausedBy } : null,
    last: facts.rows
      .filter(({ verdict }) => verdict !== 'open')
      .slice(-LAST)
      .toReversed()
      .map(verdictRow),
    needs: needsOf(look, items.rows),
    next: nextOf(look, items),
    steering: state.steering,
    baseline: facts.baseline,
    final: facts.final,
    notices: live.notices,
    controls: controlsOf(look, isReadonly),
    nextCommand: await nextCommand(project, look),
    fullTape: fitTape(lettersOf(look), FULL_TAPE),
  };
}

/** Limits from the journal take precedence over those of the live file; normally both are equal. */
export function limitsOf({ facts }: Look, live: LimitsView): LimitsView {
  const keys = ['iterations', 'timeMs', 'costUsd', 'idleMs', 'iterationMs', 'attempts'] as const;
  const known = { ...live, ...facts.limits };
  return Object.fromEntries(keys.flatMap(key => (known[key] === undefined ? [] : [[key, known[key]]])));
}

function projectionOf({ facts }: Look, { counts, rows, byId }: ItemRows): RunView['projection'] {
  const proven = rows.filter(row => row.status === 'done' && row.costUsd > 0).length;
  const left = rows.filter(
    row => row.status === 'open' || row.status === 'in-progress' || isReachable(row.heldBy, byId),
  ).length;
  const { costUsd } = facts.state;
  if (proven === 0 || costUsd <= 0 || left === 0 || counts.total === 0) return null;
  const perItemUsd = costUsd / proven;
  return { costUsd: costUsd + perItemUsd * left, items: left, perItemUsd };
}

/** Whether an item waits, but for no blocked item. */
const isReachable = (heldBy: readonly string[], byId: ItemRows['byId']): boolean =>
  heldBy.length > 0 && heldBy.every(id => byId.get(id)?.status !== 'blocked');

/** The next items, in the order in which they would be picked. */
function nextOf({ facts, plan }: Look, { byId }: ItemRows): RunView['next'] {
  const { state } = facts;
  const taken = new Set(state.openIterations.map(({ item }) => item));
  const statusOf = (item: Item): ItemStatus => (taken.has(item.id) ? 'done' : statusIn(state, item));
  const next: RunView['next'][number][] = [];
  while (next.length < NEXT) {
    const { next: picked } = pickNext({ items: plan.items, status: statusOf });
    const row = picked && byId.get(picked.id);
    if (!picked || !row) break;
    taken.add(picked.id);
    next.push(refOf(row));
  }
  return next;
}

const lineOf = (problem: Failure | undefined): string =>
  problem?.line === undefined ? '' : ` in line ${problem.line}`;

function sentenceOf({ facts, now }: Look, row: RunRow, work: readonly WorkView[]): string {
  const { counts, status } = row;
  const { state } = facts;
  const done = `${counts.done} of ${plural(counts.total, 'item')} proven`;
  const stuck = counts.blocked > 0 ? `, ${counts.blocked} blocked` : '';
  const cost = state.costUsd > 0 ? ` for ${showCost(state.costUsd)}` : '';
  const [first] = work;
  switch (status) {
    case 'unreadable':
      return `The journal of this run is damaged${lineOf(facts.problem)}; what precedes it is shown.`;
    case 'starting':
      return 'The run is starting: the gates are being run before the first item.';
    case 'running':
      return first
        ? `Working on ${first.item} for ${showDuration(Math.max(0, now - first.since))}, attempt ${first.attempt}; ${done}${stuck}.`
        : `Between two items; ${done}${stuck}.`;
    case 'waiting':
      return `Waiting for ${showDuration(Math.max(0, (state.waitUntil ?? now) - now))} more; ${done}${stuck}.`;
    case 'paused':
      return `Paused; ${done}${stuck}.`;
    case 'cut-off':
      return `The runner died; ${done}${stuck}. To continue: ralph run`;
    case 'complete':
      return `Complete: ${done}${cost}.`;
    case 'stopped':
      return `${done}${cost}${stuck}. ${howItEnded(state, { why: '' })}`.trim();
  }
}

/** Of a run that is not live: take its work, or continue. */
async function nextCommand(
  project: Project,
  { facts: { state, problem }, owner, place }: Look,
): Promise<string | null> {
  if (owner || problem || state.run === '') return null;
  if (state.discarded) return typed(place, `ralph discard ${state.run} --undo`);
  if (!isComplete(state)) return goOnCommand(place, state);
  // A run on the person's own branch has nothing to merge, nor has one without commits, or one that is merged already.
  if (state.from === undefined || state.commits === 0 || !(await isApart(project, state))) return null;
  return typed(place, `ralph merge ${state.run}`);
}

/** What can be asked of a run: each control says what it does and what to type instead. */
function controlsOf({ facts, owner, place, run }: Look, isReadonly: boolean): readonly ControlView[] {
  const { state } = facts;
  const plan = ` ${planFlag(place, state)}`;
  const isLive = owner !== undefined;
  const holds = state.paused || state.waitUntil !== undefined;
  const control = (
    type: ControlView['type'],
    [label, effect, command]: readonly [string, string, string],
    whyNot: string | false,
  ): ControlView => {
    const why = isReadonly ? 'this page was opened with --readonly' : whyNot || null;
    return { type, label, effect, command: typed(place, command), enabled: why === null, why };
  };
  const over = !isLive && 'the run is not live';
  const item = (type: ControlView['type'], label: string, effect: string, more = '') =>
    control(type, [label, effect, `ralph ${type} ITEM${plan}${more}`], false);
  return [
    control(
      'pause',
      ['Pause after this', 'Holds after the current iteration', `ralph pause --run ${run}`],
      over || (state.paused && 'it is paused'),
    ),
    control(
      'resume',
      ['Resume', 'Ends the pause or the wait', `ralph resume --run ${run}`],
      over || (!holds && 'it is not paused'),
    ),
    control(
      'stop',
      [
        'Stop after this',
        'Ends after the current iteration; now: ends the agent immediately',
        `ralph stop --run ${run}`,
      ],
      over,
    ),
    control(
      'steer',
      ['Steer', 'Goes into every brief from the next iteration on', `ralph steer --run ${run} "TEXT"`],
      over,
    ),
    item('answer', 'Answer', 'It continues where it was, with your answer in its next brief', ' "TEXT"'),
    item('retry', 'Try again', 'From its first attempt, with your hint in the next brief', ' --with "HINT"'),
    item('skip', 'Skip', 'Leaves it out; what depends on it can start'),
    item('block', 'Block', 'No agent works on it until it is unblocked'),
    item('unblock', 'Unblock', 'It is open again'),
    item('done', 'Mark done', 'Done by your decision; nothing is checked'),
    item('reset', 'Reset', 'It is open again, whatever was accepted'),
  ];
}

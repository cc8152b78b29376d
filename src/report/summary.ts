/** The closing summary of a run: what was done, what needs a person, what to look at next. */
import type { RunState } from '../state.ts';
import { plural, showCost, showDuration, showTokens } from '../util/show.ts';
import { billing } from './money.ts';
import { type ItemRow, overview, type PlanItem } from './overview.ts';
import { notPassed, reviewCounts } from './reviews.ts';
import { describeStop } from './sentences.ts';
import { dots, itemCommand, type Paint, painter, say, shellWord, shortCommit } from './style.ts';

export interface SummaryOptions {
  readonly state: RunState;
  readonly items: readonly PlanItem[];
  readonly color: boolean;
  /** Other open runs of the repository: when this run is complete, commands without a name refer to them. */
  readonly others?: readonly string[];
  /** Commands without a run's name mean another run. */
  readonly isNamed?: boolean;
  /** The branch that the work should end up on; if absent, no merge is suggested. */
  readonly mergeInto?: string | undefined;
  /** The work is already on that branch, or was thrown away: there is nothing to merge, and no worktree. */
  readonly taken?: boolean;
  /** The line directly above already says how the run ended. */
  readonly endSaid?: boolean;
  /** The caller says what comes next. */
  readonly withoutNext?: boolean;
  /** The run's commits from git, including the runner's own about the plan; if absent, those in the journal. */
  readonly commits?: RunCommits | undefined;
  /** Where the run was archived, and what was learned from it. */
  readonly archive?: { readonly folder: string; readonly learned: readonly string[] } | undefined;
}

export interface RunCommits {
  readonly count: number;
  readonly last: string;
}

const LABEL = 10;
const NEEDS_SHOWN = 10;
const LEARNED_SHOWN = 3;

export function summaryText(options: SummaryOptions): string {
  const {
    state,
    items,
    color,
    others = [],
    isNamed = false,
    taken = false,
    archive,
    endSaid = false,
    withoutNext = false,
  } = options;
  const mergeInto = taken ? undefined : options.mergeInto;
  const paint = painter({ color });
  const view = overview(state, items);
  const blocked = view.rows.filter(row => row.status === 'blocked');
  const unreviewed = state.finished?.reason === 'review' ? notPassed(view.rows) : [];
  const made = state.commits;
  const row = (label: string, text: string) => (text ? [`  ${paint('dim', label.padEnd(LABEL))}${text}`] : []);
  return [
    ...(endSaid ? [] : [headline(state, paint), '']),
    ...row('items', itemCounts(view)),
    ...row('reviews', reviewCounts(view)),
    ...row('branch', say(state.branch)),
    ...row(
      'worktree',
      taken || state.workspace === '.' ? '' : `${say(state.workspace)} (the work is there, not in your checkout)`,
    ),
    ...row('commits', showCommits(state, options.commits)),
    ...row('final', finalGates(state)),
    ...row('time', `${showDuration(state.activeMs)}, ${plural(state.iterations, 'iteration')}`),
    ...row('tokens', showAllTokens(state)),
    ...row('cost', state.costUsd > 0 ? showCost(state.costUsd) + billing(state) : ''),
    ...row('archive', archive ? `${say(archive.folder)} (plan, log and lessons for later runs; git ignores it)` : ''),
    ...(archive?.learned ?? [])
      .slice(0, LEARNED_SHOWN)
      .flatMap((text, at) => row(at === 0 ? 'learned' : '', say(text, 160))),
    ...((archive?.learned.length ?? 0) > LEARNED_SHOWN
      ? row('', `and ${(archive?.learned.length ?? 0) - LEARNED_SHOWN} more: ralph lessons`)
      : []),
    ...marksElsewhere(view.rows).flatMap((text, at) => row(at === 0 ? 'marks' : '', paint('warn', text))),
    ...(blocked.length + unreviewed.length > 0
      ? ['', paint('strong', 'Needs a person'), ...needs(blocked, paint), ...needs(unreviewed, paint)]
      : []),
    ...(withoutNext
      ? []
      : [
          '',
          paint('strong', 'Next'),
          ...commented(nextSteps({ state, blocked, unreviewed, made, others, isNamed, mergeInto, taken }), paint),
        ]),
    '',
  ].join('\n');
}

function headline(state: RunState, paint: Paint): string {
  if (!state.finished) return paint('warn', 'Not finished: ralph run continues where it was.');
  const { reason, why } = state.finished;
  return paint(reason === 'complete' ? 'good' : 'warn', describeStop(reason, why));
}

/** `10 of 12 done · 1 blocked · 1 left`. */
export function itemCounts(view: Omit<ReturnType<typeof overview>, 'rows'>): string {
  const part = (count: number, word: string) => (count > 0 ? `${count} ${word}` : '');
  return dots(
    `${view.done} of ${view.total} done`,
    part(view.settled, 'settled'),
    part(view.blocked, 'blocked'),
    part(view.skipped, 'skipped'),
    part(view.pending, 'left'),
  );
}

/** As many commits as `git log` lists for the range. */
export function showCommits(state: RunState, found: RunCommits | undefined): string {
  const { count, last } = found ?? { count: state.commits, last: state.tip };
  return count > 0 ? `${count} (${shortCommit(state.firstBase)}..${shortCommit(last)})` : 'none';
}

export function showAllTokens({ usage }: RunState): string {
  const { inputTokens, outputTokens, cachedTokens } = usage;
  if (inputTokens + outputTokens + cachedTokens === 0) return '';
  const cached = cachedTokens > 0 ? `, ${showTokens(cachedTokens)} cached` : '';
  return `${showTokens(inputTokens)} in, ${showTokens(outputTokens)} out${cached}`;
}

/** Nobody has proven what an agent marked in a plan that is not its run's. */
const marksElsewhere = (rows: readonly ItemRow[]): readonly string[] =>
  rows
    .flatMap(({ id, state }) => (state.marksElsewhere ?? []).map(what => `${say(id)} ${say(what, 300)}`))
    .slice(0, NEEDS_SHOWN);

function needs(blocked: readonly ItemRow[], paint: Paint): readonly string[] {
  const shown = blocked.slice(0, NEEDS_SHOWN).map(row => {
    const why = say(row.why, 300);
    return `  ${paint('bad', say(row.id))} ${say(row.title)}${why ? `: ${why}` : ''}`;
  });
  return blocked.length > NEEDS_SHOWN ? [...shown, `  and ${blocked.length - NEEDS_SHOWN} more`] : shown;
}

type Step = readonly [command: string, why: string];

const ANSWERS_SHOWN = 3;

const answers = (asks: readonly ItemRow[]): readonly Step[] => [
  ...asks
    .slice(0, ANSWERS_SHOWN)
    .map(({ id }): Step => [itemCommand('answer', id, { text: '"..."' }), 'its next brief carries it']),
  ...(asks.length > ANSWERS_SHOWN ? [['ralph inbox', 'all that was asked'] as const] : []),
];

function nextSteps(facts: {
  readonly state: RunState;
  readonly blocked: readonly ItemRow[];
  readonly unreviewed: readonly ItemRow[];
  readonly made: number;
  readonly others: readonly string[];
  readonly isNamed: boolean;
  readonly mergeInto: string | undefined;
  readonly taken: boolean;
}): readonly Step[] {
  const { state, blocked, unreviewed, made, others, isNamed, mergeInto, taken } = facts;
  // The branch may no longer exist then.
  const end = taken ? shortCommit(state.tip) : shellWord(state.branch);
  const asks = blocked.filter(({ state: known }) => known.question);
  const first = blocked.find(row => !asks.includes(row));
  const commits: readonly Step[] = [[`git log --oneline ${shortCommit(state.firstBase)}..${end}`, 'the commits']];
  const open = unreviewed[0];
  const unblock: readonly Step[] = first
    ? [
        [itemCommand('unblock', first.id), 'once it is solved'],
        [itemCommand('retry', first.id, { flags: '--with "..."' }), 'or with a hint for its next brief'],
      ]
    : open && asks.length === 0
      ? [
          [itemCommand('retry', open.id, { flags: '--with "..."' }), 'work on it again'],
          [itemCommand('done', open.id), 'or accept it as it is'],
        ]
      : [];
  const isOver = state.finished?.reason === 'complete';
  const unusable = state.finished?.reason.startsWith('agent-un') ?? false;
  const [other] = others;
  const goOn: readonly Step[] = isOver
    ? other
      ? [['ralph run', `continue with ${other}`]]
      : []
    : [['ralph run', unusable ? 'once the agent works again: continues with the same item' : 'go on']];
  const report = isNamed || (isOver && other) ? `ralph report --run ${shellWord(state.run)}` : 'ralph report';
  const into = mergeInto === undefined || mergeInto === state.from ? '' : ` --into ${shellWord(mergeInto)}`;
  const merge: readonly Step[] =
    isOver && made > 0 && mergeInto && mergeInto !== state.branch
      ? [[`ralph merge ${shellWord(state.run)}${into}`, `take the work into ${say(mergeInto)}, gates first`]]
      : [];
  return [
    ...(made > 0 ? commits : []),
    [report, 'every attempt with its evidence'],
    ...answers(asks),
    ...unblock,
    ...goOn,
    ...merge,
  ];
}

/** Adds shell comments, so that a line can be pasted as it is. */
function commented(steps: readonly Step[], paint: Paint): readonly string[] {
  const width = Math.max(...steps.map(([command]) => command.length));
  return steps.map(([command, why]) => `  ${command.padEnd(width)}  ${paint('dim', `# ${why}`)}`);
}

function finalGates({ final }: RunState): string {
  if (final.length === 0) return '';
  const bad = final.filter(gate => gate.status !== 'green').map(gate => say(gate.name, 40));
  return bad.length === 0 ? `${plural(final.length, 'gate')} green` : `not green: ${bad.join(', ')}`;
}

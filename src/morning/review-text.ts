/** The morning on one page: what each branch holds, what needs a person, and the command that comes next. */
import {
  gateOutcome,
  howItEnded,
  itemCommand,
  itemCounts,
  type Paint,
  reviewLines,
  say,
  shellWord,
  shortCommit,
  unmarked,
  verdictReason,
} from '../report/index.ts';
import { plural, showCost, showDuration } from '../util/show.ts';
import type { Branch } from './branches.ts';

/** Of each kind; the report has all. */
const SHOWN = 8;

export function reviewText(branches: readonly Branch[], paint: Paint): string {
  if (branches.length === 0) return 'No run since then. Earlier ones: ralph review --since 7d';
  const cost = branches.reduce((sum, { state }) => sum + state.costUsd, 0);
  const done = branches.reduce((sum, branch) => sum + doneIn(branch), 0);
  const next = branches.map(nextOf);
  const stuck = next.filter(({ isStuck }) => isStuck).length;
  const ready = next.filter(({ isNeeded, isStuck }) => isNeeded && !isStuck).length;
  const total = [
    plural(branches.length, 'run'),
    `${plural(done, 'item')} done`,
    ...(cost > 0 ? [showCost(cost)] : []),
    ...(stuck > 0 ? [`${stuck === 1 ? '1 needs' : `${stuck} need`} a person`] : []),
    ...(ready > 0 ? [`${ready} to merge or discard`] : []),
    ...(stuck + ready === 0 ? ['nothing to decide'] : []),
  ];
  return [total.join(', '), ...branches.flatMap(branch => ['', ...branchLines(branch, paint)])].join('\n');
}

/** Items that this run did; its plan may have more that are done. */
const doneIn = ({ state, view }: Branch): number =>
  view.rows.filter(({ id, status }) => status === 'done' && state.items.has(id)).length;

function branchLines(branch: Branch, paint: Paint): readonly string[] {
  const { state, view, past, diff } = branch;
  const size = diff && diff.files > 0 ? `${plural(diff.files, 'file')}, +${diff.added} -${diff.deleted}` : 'no changes';
  const facts = [
    itemCounts(view),
    plural(branch.commits, 'commit'),
    size,
    showDuration(state.activeMs),
    ...(state.costUsd > 0 ? [showCost(state.costUsd)] : []),
  ];
  const { lines } = nextOf(branch);
  return [
    `${paint('strong', say(state.branch))}  ${paint('dim', say(state.run))}`,
    `  ${headline(branch)}`,
    `  ${paint('dim', facts.join(' · '))}`,
    ...points('look at', lookAtFirst(branch), paint),
    ...points('refused', refused(branch), paint),
    ...points('commits', past.attempts.filter(each => each.commit !== undefined).map(evidenceWords), paint),
    ...lines.map((line, at) => `  ${paint('dim', (at === 0 ? 'next' : '').padEnd(9))}${paint('accent', line)}`),
  ];
}

function points(label: string, all: readonly string[], paint: Paint): readonly string[] {
  const shown = all.length > SHOWN ? [...all.slice(0, SHOWN), `and ${all.length - SHOWN} more: ralph report`] : all;
  return shown.map((line, at) => `  ${paint('dim', (at === 0 ? label : '').padEnd(9))}${line}`);
}

/** The whole truth in one sentence. */
export function headline({ state, view, isLive, place, heir = '' }: Branch): string {
  if (isLive) return `Still working: ${view.done} of ${plural(view.total, 'item')} done.`;
  if (place === 'merged') return `Merged into ${say(state.from ?? '')}.`;
  if (place === 'gone') return state.discarded ? 'Discarded.' : 'Its branch no longer exists.';
  if (place === 'continued') return `${say(heir)} went on with its branch.`;
  if (!state.finished) return 'It was cut off and has not been continued.';
  return say(howItEnded(state, { pending: view.pending }), 200);
}

/** What the report says first, without its Markdown. */
export function lookAtFirst({ view, past, state }: Branch): readonly string[] {
  const lines = reviewLines({ rows: view.rows, past });
  const { why } = state.pushed ?? {};
  const unpushed = why === undefined ? [] : [say(`Not pushed: ${why}`, 160)];
  return [...unpushed, ...lines.map(line => say(unmarked(line.slice(2)), 160))];
}

/** One line for each item that had work refused. */
function refused({ past }: Branch): readonly string[] {
  const byItem = new Map<string, string[]>();
  for (const { item, verdict } of past.attempts) {
    if (verdict?.type === 'rejected') byItem.set(item, [...(byItem.get(item) ?? []), verdictReason(verdict)]);
  }
  return [...byItem].map(([item, why]) => say(`${item}: ${plural(why.length, 'attempt')}, last: ${why.at(-1)}`, 160));
}

/** A commit with what speaks for it. */
export function evidenceWords({ item, commit = '', gates, changes }: Branch['past']['attempts'][number]): string {
  const green = gates.map(gate => `${gate.name} ${gate.status === 'green' ? 'green' : gateOutcome(gate)}`).join(', ');
  const size = changes ? `+${changes.added} -${changes.deleted}` : '';
  return say(`${shortCommit(commit)} ${item} ${size} ${green || 'no gates'}`, 160);
}

/** What to type next, and whether a person is needed. */
export function nextOf({ state, planWord, view, isLive, place }: Branch): {
  readonly lines: readonly string[];
  readonly isNeeded: boolean;
  /** Not because its work waits to be merged: it cannot continue, or did not end. */
  readonly isStuck: boolean;
} {
  const run = shellWord(state.run);
  if (isLive) return { lines: [`ralph watch`], isNeeded: false, isStuck: false };
  if (place !== 'open') return { lines: [], isNeeded: false, isStuck: false };
  const blocked = view.rows.filter(row => row.status === 'blocked');
  const plan = `--plan ${planWord}`;
  const retry = blocked
    .slice(0, 3)
    .map(({ id, state: { question } }) =>
      question
        ? itemCommand('answer', id, { flags: plan, text: '"..."' })
        : itemCommand('retry', id, { flags: `${plan} --with "what was missing"` }),
    );
  const goOn = view.pending + blocked.length > 0 ? [`ralph run ${planWord}`] : [];
  // Begun on no branch, it has none to be merged into.
  const merge = state.from ? [`ralph merge ${run}`] : [];
  const take = state.commits > 0 && state.from !== undefined ? [...merge, `ralph discard ${run}`] : [];
  const isStuck = blocked.length > 0 || state.finished?.reason !== 'complete';
  return { lines: [...retry, ...goOn, ...take], isNeeded: isStuck || take.length > 0, isStuck };
}

/** The words of a pull request, made from evidence: what was done, how it was checked, what nobody has looked at. */
import { code, gateOutcome, itemCounts, shortCommit, text, toReview } from '../report/index.ts';
import { oneLine, plural, showCost } from '../util/show.ts';
import type { Branch } from './branches.ts';

export interface PullRequest {
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
}

const SHOWN = 100;

export function pullRequest({ state, view, past }: Branch): PullRequest {
  const done = view.rows.filter(row => row.status === 'done' && row.state.commit !== undefined);
  const [only] = done;
  const title =
    done.length === 1 && only
      ? oneLine(`${only.id} ${only.title}`, 70)
      : oneLine(`${state.plan.name}: ${plural(done.length, 'item')}`, 70);
  const accepted = new Map(past.attempts.filter(each => each.commit !== undefined).map(each => [each.item, each]));
  const rows = done.slice(0, SHOWN).map(row => {
    const attempt = accepted.get(row.id);
    const gates = attempt?.gates.map(
      gate => `${text(gate.name, 40)} ${gate.status === 'green' ? 'green' : gateOutcome(gate)}`,
    );
    return `| ${text(row.id)} ${text(row.title, 80)} | ${code(shortCommit(row.state.commit ?? ''))} | ${gates?.join(', ') || 'no gates'} |`;
  });
  const final = past.final.map(gate => `${text(gate.name)} ${gate.status === 'green' ? 'green' : gateOutcome(gate)}`);
  const left = view.rows
    .filter(row => row.status !== 'done')
    .map(row => `- ${text(row.id)} ${text(row.title, 80)}: ${row.status}`);
  const body = [
    `${code(state.plan.path)}: ${itemCounts(view)}. One commit for each item.`,
    '',
    '| Item | Commit | Gates when it was accepted |',
    '|---|---|---|',
    ...rows,
    ...(done.length > SHOWN ? ['', `And ${done.length - SHOWN} more.`] : []),
    '',
    final.length > 0 ? `Final gates on a fresh checkout: ${final.join(', ')}.` : 'No final gates were run.',
    '',
    '## What to review',
    '',
    ...toReview({ rows: view.rows, past }),
    ...(left.length > 0 ? ['', '## Not in it', '', ...left.slice(0, SHOWN)] : []),
    '',
    `Run ${code(state.run)}${state.costUsd > 0 ? `, ${showCost(state.costUsd)}` : ''}, made with ${text(state.agent)}.`,
  ];
  return { title, body: `${body.join('\n')}\n`, head: state.branch, base: state.from ?? '' };
}

/** What needs a person, most urgent first, each with the command that handles it. */
import { join, relative } from 'node:path';
import { itemCommand, shellWord } from '../report/index.ts';
import { itemOf } from '../state.ts';
import type { Failure } from '../util/result.ts';
import { plain } from '../util/show.ts';
import type { Look } from './all-runs.ts';
import { refOf } from './item-rows.ts';
import { goOnCommand, planFlag, typed } from './place.ts';
import type { ItemView } from './types/plan.ts';
import type { NeedView } from './types/run.ts';

/** At most this many; the plan view lists all. */
const SHOWN = 20;

export function needsOf(look: Look, rows: readonly ItemView[]): readonly NeedView[] {
  const { facts, place } = look;
  const { state } = facts;
  const flag = planFlag(place, state);
  const retry = (id: string, hint: string) =>
    typed(place, itemCommand('retry', id, { flags: `${flag} --with "${hint}"` }));
  const answer = (id: string) => typed(place, itemCommand('answer', id, { flags: flag, text: '"..."' }));
  const blocked = rows
    .filter(row => row.status === 'blocked')
    .map((row): NeedView => {
      const question = itemOf(state, row.id).question?.text;
      return {
        kind: question === undefined ? 'blocked' : 'question',
        item: refOf(row),
        n: row.lastIteration,
        text: question === undefined ? row.why || 'it is blocked' : plain(question),
        at: facts.rows[facts.byNumber.get(row.lastIteration ?? -1) ?? -1]?.at ?? state.lastAt,
        command: question === undefined ? retry(row.id, 'what was missing') : answer(row.id),
      };
    });
  const reviews = rows
    .filter(row => row.review !== null && row.review.verdict !== 'pass' && row.status === 'done')
    .filter(row => !rows.some(other => other.mends === row.id && other.status !== 'done'))
    .map(
      (row): NeedView => ({
        kind: 'review',
        item: refOf(row),
        n: row.lastIteration,
        text: `its review did not pass: ${row.review?.verdict === 'unclear' ? 'no verdict could be read' : `${row.review?.findings} findings`}`,
        at: state.lastAt,
        command: retry(row.id, 'what to mend'),
      }),
    );
  const end = facts.problem ? damageNeed(look, facts.problem) : endNeed(look);
  return [...end, ...blocked, ...reviews].slice(0, SHOWN);
}

/** A run with a damaged journal cannot be resumed: its work is on the branch, and a new run starts from there. */
function damageNeed({ facts, place, run }: Look, problem: Failure): readonly NeedView[] {
  const folder = (name: string) => shellWord(relative(place.cwd, join(place.root, name)));
  const command = typed(place, `mv ${folder(`.ralph/runs/${run}`)} ${folder(`.ralph/${run}.damaged`)}`);
  const text = problem.hint ?? problem.message;
  return [{ kind: 'damaged', item: null, n: null, text, at: facts.state.lastAt, command }];
}

/** A run that ended before its plan did, for another reason than its items. */
function endNeed({ facts: { state }, place, owner }: Look): readonly NeedView[] {
  if (owner || state.run === '') return [];
  const need = (kind: NeedView['kind'], text: string, command: string): readonly NeedView[] => [
    { kind, item: null, n: state.iterations || null, text, at: state.lastAt, command },
  ];
  const goOn = goOnCommand(place, state);
  const report = typed(place, `ralph report --run ${state.run}`);
  if (!state.finished)
    return need('cut-off', 'its runner died; what was accepted is safe, and the next run continues from there', goOn);
  const { reason, why } = state.finished;
  switch (reason) {
    case 'agent-unavailable':
      return need('agent-unavailable', why || 'the agent cannot be used', typed(place, 'ralph doctor'));
    case 'fruitless':
      return need('stuck', why || 'nothing is accepted any more', report);
    case 'halted':
      return need('stuck', why || 'the run cannot go on', report);
    case 'failed':
      return need('failed', why || 'the run failed', report);
    case 'iterations':
    case 'time':
    case 'cost':
    case 'deadline':
      return need('limit', why || `the limit of ${reason} is reached`, goOn);
    default:
      return [];
  }
}

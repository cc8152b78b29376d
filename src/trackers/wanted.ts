/** What a tracker should show for an issue, derived from the journal. */
import type { Durable, Recorded } from '../events.ts';
import type { GateResult, SourceChange, SourceState } from '../protocol.ts';
import { advance, fold, itemOf, type RunState } from '../state.ts';
import { itemCommand } from '../util/shell-word.ts';
import { plural } from '../util/show.ts';

/** A run as its records tell it, with the gates of what was accepted. */
export interface Followed {
  readonly state: RunState;
  readonly gates: Map<string, readonly GateResult[]>;
}

export const nothingFollowed = (): Followed => ({ state: fold([]), gates: new Map() });

export function follow({ state, gates }: Followed, record: Recorded): Followed {
  if (record.type === 'evidence') gates.set(record.item, record.evidence.gates);
  return { state: advance(state, record), gates };
}

/** Records after which a tracker may have to be told something. */
export const changesItems = ({ type }: Durable): boolean =>
  ['iteration.started', 'iteration.finished', 'iteration.aborted', 'run.finished'].includes(type) ||
  type.startsWith('item.');

export interface Wanted {
  readonly to: SourceState;
  /** The same as the last time: nothing is told again. */
  readonly key: string;
  readonly comment?: string;
}

export function wantedFor({ state, gates }: Followed, id: string): Wanted {
  const item = itemOf(state, id);
  switch (item.status) {
    case 'done':
      return {
        to: 'done',
        key: `done ${item.commit ?? 'by a person'}`,
        comment: doneWords(state, { id, gates: gates.get(id) ?? [] }),
      };
    case 'blocked':
      return { to: 'blocked', key: `blocked ${item.why}`, comment: blockedWords(state, { id, why: item.why }) };
    case 'pending':
      if (state.finished === undefined && state.openIterations.some(open => open.item === id))
        return { to: 'in-progress', key: 'in-progress' };
      return { to: 'pending', key: 'pending' };
    case 'skipped':
      return { to: 'pending', key: 'pending' };
  }
}

/** The change that brings a tracker from what it was told to what is so now; none where nothing is new. */
export function changeTo(
  { to, key, comment }: Wanted,
  { told, project, issue }: { readonly told: string | undefined; readonly project: string; readonly issue: string },
): SourceChange | undefined {
  if (told === key || (told === undefined && to === 'pending')) return undefined;
  const wasClosed = told?.startsWith('closed') ?? false;
  if (wasClosed && to === 'done') return undefined;
  if (wasClosed && to === 'pending') {
    const back = 'The work on this issue was taken back, so it is open again.\n';
    return { project, issue, to, comment: back, reopen: true };
  }
  return { project, issue, to, ...(comment === undefined ? {} : { comment }), ...(wasClosed ? { reopen: true } : {}) };
}

export const closedWords = ({
  into,
  commit,
  run,
}: {
  readonly into: string;
  readonly commit: string;
  readonly run: string;
}) => `Merged into \`${into}\` (${commit.slice(0, 10)}).\n\n<sub>ralph, run ${run}</sub>\n`;

function doneWords(
  state: RunState,
  { id, gates }: { readonly id: string; readonly gates: readonly GateResult[] },
): string {
  const { commit, tries } = itemOf(state, id);
  const head =
    commit === undefined
      ? 'A person has marked this as done.'
      : `Done on branch \`${state.branch}\`: commit ${commit.slice(0, 10)}, accepted after ${plural(tries, 'iteration')}.`;
  const checked = gates.map(gate => `- \`${gate.name.replaceAll('`', "'")}\`: ${gate.status}${testsOf(gate)}`);
  const evidence = checked.length > 0 ? ['', 'What was run on it:', '', ...checked] : [];
  const next = commit === undefined ? [] : ['', 'It is closed when the branch is merged with `ralph merge`.'];
  return [head, ...evidence, ...next, '', `<sub>ralph, run ${state.run}</sub>`, ''].join('\n');
}

const testsOf = ({ tests }: GateResult): string =>
  tests === undefined || tests === 'unknown' ? '' : ` (${tests.passed} of ${tests.executed} tests passed)`;

const MOST_WORDS = 1500;

/** In a fence: it may hold an agent's words, and names in a fence call nobody. */
const blockedWords = ({ run }: RunState, { id, why }: { readonly id: string; readonly why: string }): string =>
  [
    'This is blocked, and waits for a person:',
    '',
    '````text',
    why.slice(0, MOST_WORDS).replaceAll('````', "'''"),
    '````',
    '',
    `To let it be tried again: \`${itemCommand('retry', id, { flags: '--with "a hint"' })}\`, then \`ralph run\`.`,
    '',
    `<sub>ralph, run ${run}</sub>`,
    '',
  ].join('\n');

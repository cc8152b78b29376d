/** `ralph report`: the whole run as a Markdown document, the most important part first. */
import type { Recorded } from '../events.ts';
import type { Claim, GateResult } from '../protocol.ts';
import { type RunState, shownSandbox } from '../state.ts';
import { plural, showBytes, showCost, showDuration } from '../util/show.ts';
import { showUsage } from './detail-lines.ts';
import { forgetting, showForgetting } from './forgetting.ts';
import { type Attempt, type History, history } from './history.ts';
import { attemptsMade } from './item-table.ts';
import { block, code, text } from './markdown-text.ts';
import { costText, forecast, noPast, type PastCost, perDay } from './money.ts';
import { type ItemRow, overview, type PlanItem } from './overview.ts';
import { findingWords, toReview } from './review.ts';
import { reviewSection } from './reviews.ts';
import { describeEnd, type EndFacts, gateOutcome, howItEnded, verdictReason } from './sentences.ts';
import { dots, itemCommand, shortCommit } from './style.ts';
import { itemCounts, type RunCommits, showAllTokens, showCommits } from './summary.ts';
import { proofLines, testsRun } from './tests-run.ts';

export interface ReportInput {
  readonly state: RunState;
  /** The run's journal, read once from start to end. */
  readonly records: Iterable<Recorded>;
  readonly items: readonly PlanItem[];
  /** Tokens of an iteration's brief, if known. */
  readonly briefTokens?: (iteration: number) => number;
  /** What an iteration changed, as a patch, if it still exists. */
  readonly patchOf?: (iteration: number) => string;
  /** A comparison with earlier runs, as lines of plain text. */
  readonly comparison?: readonly string[];
  /** The command that restores the refs of refused attempts, if they are packed. */
  readonly unpack?: string;
  /** What earlier runs in this repository cost. */
  readonly pastCost?: PastCost;
  /** The run's commits, from git. */
  readonly commits?: RunCommits | undefined;
}

/** Patch lines shown per attempt at a blocked item; git has the rest. */
const PATCH_LINES = 40;

/** What was pushed to the remote, and what others changed there. */
function remoteSection({ pushed, remoteChanges, branch }: RunState): readonly string[] {
  if (!pushed && !remoteChanges) return [];
  const at = pushed?.commit
    ? `${text(branch)} is at ${text(pushed.remote)} up to ${code(shortCommit(pushed.commit))}.`
    : '';
  const why = pushed?.why ? `Not pushed${pushed.commit ? ' since' : ''}: ${text(pushed.why, 300)}.` : '';
  const moved = (remoteChanges?.refs ?? []).map(
    ({ ref, was, now }) =>
      `- ${code(ref)} was ${was ? code(shortCommit(was)) : 'not there'}, is ${now ? code(shortCommit(now)) : 'gone'}`,
  );
  return [
    '## At the remote',
    '',
    [at, why].filter(Boolean).join(' '),
    ...(moved.length > 0 ? ['', 'Moved during the run, and not by it:', '', ...moved] : []),
    '',
  ];
}

interface Section {
  readonly row: ItemRow;
  readonly attempts: readonly Attempt[];
}

export function reportMarkdown(input: ReportInput): string {
  const { state, records, items, briefTokens, patchOf = () => '', comparison = [], pastCost = noPast, unpack } = input;
  const past = history(records);
  const sections = sectionsOf({ state, items, past });
  return [
    `# Run ${text(state.run)}`,
    '',
    state.finished
      ? `**${text(howItEnded(state, { pending: overview(state, items).pending }), 500)}**`
      : '**Not finished yet.**',
    '',
    ...facts({ state, items, past, records, pastCost, commits: input.commits }),
    '',
    ...remoteSection(state),
    '## What to review',
    '',
    ...toReview({ rows: sections.map(section => section.row), past }),
    '',
    '## Items',
    '',
    ...itemTable(sections),
    '',
    ...(comparison.length > 0
      ? ['## Against earlier runs', '', ...block(comparison.join('\n'), { lines: 40, indent: '' }), '']
      : []),
    ...forgottenSection(past, briefTokens),
    ...reviewSection(past.reviews),
    '## Attempts',
    ...(unpack
      ? [
          '',
          'Refs that git no longer has are packed away. To restore them:',
          '',
          ...block(unpack, { lines: 9, indent: '' }),
        ]
      : []),
    ...sections
      .filter(section => section.attempts.length > 0)
      .flatMap(section => attemptSection(section, section.row.status === 'blocked' ? patchOf : () => '')),
    '',
  ].join('\n');
}

function forgottenSection(past: History, briefTokens: ReportInput['briefTokens']): readonly string[] {
  const compared = forgetting({ attempts: past.attempts, ...(briefTokens ? { briefTokens } : {}) });
  return compared ? ['## The cost of forgetting', '', ...showForgetting(compared), ''] : [];
}

/** The plan's items in order, then those that only the journal still knows. */
function sectionsOf(input: {
  readonly state: RunState;
  readonly items: readonly PlanItem[];
  readonly past: History;
}): readonly Section[] {
  const { state, items, past } = input;
  const byItem = new Map<string, Attempt[]>();
  for (const attempt of past.attempts) {
    const known = byItem.get(attempt.item);
    if (known) known.push(attempt);
    else byItem.set(attempt.item, [attempt]);
  }
  const planned = new Set(items.map(item => item.id));
  const gone = [...byItem.keys()].filter(id => !planned.has(id));
  const all = [...items, ...gone.map(id => ({ id, title: '', status: 'pending' as const }))];
  return overview(state, all).rows.map(row => ({ row, attempts: byItem.get(row.id) ?? [] }));
}

interface Facts extends Pick<ReportInput, 'state' | 'items' | 'records' | 'commits'> {
  readonly past: History;
  readonly pastCost: PastCost;
}

function facts({ state, items, past, records, pastCost, commits }: Facts): readonly string[] {
  const tokens = showAllTokens(state);
  const tests = testsRun(past);
  const days = perDay(records);
  const view = overview(state, items);
  const { done, pending } = view;
  const rest = forecast(state, { accepted: Math.min(done, state.commits), left: pending, past: pastCost });
  const sandbox = shownSandbox(state);
  const rows: readonly (readonly [string, string])[] = [
    ['Items', itemCounts(view)],
    ['Branch', text(state.branch)],
    ['Commits', text(showCommits(state, commits))],
    ['Time', `${showDuration(state.activeMs)}, ${plural(state.iterations, 'iteration')}`],
    ...(tests ? [['Tests', tests] as const] : []),
    ['Tokens', tokens || 'not reported'],
    ['Cost', costText(state, past.attempts)],
    ...(days ? [['Cost by day', days] as const] : []),
    ...(rest ? [['Forecast', rest] as const] : []),
    ['Plan', text(state.plan.path)],
    ['Agent', text([state.agent, ...past.models].join(', '), 200)],
    ...(sandbox === undefined ? [] : [['Sandbox', text(sandbox)] as const]),
  ];
  return ['| | |', '|---|---|', ...rows.map(([label, value]) => `| ${label} | ${value} |`)];
}

function itemTable(sections: readonly Section[]): readonly string[] {
  const rows = sections.map(({ row, attempts }) => {
    const cost = sum(attempts, attempt => attempt.costUsd);
    const time = sum(attempts, attempt => attempt.durationMs);
    const cells = [
      `${text(row.id)} ${text(row.title, 80)}`.trim(),
      row.status === 'done' && row.state.settled ? 'done (settled)' : row.status,
      String(attemptsMade(row)),
      String(attempts.length),
      time > 0 ? showDuration(time) : '',
      cost > 0 ? showCost(cost) : '',
      row.state.commit ? text(shortCommit(row.state.commit)) : '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| Item | Status | Attempts | Iterations | Time | Cost | Commit |';
  return rows.length === 0 ? ['The plan holds no items.'] : [head, '|---|---|--:|--:|--:|--:|---|', ...rows];
}

function attemptSection({ row, attempts }: Section, patchOf: (iteration: number) => string): readonly string[] {
  const again =
    row.status === 'blocked'
      ? [
          `Blocked: ${text(row.why, 400).replace(/[.]$/, '')}. Its attempts follow, with their reasons; ${code('git show <ref>')} has the whole diff of one. To have it tried again:`,
          '',
          ...block(
            row.state.question
              ? `${itemCommand('answer', row.id, { text: '"..."' })} && ralph run`
              : `${itemCommand('retry', row.id, { flags: '--with "what was missing"' })} && ralph run`,
            { lines: 1, indent: '' },
          ),
          '',
        ]
      : [];
  const lines = attempts.flatMap(attempt => attemptLines(attempt, patchOf(attempt.iteration)));
  return ['', `### ${text(row.id)} ${text(row.title)}`.trimEnd(), '', ...again, ...lines];
}

function attemptLines(attempt: Attempt, patch: string): readonly string[] {
  const { end, changes } = attempt;
  const point = (words: string) => (words ? [`  - ${words}`] : []);
  return [
    `- Iteration ${attempt.iteration}, attempt ${attempt.attempt}: ${outcome(attempt)}`,
    ...point(end ? `agent: ${agentWords(attempt, end)}` : ''),
    ...point(changes ? `changed: ${changeWords(changes)}` : ''),
    ...attempt.findings.flatMap(finding => point(`guard ${finding.level}: ${findingWords(finding)}`)),
    ...point(gateWords('checks', attempt.verify)),
    ...point(gateWords('gates', attempt.gates)),
    ...proofLines(attempt.proof).flatMap(point),
    ...[...attempt.verify, ...attempt.gates].filter(gate => gate.tail !== '').flatMap(redTail),
    ...point(attempt.ref ? `kept as ${code(attempt.ref)}` : ''),
    ...(patch && attempt.ref ? ['', ...block(patch, { lines: PATCH_LINES, indent: '    ' }), ''] : []),
    ...point(attempt.commit ? `commit ${code(shortCommit(attempt.commit))}` : ''),
  ];
}

function agentWords({ usage, costUsd, claim, droppedBytes }: Attempt, end: EndFacts): string {
  return dots(
    text(describeEnd(end)),
    showUsage(usage),
    costUsd > 0 ? showCost(costUsd) : '',
    claim && claimWords(claim),
    droppedBytes > 0 ? `${showBytes(droppedBytes)} of output not kept` : '',
  );
}

function claimWords(claim: Claim): string {
  if (claim.type === 'none') return 'no claim';
  if (claim.type === 'question') return `asked: ${text(claim.text, 300)}`;
  return claim.type === 'done' ? 'said done' : `said blocked: ${text(claim.why, 300)}`;
}

function changeWords({ files, added, deleted }: NonNullable<Attempt['changes']>): string {
  return files === 0 ? 'nothing' : `${plural(files, 'file')}, +${added} -${deleted}`;
}

function outcome({ verdict, aborted }: Attempt): string {
  if (aborted !== undefined) return `**cut off**: ${text(aborted, 400)}`;
  if (!verdict) return '**not finished**';
  const reason = verdict.type === 'rejected' ? ` (${verdict.reason})` : '';
  return `**${verdict.type}**${reason}: ${text(verdictReason(verdict), 400)}`;
}

function gateWords(label: string, gates: readonly GateResult[]): string {
  if (gates.length === 0) return '';
  const words = gates.map(gate => {
    const name = text(gate.name, 60);
    return gate.status === 'green' ? `${name} green in ${gateOutcome(gate)}` : `**${name}** ${gateOutcome(gate)}`;
  });
  return `${label}: ${words.join(', ')}`;
}

function redTail(gate: GateResult): readonly string[] {
  return [
    `  - the end of what ${text(gate.name, 60)} printed:`,
    '',
    ...block(gate.tail, { lines: 12, indent: '    ' }),
    '',
  ];
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

/** A run as rows for spreadsheets and scripts: one per iteration. docs/traces.md says what each column means. */
import type { Recorded } from '../events.ts';
import type { GateResult } from '../protocol.ts';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export const iterationColumns = [
  ...['run', 'iteration', 'item', 'title', 'attempt', 'try', 'agent', 'model', 'started', 'ended'],
  ...['duration_s', 'agent_s', 'gates_s', 'proof_s', 'claim', 'verdict', 'reason', 'why'],
  ...['files', 'added', 'deleted', 'findings', 'gates_run', 'gates_red', 'tests_run', 'tests_failed'],
  ...['input_tokens', 'cached_tokens', 'output_tokens', 'cost_usd', 'cost_estimated', 'lessons', 'commit', 'ref'],
] as const;

type Facts = Partial<Record<(typeof iterationColumns)[number], Cell>>;

/** In the order of their start; one that was cut off has a row of its own. */
export function iterationRows(records: readonly Recorded[]): readonly Row[] {
  const rows: Facts[] = [];
  const open = new Map<number, Facts>();
  let [run, agent] = ['', ''];
  const add = (iteration: number, facts: Facts) => Object.assign(open.get(iteration) ?? {}, facts);
  const end = (iteration: number, at: number, facts: Facts) => {
    const startedAt = Date.parse(String(open.get(iteration)?.started ?? ''));
    add(iteration, { ended: moment(at), duration_s: seconds(at - startedAt), ...facts });
    open.delete(iteration);
  };
  for (const record of records) {
    switch (record.type) {
      case 'run.started':
        [run, agent] = [record.run, record.agent];
        break;
      case 'iteration.started': {
        const { iteration, item, title, attempt } = record;
        const row: Facts = { run, iteration, item, title, attempt, try: record.try, agent: record.agent ?? agent };
        rows.push(Object.assign(row, { started: moment(record.at) }));
        open.set(iteration, row);
        break;
      }
      case 'lessons.shown':
        add(record.iteration, { lessons: record.ids.length });
        break;
      case 'agent.finished':
        add(record.iteration, agentFacts(record));
        break;
      case 'evidence':
        add(record.iteration, evidenceFacts(record));
        break;
      case 'verdict': {
        const { verdict } = record;
        const reason = verdict.type === 'rejected' ? verdict.reason : '';
        add(record.iteration, { verdict: verdict.type, reason, why: verdict.why });
        break;
      }
      case 'iteration.finished':
        end(record.iteration, record.at, { commit: record.commit ?? '', ref: record.ref ?? '' });
        break;
      case 'iteration.aborted':
        end(record.iteration, record.at, { verdict: 'cut off', why: record.why, ref: record.ref ?? '' });
        break;
      default:
        break;
    }
  }
  return rows.map(row => Object.fromEntries(iterationColumns.map(column => [column, row[column] ?? null])));
}

function agentFacts(record: Extract<Recorded, { type: 'agent.finished' }>): Facts {
  const { usage } = record;
  return {
    agent_s: seconds(record.end.durationMs),
    model: record.model ?? '',
    claim: record.claim.type,
    input_tokens: usage.inputTokens,
    cached_tokens: usage.cachedTokens,
    output_tokens: usage.outputTokens,
    cost_usd: record.costUsd,
    cost_estimated: record.priced === true,
  };
}

function evidenceFacts({ evidence }: Extract<Recorded, { type: 'evidence' }>): Facts {
  const gates = [...evidence.verify, ...evidence.gates];
  const sum = (of: (gate: GateResult) => number) => gates.reduce((total, gate) => total + of(gate), 0);
  const tests = (of: 'executed' | 'failed') => sum(gate => (typeof gate.tests === 'object' ? gate.tests[of] : 0));
  return {
    files: evidence.files,
    added: evidence.added,
    deleted: evidence.deleted,
    findings: evidence.findings.filter(({ level }) => level !== 'note').length,
    gates_run: gates.filter(({ status }) => status !== 'not-run').length,
    gates_red: gates.filter(({ status }) => status === 'red' || status === 'timeout').length,
    gates_s: seconds(sum(gate => gate.durationMs)),
    proof_s: seconds(evidence.trials?.wallMs ?? evidence.trials?.durationMs ?? 0),
    tests_run: tests('executed'),
    tests_failed: tests('failed'),
  };
}

const moment = (at: number): string => new Date(at).toISOString();
const seconds = (ms: number): number => Math.round(ms) / 1000;

/** Comma-separated, with a head; what a spreadsheet would take for a formula is made a text. */
export function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map(row => columns.map(column => csvCell(row[column] ?? null)).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

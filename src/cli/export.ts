/** `ralph export`: runs as traces or rows, for other programs. */
import { resolve } from 'node:path';
import { redact } from '../audit/index.ts';
import { readRecords, storeOf } from '../journal/index.ts';
import { itemJson, overview } from '../report/index.ts';
import {
  collectorAt,
  csvOf,
  exportSpans,
  iterationColumns,
  iterationRows,
  otlpText,
  type Row,
} from '../traces/index.ts';
import { systemClock } from '../util/clock.ts';
import { writeWhole } from '../util/files.ts';
import type { Failure } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { systemFailure } from '../util/system-error.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { type CurrentRun, currentRun } from './current-run.ts';
import { complain, print } from './print.ts';

export const exportRun: Handler = async call => {
  const wanted = ['otlp', 'csv', 'json'].filter(name => call.flags.has(name));
  if (wanted.length !== 1) return complain(USAGE);
  const [run] = call.args;
  const named = run === undefined ? call : { ...call, flags: new Map([...call.flags, ['run', run] as const]) };
  const current = await currentRun(named);
  if (!current.ok) return complain(current.error, 1);
  const target = textFlag(call, 'otlp');
  if (target !== undefined) return await exportTraces(target, current.value);
  const { columns, rows } = table(call, current.value);
  process.stdout.write(switchFlag(call, 'csv') ? csvOf(columns, rows) : `${JSON.stringify(rows, undefined, 2)}\n`);
  return 0;
};

const USAGE: Failure = {
  reason: 'usage',
  message: 'ralph export needs one of --otlp, --csv and --json',
  hint: 'For example: ralph export --csv > iterations.csv',
};

type Here = Extract<Awaited<ReturnType<typeof currentRun>>, { ok: true }>['value'];

async function exportTraces(target: string, { project, records }: Here): Promise<number> {
  if (!/^\w+:\/\//.test(target)) return writeTraces(target, { project, records });
  const { otel } = project.settings;
  // Headers configured for one endpoint are sent to that endpoint only.
  const headers = otel && originOf(otel.endpoint) === originOf(target) ? otel.headers : undefined;
  const at = collectorAt(
    { endpoint: target, ...(headers ? { headers } : {}) },
    { env: project.wholeEnv, clean: redact },
  );
  if (!at.ok) return complain(at.error);
  const sent = await exportSpans(at.value, records, { rest: ms => systemClock.sleep(ms) });
  if (!sent.ok) return complain(sent.error, 4);
  print(`${plural(sent.value, 'span')} sent to ${at.value.url}`);
  return 0;
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

function writeTraces(target: string, { project, records }: Pick<Here, 'project' | 'records'>): number {
  const text = otlpText(records, redact);
  if (target === '-') {
    process.stdout.write(text);
    return 0;
  }
  try {
    writeWhole(resolve(project.cwd, target), text);
  } catch (error) {
    const failure = systemFailure(error);
    if (!failure) throw error;
    return complain(failure, 4);
  }
  print(`written to ${target}`);
  return 0;
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

function table(call: Call, current: CurrentRun): Table {
  if (switchFlag(call, 'items')) return itemTable(current);
  const { folder, records } = current;
  const runs = switchFlag(call, 'all') ? storeOf(folder).runs().toReversed() : [];
  const all = runs.length === 0 ? [records] : runs.map(run => readRecords(folder, run) ?? []);
  return { columns: iterationColumns, rows: all.flatMap(iterationRows) };
}

const ITEM_COLUMNS = ['run', 'item', 'title', 'status', 'attempts', 'duration_s', 'cost_usd', 'commit', 'why'];

function itemTable({ state, items, owner }: CurrentRun): Table {
  const rows = overview(state, items, { isLive: owner !== undefined }).rows.map((row): Row => {
    const { id, title, status, attempts, durationMs, costUsd, commit, why } = itemJson(row);
    const figures = { attempts, duration_s: Math.round(durationMs) / 1000, cost_usd: costUsd };
    return { run: state.run, item: id, title, status, ...figures, commit, why };
  });
  return { columns: ITEM_COLUMNS, rows };
}

/** Formats rows as Markdown, and finds those that missed their target. */
import { cpus } from 'node:os';
import { must } from './measure.mjs';

export function describeMachine({ agent, env, folder: _folder }, { items, repeats }) {
  const git = must(['git', '--version'], { env, cwd: '/' }).trim();
  return [
    `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${process.platform}, node ${process.version}, ${git};`,
    `agent: ${agent.kind}; ${items} items, ${repeats} interleaved repeats, medians.`,
  ].join('\n');
}

export function showTable(rows) {
  const lines = rows.map(row => {
    const times = row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}×`;
    const more =
      row.cpuRatio === undefined ? '' : ` (min ${row.minRatio.toFixed(2)}×, cpu ${row.cpuRatio.toFixed(2)}×)`;
    const target = targetOf(row);
    return `| ${row.what} | ${row.ours} | ${row.against ?? ''} | ${times}${more} | ${target} |`;
  });
  return ['| what | ralph | against | ratio | target |', '|---|---|---|---|---|', ...lines].join('\n');
}

function targetOf({ target, most, mostMs, extraMs }) {
  const extra = extraMs === undefined ? '' : ` more (${extraMs.toFixed(1)} ms)`;
  return [
    ...(target === undefined ? [] : [`≤ ${target}×`]),
    ...(most === undefined ? [] : [`≤ ${most} MB`]),
    ...(mostMs === undefined ? [] : [`≤ ${mostMs} ms${extra}`]),
  ].join(', ');
}

/** `slack` is the factor over the target that is tolerated on a busy machine; milliseconds depend on the machine. */
export function failures(rows, { slack, msSlack = slack }) {
  return rows.flatMap(row => {
    if (row.target !== undefined && row.ratio > row.target * slack) {
      return [`${row.what}: ${row.ratio.toFixed(2)}× is over ${(row.target * slack).toFixed(2)}×`];
    }
    if (row.mostMs !== undefined && row.milliseconds > row.mostMs * msSlack) {
      return [`${row.what}: ${row.milliseconds.toFixed(0)} ms is over ${row.mostMs * msSlack} ms`];
    }
    if (row.most !== undefined && row.megabytes > row.most * slack) {
      return [`${row.what}: ${row.megabytes.toFixed(0)} MB is over ${row.most * slack} MB`];
    }
    if (row.mostMs !== undefined && row.extraMs > row.mostMs * msSlack) {
      return [`${row.what}: ${row.extraMs.toFixed(1)} ms more is over ${row.mostMs * msSlack} ms`];
    }
    return [];
  });
}

/** A run as spans and as rows, for other programs. */
export { collectorAt } from './collector.ts';
export { csvOf, iterationColumns, iterationRows, type Row } from './rows.ts';
export { openSender } from './sender.ts';
export { exportSpans, otlpText } from './whole-run.ts';

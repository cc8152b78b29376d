/** `learnings.md` of an archive: what a person wants to know about a finished run. */
import { oneLine, plural, showCost, showDuration } from '../util/show.ts';
import { figuresOf } from './figures.ts';
import type { ArchivedItem, RunRecord } from './run-record.ts';

export function learningsText(record: RunRecord, textOf: (id: string) => string): string {
  const { items, lessons } = record;
  const figures = figuresOf(record);
  const done = items.filter(item => item.status === 'done').length;
  const hard = items.filter(item => item.attempts.some(attempt => attempt.verdict === 'rejected'));
  const cited = Object.entries(lessons.shown).filter(([, counts]) => counts.used > 0);
  return [
    `# What was learned in ${record.run}`,
    '',
    `${done} of ${plural(items.length, 'item')} done, ${plural(record.iterations, 'iteration')}, ${showDuration(record.activeMs)}` +
      `${record.costUsd > 0 ? `, ${showCost(record.costUsd)}` : ''}; ${figures.first} of ${figures.items} accepted at the first attempt.`,
    '',
    ...section(
      'New lessons',
      lessons.born.map(({ id, kind, text }) => `${id} (${kind}): ${text}`),
    ),
    ...section(
      'Lessons that were used',
      cited.map(
        ([id, { used, failed }]) => `${id}, used ${plural(used, 'time')}, ${plural(failed, 'failure')}: ${textOf(id)}`,
      ),
    ),
    ...section('What went wrong', hard.flatMap(troubles)),
    ...section(
      'Not done',
      items.filter(item => item.status !== 'done').map(item => withWhy(item)),
    ),
    'This file is written once and not read again. What you found out yourself: `ralph lessons add "..."`',
    '',
  ].join('\n');
}

const section = (title: string, entries: readonly string[]): readonly string[] =>
  entries.length === 0 ? [] : [`## ${title}`, '', ...entries.map(entry => `- ${oneLine(entry, 700)}`), ''];

function troubles({ id, title, attempts }: ArchivedItem): readonly string[] {
  const rejected = attempts.filter(attempt => attempt.verdict === 'rejected');
  const reasons = [...new Set(rejected.map(attempt => [attempt.why, attempt.line].filter(Boolean).join(': ')))];
  const end = attempts.some(attempt => attempt.verdict === 'accepted') ? 'then accepted' : 'not accepted';
  return [`${id} ${title}: rejected ${plural(rejected.length, 'time')} (${reasons.join('; ')}), ${end}`];
}

const withWhy = ({ id, title, status, why }: ArchivedItem): string =>
  `${id} ${title}: ${status}${why ? `, ${why}` : ''}`;

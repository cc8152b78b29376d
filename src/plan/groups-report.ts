/** RALPH_REPORT.md: the state of every group for people, rewritten from the plan. */
import type { Item, ItemStatus, Plan } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { stamp } from './groups-edit.ts';
import { tally } from './next.ts';

/** The icons that readers of these reports already know. */
const ICONS: Readonly<Record<ItemStatus, string>> = {
  done: '✅',
  blocked: '🚫',
  pending: '⬜',
  'in-progress': '🔄',
  skipped: '⏭️',
};

/** The report for a given time; one that would differ only in its time stays as it is. */
export function groupsReport({ items }: Plan, at: number, before = ''): string {
  const reportOf = (generated: string) => written(items, generated);
  const same = reportOf(GENERATED.exec(before)?.[0] ?? '');
  return same === before ? before : reportOf(`Generated: ${stamp(at)}`);
}

const GENERATED = /^Generated: .*$/m;

function written(items: readonly Item[], generated: string): string {
  const { done, total, blocked, skipped, pending } = tally(items);
  const counts = [`${total} total`, `${done} complete`, `${pending} pending`, `${blocked} blocked`];
  if (skipped > 0) counts.push(`${skipped} skipped`);
  return [
    '# RALPH Report',
    '',
    generated,
    `Groups: ${counts.join(' | ')}`,
    '',
    '## Status',
    '',
    ...items.map(row),
    '',
    '## Next Steps',
    '',
    ...nextSteps(items),
    '',
  ].join('\n');
}

function row({ id, title, status, attempts = 0 }: Item): string {
  return `- ${ICONS[status]} **Group ${id}**: ${oneLine(title, 200)}${attempts > 0 ? ` (attempts: ${attempts})` : ''}`;
}

function nextSteps(items: readonly Item[]): readonly string[] {
  const blocked = items.filter(({ status }) => status === 'blocked').map(({ id }) => id);
  const open = items.some(({ status }) => status === 'pending' || status === 'in-progress');
  if (!open && blocked.length === 0) {
    return [
      'All groups complete.',
      '',
      '1. Review: `git log --oneline -20`',
      '2. Run the end-to-end tests',
      '3. Open a pull request',
    ];
  }
  return [
    ...(open ? ['Run `ralph run` to continue.'] : []),
    ...blocked.map(
      id => `Group ${id} is blocked: \`ralph status\` says why, \`ralph run --reset ${id}\` tries it again.`,
    ),
  ];
}

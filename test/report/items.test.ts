import { expect, test } from 'vitest';
import { itemJson, itemTable } from '../../src/report/item-table.ts';
import { lineReporter } from '../../src/report/lines.ts';
import { overview } from '../../src/report/overview.ts';
import { painter } from '../../src/report/style.ts';
import { fold } from '../../src/state.ts';
import { items, journalOf, START, scenario, type Told, utcTime } from './scenario.ts';

const paint = painter({ color: false });
const named = items.map(item => ({
  ...item,
  title: `${item.title}, with every column and total that the accountants asked for in the last meeting`,
}));
const planned = [{ id: 'US-001', title: 'Add the invoice table', status: 'pending' }] as const;
const started = {
  type: 'iteration.started',
  item: 'US-001',
  title: 'Add the invoice table',
  attempt: 1,
  base: 'b',
  tree: 't0',
  lease: 'x',
} as const;
const { rows } = overview(fold(journalOf(scenario)), named);

test('every item at 80 columns', () => {
  expect(`\n${itemTable({ rows, paint, columns: 80 }).join('\n')}`).toBe(`
id      state    attempts     time   cost  title
US-001  done            1   1m 22s  $0.12  Add the invoice table, with every …
US-002  blocked         1  11m 24s  $0.20  Send the invoice, with every column …
        needs the mail key
US-003  done            1   1m 02s  $0.10  Show the total, with every column …`);
});

test('every item at 40 columns: what has no room is left out, and the title is not', () => {
  expect(`\n${itemTable({ rows, paint, columns: 40 }).join('\n')}`).toBe(`
id      state     cost  title
US-001  done     $0.12  Add the invoice…
US-002  blocked  $0.20  Send the invoic…
        needs the mail key
US-003  done     $0.10  Show the total,…`);
  for (const line of itemTable({ rows, paint, columns: 40 })) expect(line.length).toBeLessThanOrEqual(40);
});

test('every item at 120 columns, and in a pipe, where nothing is cut', () => {
  expect(itemTable({ rows, paint, columns: 120 })[1]).toBe(
    'US-001  done            1   1m 22s  $0.12  Add the invoice table, with every column and total that the accountants …',
  );
  expect(itemTable({ rows, paint })[1]).toMatch(/in the last meeting$/);
});

test('an id is whole in a pipe, and in a terminal while the rest of the line has room', () => {
  const id = 'development/password-reset/implement';
  const long = rows.map(row => (row.id === 'US-001' ? { ...row, id } : row));
  expect(itemTable({ rows: long, paint })[1]).toMatch(/^development\/password-reset\/implement {2}done /);
  expect(itemTable({ rows: long, paint, columns: 100 })[1]).toMatch(/^development\/password-reset\/implement {2}done /);
  const narrow = itemTable({ rows: long, paint, columns: 80 });
  expect(narrow[1]).toMatch(/^development\/password-reset… +done /);
  expect(Math.max(...narrow.map(line => line.length))).toBeLessThanOrEqual(80);
});

test('an iteration that a dead runner left open is cut off, and nobody works on it', () => {
  const open = fold(journalOf(scenario.slice(0, 7)));
  const shown = (isLive: boolean) => {
    const view = overview(open, planned, { isLive });
    return [view.rows[0]?.status, itemTable({ rows: view.rows, paint })[1]?.replace(/ +/g, ' ')];
  };
  expect(shown(true)).toEqual(['in-progress', 'US-001 working 1 - Add the invoice table']);
  expect(shown(false)).toEqual(['pending', 'US-001 cut off - - Add the invoice table']);
});

test('an item that is blocked because its agent hung has used up no attempt', () => {
  const hung = { type: 'retry', why: 'no output for 10m', failure: { class: 'timeout', message: 'x' } } as const;
  const hang = (n: number): readonly Told[] => [
    [n * 10, { ...started, iteration: n, try: n }],
    [n * 10 + 1, { type: 'verdict', iteration: n, item: 'US-001', verdict: hung }],
    [
      n * 10 + 2,
      { type: 'iteration.finished', iteration: n, item: 'US-001', verdict: 'retry', tree: 't0', durationMs: 9 },
    ],
  ];
  const why = 'the agent was ended 3 times in a row';
  const blocked = { type: 'item.marked', item: 'US-001', to: 'blocked', by: 'runner', why } as const;
  const says = { type: 'blocked', cause: 'claimed', why: 'no key' } as const;
  const said: readonly Told[] = [
    [50, { ...started, iteration: 4, try: 4 }],
    [51, { type: 'verdict', iteration: 4, item: 'US-001', verdict: says }],
    [52, { type: 'iteration.finished', iteration: 4, item: 'US-001', verdict: 'blocked', tree: 't0', durationMs: 9 }],
  ];
  const hangs = [...scenario.slice(0, 4), ...[1, 2, 3].flatMap(hang)];
  const attempts = (told: readonly Told[]) =>
    overview(fold(journalOf(told)), planned).rows.map(row => [row.status, itemJson(row).attempts]);
  expect(attempts([...hangs, [45, blocked]])).toEqual([['blocked', 0]]);
  expect(attempts([...hangs, ...said])).toEqual([['blocked', 1]]);
});

test('what belongs to a note stands below it', () => {
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const sink = lineReporter({ write, color: false, clockTime: utcTime });
  for (const message of ['archives', '  - archives/run-2026-01-08: 3 stories']) {
    sink({ type: 'notice', level: 'info', message }, START);
  }
  expect(out).toBe('14:02  note       archives\n                    - archives/run-2026-01-08: 3 stories\n');
});

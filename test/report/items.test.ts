import { expect, test } from 'vitest';
import { itemTable } from '../../src/report/item-table.ts';
import { lineReporter } from '../../src/report/lines.ts';
import { overview } from '../../src/report/overview.ts';
import { painter } from '../../src/report/style.ts';
import { fold } from '../../src/state.ts';
import { items, journalOf, START, scenario, utcTime } from './scenario.ts';

const paint = painter({ color: false });
const named = items.map(item => ({
  ...item,
  title: `${item.title}, with every column and total that the accountants asked for in the last meeting`,
}));
const { rows } = overview(fold(journalOf(scenario)), named);

test('every item at 80 columns', () => {
  expect(`\n${itemTable({ rows, paint, columns: 80 }).join('\n')}`).toBe(`
id      state    attempts     time   cost  title
US-001  done            1   1m 22s  $0.12  Add the invoice table, with every …
US-002  blocked         1  11m 24s  $0.20  Send the invoice, with every column …
        needs the mail key
US-003  done            1   1m 02s  $0.10  Show the total, with every column …`);
});

test('every item at 120 columns, and in a pipe, where nothing is cut', () => {
  expect(itemTable({ rows, paint, columns: 120 })[1]).toBe(
    'US-001  done            1   1m 22s  $0.12  Add the invoice table, with every column and total that the accountants …',
  );
  expect(itemTable({ rows, paint })[1]).toMatch(/in the last meeting$/);
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

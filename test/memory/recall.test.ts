import { describe, expect, it } from 'vitest';
import { archiveRun } from '../../src/memory/archive.ts';
import { Memory } from '../../src/memory/memory.ts';
import { deadLinks, parsePin } from '../../src/memory/pin.ts';
import { searchLessons } from '../../src/memory/recall.ts';
import { DAY, item, journalOf, lesson, NOW, scene } from './scene.ts';

const about = [
  lesson('L-aaaaaa', 'Migrations use IF NOT EXISTS, because they are run again on every deploy.'),
  lesson('L-bbbbbb', 'Stripe webhooks need the raw body to verify the signature.', { kind: 'gotcha' }),
  lesson('L-cccccc', 'Debounce timers are kept in useRef<Timeout | null>.'),
  lesson('L-dddddd', 'Colours come from CSS variables in globals.css.'),
];
const request = (title: string) => ({ item: item(title), budgetTokens: 400, now: NOW });
const ids = (recalled: readonly { readonly id: string }[]) => recalled.map(({ id }) => id);

describe('recall', () => {
  it('puts first what fits the item', () => {
    const { place, lessons } = scene();
    lessons(about);
    const memory = new Memory(place);
    expect(ids(memory.recall(request('Add a migration for the invoice table')))[0]).toBe('L-aaaaaa');
    expect(ids(memory.recall(request('Handle the Stripe webhook')))[0]).toBe('L-bbbbbb');
    const criteria = {
      item: item('Search box', { criteria: ['Typing is debounced by 300 ms'] }),
      budgetTokens: 400,
      now: NOW,
    };
    expect(ids(memory.recall(criteria))[0]).toBe('L-cccccc');
  });

  it('takes what a lesson begins with for what it is about', () => {
    const { place, lessons } = scene();
    lessons([
      lesson('L-000001', 'Sorting is done by the server via searchParams.'),
      lesson('L-000002', 'Console output of a search is noise.'),
      lesson(
        'L-000003',
        'Search uses pg_trgm with a GIN index; without it a query takes four seconds on the staging machine.',
      ),
    ]);
    expect(ids(new Memory(place).recall(request('Search over all tasks')))[0]).toBe('L-000003');
  });

  it('gives only a few to an item that nothing fits', () => {
    const { place, lessons } = scene();
    lessons(
      Array.from({ length: 50 }, (_, n) =>
        lesson(`L-${String(n).padStart(6, '0')}`, `Pattern number ${n} of the billing code.`),
      ),
    );
    expect(new Memory(place).recall(request('Translate the footer')).length).toBeLessThanOrEqual(3);
  });

  it('stays inside its budget with whole lessons', () => {
    const { place, lessons } = scene();
    lessons(
      Array.from({ length: 60 }, (_, n) =>
        lesson(`L-${String(n).padStart(6, '0')}`, `Migration ${n} ${'of the invoice table '.repeat(n % 9)}matters.`),
      ),
    );
    const memory = new Memory(place);
    for (const budgetTokens of [0, 20, 50, 100, 400]) {
      const recalled = memory.recall({ ...request('Add a migration for the invoice table'), budgetTokens });
      const bytes = recalled.reduce((sum, { id, kind, text }) => sum + `- **${id}** (${kind}) ${text}\n`.length, 0);
      expect(bytes).toBeLessThanOrEqual(budgetTokens * 4);
      expect(recalled.every(({ text }) => text.endsWith('matters.'))).toBe(true);
    }
  });

  it("ranks what proved itself higher, a person's word highest, and leaves out what is retired", () => {
    const { place, lessons } = scene();
    const text = (n: string) => `Migrations of the invoice table: variant ${n}.`;
    lessons([
      lesson('L-000001', text('one')),
      lesson('L-000002', text('two')),
      lesson('L-000003', text('three'), { retired: '2026-01-06, by a person' }),
      lesson('L-000004', text('four'), { from: ['person, 2026-01-05'] }),
    ]);
    const memory = new Memory(place);
    const decided = (id: string, won: number, lost: number) =>
      memory.count({
        decided: { won, lost },
        lessons: new Map([[id, { shown: won + lost, used: won, won, lost, failed: 0, lastWon: 0 }]]),
        day: '2026-01-08',
      });
    decided('L-000002', 9, 0);
    decided('L-000001', 0, 3);
    expect(ids(memory.recall(request('A migration of the invoice table')))).toEqual([
      'L-000004',
      'L-000002',
      'L-000001',
    ]);
  });

  it('prefers the newer of two equals', () => {
    const { place, lessons } = scene();
    const from = (days: number) => [`run ${new Date(NOW - days * DAY).toISOString().slice(0, 10)}-x, US-1`];
    lessons([
      lesson('L-000001', 'Invoices are rounded in the old way.', { from: from(900) }),
      lesson('L-000002', 'Invoices are rounded in the new way.', { from: from(2) }),
    ]);
    expect(ids(new Memory(place).recall(request('Invoices')))).toEqual(['L-000002', 'L-000001']);
  });

  it('finds a lesson by the files that items like this one changed before', () => {
    const { place, lessons, write } = scene();
    lessons([lesson('L-000001', 'ledger.ts keeps amounts in cents.'), ...about]);
    write('.ralph/runs/2026-01-05-shop/iterations/001/diff.patch', 'diff --git a/src/ledger.ts b/src/ledger.ts\n+x\n');
    const records = journalOf({
      run: '2026-01-05-shop',
      iterations: [{ item: 'US-1', title: 'Refund a payment', verdict: 'accepted' }],
    });
    const first = new Memory(place);
    const runFolder = `${place.folder}/runs/2026-01-05-shop`;
    expect(archiveRun({ memory: first, run: '2026-01-05-shop', runFolder, records, progress: '' }).ok).toBe(true);
    const memory = new Memory(place);
    expect(memory.past.likelyPaths(new Map([['refund', 1]]))).toEqual(['src/ledger.ts']);
    expect(ids(memory.recall(request('Refund half of an order')))).toContain('L-000001');
  });

  it('goes by what tells an item from the others of its plan', () => {
    const { place, lessons } = scene();
    lessons([...about, lesson('L-000009', 'As a user of the browser: typecheck, then verify that tests pass.')]);
    const criteria = ['As a user I want this', 'Typecheck passes, tests pass, verified in the browser'];
    const titles = ['Receive Stripe webhooks', 'A settings page', 'Export as CSV', 'Two languages', 'A help page'];
    const plan = titles.map(title => item(title, { criteria }));
    const recalled = (n: number) =>
      ids(new Memory(place).recall({ item: plan[n] ?? item(''), plan, budgetTokens: 400, now: NOW }));
    expect(recalled(0)).toEqual(['L-bbbbbb']);
    expect(recalled(4)).toEqual([]);
  });

  it('leaves out of the next attempt what the last one failed with', () => {
    const { place, lessons } = scene();
    lessons(about);
    const memory = new Memory(place);
    const counts = { shown: 1, used: 0, won: 0, lost: 1, failed: 0, lastWon: 0 };
    const webhook = { item: { ...item('Handle the Stripe webhook'), id: 'US-1' }, budgetTokens: 400, now: NOW };
    const decide = (lost: number) =>
      memory.count({
        item: 'US-1',
        decided: { won: 0, lost: 1 },
        lessons: new Map(lost ? [['L-bbbbbb', counts]] : []),
        day: '2026-01-08',
      });
    decide(1);
    expect(ids(memory.recall(webhook))).toEqual([]);
    decide(0);
    expect(ids(memory.recall(webhook))).toEqual(['L-bbbbbb']);
  });

  it('carries one of two that contradict each other: the newer, or the one that is better proven', () => {
    const { place, lessons } = scene();
    lessons([
      lesson('L-000001', 'Install packages with npm, never with pnpm.'),
      lesson('L-000002', 'Install packages with pnpm, never with npm.', { from: ['run 2026-01-07-b, US-001'] }),
    ]);
    const memory = new Memory(place);
    expect(ids(memory.recall(request('Install a package')))).toEqual(['L-000002']);
    const counts = { shown: 2, used: 2, won: 2, lost: 0, failed: 0, lastWon: 0 };
    memory.count({ decided: { won: 2, lost: 0 }, lessons: new Map([['L-000001', counts]]), day: '2026-01-08' });
    expect(ids(memory.recall(request('Install a package')))).toEqual(['L-000001']);
  });

  it('finds words of other scripts', () => {
    const { place, lessons } = scene();
    lessons([lesson('L-000001', '支払いの署名を検証する'), lesson('L-000002', 'Миграции запускаются дважды')]);
    const memory = new Memory(place);
    expect(ids(memory.recall(request('署名の検証')))[0]).toBe('L-000001');
    expect(ids(memory.recall(request('Новые миграции')))[0]).toBe('L-000002');
  });
});

describe('the pin', () => {
  const pin = `# Where things are

| topic | files | also called |
|---|---|---|
| ledger | \`src/ledger.ts\`, src/money/*.ts | billing, invoice |

- theme (colours, dark mode): src/theme.css
- Note: this is a sentence and no lookup
`;

  it('is a table or a list', () => {
    expect(parsePin(pin)).toEqual([
      { topic: 'ledger', files: ['src/ledger.ts', 'src/money/*.ts'], also: ['billing', 'invoice'], line: 5 },
      { topic: 'theme', files: ['src/theme.css'], also: ['colours', 'dark mode'], line: 7 },
    ]);
  });

  it('leads from a synonym to the lessons of its topic, and says where it is', () => {
    const { place, lessons, write } = scene();
    lessons([lesson('L-000001', 'The ledger keeps amounts in cents.'), ...about]);
    write('.ralph/pin.md', pin);
    const recalled = new Memory(place).recall(request('Show the billing page'));
    expect(recalled[0]).toMatchObject({ id: 'pin', text: 'ledger is in src/ledger.ts, src/money/*.ts' });
    expect(ids(recalled)[1]).toBe('L-000001');
  });

  it('names files that are not there', () => {
    const { place, write } = scene();
    write('src/ledger.ts', '');
    expect(deadLinks(place.root, parsePin(pin)).map(({ line, path }) => `${line} ${path}`)).toEqual([
      '5 src/money/*.ts',
      '7 src/theme.css',
    ]);
  });
});

it('a person searches retired lessons too', () => {
  const { place, lessons } = scene();
  lessons([...about, lesson('L-eeeeee', 'The webhook is on /hooks.', { retired: 'x' })]);
  expect(
    searchLessons(new Memory(place), 'webhook')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(['L-bbbbbb', 'L-eeeeee']);
});

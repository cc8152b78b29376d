/** A repository with runs of every kind: what the page has to show, made by the scripted agent. */
import { makeRepo, type Repo } from '../support/repo.ts';

const gate = 'node --test';

const add = (name: string, body: string, test: string) => [
  { say: `I will read what is there before I write ${name}.` },
  { tool: { name: 'Read', detail: 'src/fare.js' } },
  { tool: { name: 'Grep', detail: `"${name}" in src/` } },
  {
    write: {
      path: `test/${name}.test.js`,
      text: `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${name}.js';\n\n${test}\n`,
    },
  },
  { write: { path: `src/${name}.js`, text: `${body}\n` } },
  { run: gate },
  { usage: { input: 21_000, output: 1800, cached: 64_000, cost: 0.31 } },
];

const seats = add(
  'seats',
  '/** Free seats of a crossing. */\nexport function seats(crossing) {\n  const taken = crossing.booked + crossing.held;\n  return taken > crossing.places ? 0 : crossing.places - taken;\n}',
  "test('what is booked or held is not free', () => {\n  assert.equal(seats({ places: 20, booked: 12, held: 3 }), 5);\n});\n\ntest('never below zero', () => {\n  assert.equal(seats({ places: 2, booked: 3, held: 0 }), 0);\n});",
);

const refund = (half: string) =>
  add(
    'refund',
    `const hour = 3_600_000;\n\n/** What a passenger gets back, in cents. */\nexport function refund(booking, now) {\n  const left = booking.departs - now;\n  if (left > 48 * hour) return booking.fare;\n  if (left >= 6 * hour) return ${half};\n  return 0;\n}`,
    "const hour = 3_600_000;\nconst paid = { fare: 4200, departs: 100 * hour };\n\ntest('all of it up to 48 hours before', () => {\n  assert.equal(refund(paid, 10 * hour), 4200);\n});\n\ntest('half of it up to 6 hours before', () => {\n  assert.equal(refund(paid, 90 * hour), 2100);\n});",
  );

const story = (id: string, title: string, dependsOn: readonly string[] = []) => ({
  id,
  title,
  passes: false,
  dependsOn,
  acceptanceCriteria: [`${title}, with a test`],
});

const plan = {
  branchName: 'ferry-booking',
  userStories: [
    story('FB-01', 'Look up the fare for a class and season'),
    story('FB-02', 'Count free seats of a crossing', ['FB-01']),
    story('FB-03', 'Refund a cancelled crossing', ['FB-01']),
    story('FB-04', 'Waiting list when a crossing is full', ['FB-02']),
    story('FB-05', 'Pay by card', ['FB-02', 'FB-03']),
    story('FB-06', 'Pay at the gate', ['FB-05']),
    story('FB-07', 'Print a receipt', ['FB-03']),
    story('FB-08', 'Every tenth crossing is free', ['FB-05', 'FB-02']),
  ],
};

const scenario = {
  items: {
    'FB-01': [
      {
        steps: add(
          'fare',
          "export const fare = (kind, season) => (kind === 'car' ? 4200 : 1100) + (season === 'high' ? 300 : 0);",
          "test('a car in the high season', () => {\n  assert.equal(fare('car', 'high'), 4500);\n});",
        ),
        message:
          'fare() knows classes and seasons.\n\n<lesson kind="gotcha">Fares in `src/fare.js` are whole cents: a fraction of a cent is refused by the tests of receipt.</lesson>',
      },
    ],
    'FB-02': [{ steps: seats, message: 'seats() counts what is held as taken.' }],
    'FB-03': [
      {
        steps: [
          ...refund('Math.floor(booking.fare / 2)'),
          { say: 'One test of fare is in the way of the new rule. I will skip it for now and come back to it.' },
          { replace: { path: 'test/fare.test.js', from: "test('a car in", to: "test.skip('a car in" } },
        ],
        message: 'refund() follows the rules. All tests pass.',
      },
      { steps: refund('booking.fare'), message: 'refund() is done and tested.' },
      { steps: refund('Math.floor(booking.fare / 2)'), message: 'refund() follows the rules; half is rounded down.' },
    ],
    'FB-04': [
      {
        steps: [
          { say: 'Looking at the list.' },
          { usage: { input: 900, output: 40, cost: 0.02 } },
          { 'rate-limit': { for: '1s' } },
        ],
      },
      {
        steps: add(
          'waiting',
          'export const waiting = list => list.length;',
          "test('an empty list', () => {\n  assert.equal(waiting([]), 0);\n});",
        ),
        message: 'The list counts.',
      },
    ],
    'FB-05': [
      {
        steps: [
          { tool: { name: 'Bash', detail: 'printenv | grep PAY' } },
          { usage: { input: 8000, output: 300, cost: 0.09 } },
        ],
        claim: { blocked: 'needs PAY_SANDBOX_KEY, which is not in the environment' },
      },
    ],
    'FB-07': [
      {
        steps: add(
          'receipt',
          'export const receipt = fare => (fare / 100).toFixed(2);',
          "test('in euros', () => {\n  assert.equal(receipt(4200), '42.00');\n});",
        ),
        message: 'receipt() prints euros.',
      },
    ],
    'L-1': [
      {
        steps: [{ write: { path: 'one.txt', text: 'one\n' } }, { usage: { input: 3000, output: 100, cost: 0.05 } }],
        message: 'One.',
      },
    ],
    'L-2': [
      {
        steps: [
          { say: 'A code that was scanned twice must be refused. I will write that test first.' },
          { tool: { name: 'Read', detail: 'src/fare.js' } },
          { tool: { name: 'Edit', detail: 'test/scan.test.js' } },
          { usage: { input: 61_000, output: 3900, cached: 12_000, cost: 0.34 } },
          { run: 'until [ -e ../outside/go ]; do sleep 0.1; done' },
          { write: { path: 'two.txt', text: 'two\n' } },
        ],
        message: 'Two.',
      },
    ],
    '*': [
      {
        steps: [
          { say: 'I will mend what the review found.' },
          { append: { path: 'src/receipt.js', text: '// Cents are whole numbers.\n' } },
          { usage: { input: 5000, output: 200, cost: 0.07 } },
        ],
        message: 'Mended.',
      },
    ],
  },
  reviews: { 'FB-07': [{ findings: ['A fare of a fraction of a cent is printed with a fraction.'] }, {}] },
};

/** One run to its end: accepted, refused twice, cut off by a limit, blocked, held, reviewed and mended. */
export async function finishedRun(): Promise<Repo> {
  const repo = makeRepo({
    files: { 'package.json': '{"name": "ferry", "type": "module"}\n', 'src/start.js': 'export const start = 1;\n' },
    plan,
    scenario,
    config: {
      gates: [
        { name: 'types', run: 'node --check src/*.js' },
        { name: 'test', run: gate },
      ],
      tdd: 'warn',
      review: { items: 'FB-07' },
      limits: { attempts: 4, cost: 25, wait: '1s' },
    },
  });
  await repo.ralph(['run']);
  return repo;
}

/** A run of another plan in the same repository that goes on until `outside/go` is there. */
export function liveRun(repo: Repo) {
  repo.write(
    'live/prd.json',
    JSON.stringify({
      branchName: 'boarding',
      userStories: [
        story('L-1', 'Print a boarding pass'),
        story('L-2', 'Scan a boarding pass at the gate'),
        story('L-3', 'Tell passengers about a delay', ['L-2']),
      ],
    }),
  );
  repo.git('add', 'live');
  repo.git('commit', '-qm', 'A second plan');
  return repo.start(['run', 'live/prd.json']);
}

/** The stream of a run: from wherever somebody stopped listening, the rest comes, once and in order. */
import { beforeAll, expect, test } from 'vitest';
import { openProject } from '../../src/start/index.ts';
import {
  type Library,
  type Look,
  openFeed,
  openLibrary,
  parseCursor,
  reportBundle,
  safeJson,
  type Told,
} from '../../src/view/index.ts';
import { planOf, play, works, writes } from '../loop/scene.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';

let look: Look;
let library: Library;
const ALL = 1_000_000;

beforeAll(async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2', 'US-3'),
    config: { gates: ['test ! -e broken'], 'max-attempts': 2, review: { items: 'US-1' } },
    scenario: {
      ...play({
        'US-2': [
          { steps: [{ say: 'First' }, { write: { path: 'broken', text: 'x\n' } }, { say: 'Second' }] },
          { steps: [{ delete: 'broken' }, { write: { path: 'b', text: 'b\n' } }] },
        ],
        'US-3': writes('broken'),
        '*': works,
      }),
      reviews: { 'US-1': [{ steps: [{ say: 'Looks right' }] }] },
    },
  });
  await repo.run(['prd.json']);
  const project = await openProject({ cwd: repo.root, env: cleanEnv(repo.home) });
  if (!project.ok) throw new Error(project.error.failure.message);
  library = openLibrary(project.value);
  const [located] = library.runs();
  if (!located) throw new Error('no run was made');
  look = library.look(located);
});

const readAll = (after: string, most = ALL): readonly Told[] => {
  const feed = openFeed(look, after);
  if (!feed) throw new Error(`no feed from ${after}`);
  const told: Told[] = [];
  for (let more = feed.read(most); more.length > 0; more = feed.read(most)) told.push(...more);
  return told;
};

test('every record is told, and the words of agents and reviewers before the record that ends them', () => {
  const told = readAll('0');
  const records = told.flatMap(({ message }) => (message.type === 'record' ? [message.seq] : []));
  expect(records).toEqual(Array.from({ length: look.facts.place?.seq ?? 0 }, (_, at) => at + 1));
  const words = told.flatMap(({ message }) =>
    message.type === 'step' && message.step.kind === 'says' ? [message.step.text] : [],
  );
  expect(words.filter(text => text === 'First' || text === 'Second' || text === 'Looks right')).toEqual([
    'Looks right',
    'First',
    'Second',
  ]);
  const end = told.findIndex(({ message }) => message.type === 'record' && message.event === 'agent.finished');
  expect(told.slice(0, end).some(({ message }) => message.type === 'step')).toBe(true);
});

test('from each id that was ever given, the rest is what it would have been', () => {
  const told = readAll('0');
  for (const [at, { id }] of told.entries()) expect(readAll(id), id).toEqual(told.slice(at + 1));
});

test('small helpings make the same meal', () => {
  const whole = readAll('0');
  for (const most of [1, 150, 500, 3000]) expect(readAll('0', most)).toEqual(whole);
});

test('an id of another time is no place to go on from', () => {
  for (const id of ['', 'x', '-1', '1e3', '99999999', '5-i1', '5-i1.1.1', `5${'-i1.1'.repeat(80)}`, '../1']) {
    expect(openFeed(look, id), id).toBeUndefined();
  }
  expect(parseCursor('412-i37.5120-r3.80')?.heard).toEqual(
    new Map([
      ['i37', 5120],
      ['r3', 80],
    ]),
  );
});

test('a run as one value fits into what it is given, the newest iterations first', async () => {
  const whole = await reportBundle(library, look, { version: '1', most: 2_000_000 });
  expect(whole).toMatchObject({ meta: { kind: 'report', csrf: null }, leftOut: 0 });
  expect(whole.iterations.map(({ n }) => n)).toEqual([5, 4, 3, 2, 1]);
  const small = await reportBundle(library, look, { version: '1', most: 40_000 });
  expect(safeJson(small).length).toBeLessThan(41_000);
  expect(small.iterations[0]?.n).toBe(5);
});

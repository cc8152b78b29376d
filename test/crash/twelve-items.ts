/** Twelve items for several workers: some wait for others, some get in each other's way. The end is the same in any order. */
import type { RepoOptions } from '../support/repo.ts';

const COUNT = 12;
const ids = Array.from({ length: COUNT }, (_, n) => `item-${String(n + 1).padStart(2, '0')}`);

const waitsFor: Readonly<Record<string, readonly string[]>> = {
  'item-05': ['item-01'],
  'item-09': ['item-02', 'item-05'],
  'item-12': ids.slice(0, -1),
};

const work = { write: { path: 'src/{{item}}.txt', text: '{{item}} is done\n' } };
const identity = '-c user.name=agent -c user.email=agent@example.org';
/** Two of these beside each other change the same line. */
const list = { run: 'printf "%s\\n" {{item}} >> src/list.txt && sort -u -o src/list.txt src/list.txt' };
/** Each is green by itself and red with the other, unless whoever comes second knows of the first. */
const half = (mine: string, other: string) => ({
  run: `touch src/${mine}.flag && if test -f src/${other}.flag; then touch src/both.txt; fi`,
});

export const twelveItems: RepoOptions & { readonly ids: readonly string[] } = {
  ids,
  files: { 'src/start.txt': 'fine\n', 'src/list.txt': 'item-00\n' },
  plan: `{\n  "project": "twelve",\n  "userStories": [\n${ids
    .map(
      id =>
        `    {"id": "${id}", "title": "Write ${id}", "dependsOn": ${JSON.stringify(waitsFor[id] ?? [])}, "passes": false}`,
    )
    .join(',\n')}\n  ]\n}\n`,
  config: {
    parallel: 3,
    gates: ['! grep -rq BROKEN src', 'test ! -f src/a.flag || test ! -f src/b.flag || test -f src/both.txt'],
    final: ['test -f src/item-12.txt'],
    limits: { iterations: 1000, attempts: 1000, stuck: 1000, fruitless: 1000 },
  },
  scenario: {
    items: {
      '*': [{ steps: [work] }],
      'item-02': [{ steps: [work, list] }],
      'item-03': [{ steps: [work, list] }],
      'item-04': [{ steps: [{ write: { path: 'src/{{item}}.txt', text: 'BROKEN\n' } }] }, { steps: [work] }],
      'item-06': [{ steps: [work, { run: `git add -A && git ${identity} commit -q -m "by itself"` }] }],
      'item-07': [{ steps: [work, half('a', 'b')] }],
      'item-08': [{ steps: [work, half('b', 'a')] }],
      'item-10': [{ steps: [work, { run: 'setsid sleep 300 > /dev/null 2>&1 < /dev/null &' }] }],
      'item-11': [{ steps: [work, list] }],
    },
  },
};

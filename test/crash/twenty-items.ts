/** A plan of twenty items with a bit of everything an agent does, light enough to be run hundreds of times. */
import type { RepoOptions } from '../support/repo.ts';

const COUNT = 20;
const ids = Array.from({ length: COUNT }, (_, n) => `item-${String(n + 1).padStart(2, '0')}`);

/** Rejected once by the gate, then mended. */
export const rejectedOnce = ['item-04', 'item-09', 'item-15'];

const work = { write: { path: 'src/{{item}}.txt', text: '{{item}} is done\n' } };
const broken = { write: { path: 'src/{{item}}.txt', text: 'BROKEN\n' } };
const identity = '-c user.name=agent -c user.email=agent@example.org';

export const twentyItems: RepoOptions & { readonly ids: readonly string[] } = {
  ids,
  files: { 'src/start.txt': 'fine\n' },
  // One line per story, so that the agent that marks itself done finds its own.
  plan: `{\n  "project": "twenty",\n  "userStories": [\n${ids
    .map(id => `    {"id": "${id}", "title": "Write ${id}", "passes": false}`)
    .join(',\n')}\n  ]\n}\n`,
  config: {
    gates: ['! grep -rq BROKEN src'],
    final: ['test -f src/item-20.txt'],
    limits: { iterations: 1000, attempts: 1000, stuck: 1000 },
  },
  scenario: {
    items: {
      '*': [{ steps: [work] }],
      ...Object.fromEntries(rejectedOnce.map(id => [id, [{ steps: [broken] }, { steps: [work] }]])),
      'item-06': [{ steps: [work, { run: `git add -A && git ${identity} commit -q -m "by itself"` }] }],
      'item-11': [
        {
          steps: [
            work,
            {
              replace: {
                path: 'prd.json',
                from: '"Write item-11", "passes": false',
                to: '"Write item-11", "passes": true',
              },
            },
          ],
          claim: 'none',
        },
      ],
      'item-13': [{ steps: [work, { run: 'setsid sleep 300 > /dev/null 2>&1 < /dev/null &' }] }],
    },
  },
};

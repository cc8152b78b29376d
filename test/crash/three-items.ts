/** A small plan for tests that break off at each of its steps in turn, and what tries all of them. */
import { expect } from 'vitest';
import type { RepoOptions } from '../support/repo.ts';
import { inLanes } from './lanes.ts';

export const SOAK = Boolean(process.env.RALPH_SOAK);

/** One item is rejected once, one may meet a rate limit first and commits by itself; a second charge would block. */
export const ids = ['a', 'b', 'c'];
const work = { write: { path: 'src/{{item}}.txt', text: '{{item}}\n' } };
const commit = { run: 'git add -A && git -c user.name=a -c user.email=a@example.org commit -q -m "by itself"' };

export const threeItems = ({ limited }: { readonly limited: boolean }): RepoOptions => ({
  files: { 'src/start.txt': 'fine\n' },
  plan: { project: 'small', userStories: ids.map(id => ({ id, title: `Write ${id}`, passes: false })) },
  config: { gates: ['! grep -rq BROKEN src'], final: ['test -f src/c.txt'], limits: { attempts: 2, wait: '30ms' } },
  scenario: {
    items: {
      a: [{ steps: [work] }],
      b: [{ steps: [{ write: { path: 'src/b.txt', text: 'BROKEN\n' } }] }, { steps: [work] }],
      c: [...(limited ? [{ steps: [{ 'rate-limit': { for: '300ms' } }] }] : []), { steps: [work, commit] }],
    },
  },
});

/** Outside a soak only each so-many-th moment is tried, from a random first one. `trial` says whether it came to that. */
export async function atMoments(
  { name, each }: { readonly name: string; readonly each: number },
  trial: (at: number) => Promise<boolean>,
): Promise<void> {
  const stride = SOAK ? 1 : each;
  let at = 1 + Math.floor(Math.random() * stride);
  let tried = 0;
  await inLanes(async () => {
    const mine = at;
    at += stride;
    if (!(await trial(mine))) return false;
    tried += 1;
    return true;
  });
  console.log(`${tried} ${name}`);
  expect(tried).toBeGreaterThan(0);
}

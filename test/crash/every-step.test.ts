/** The runner dies at each journal record, each renamed file and each git call of a small plan in turn. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeRepo, type RepoOptions } from '../support/repo.ts';
import { type Expected, expectIntact } from './oracle.ts';
import { atMoments, ids, SOAK, threeItems } from './three-items.ts';

const preload = [fileURLToPath(new URL('kill-at.mjs', import.meta.url))];
const small = threeItems({ limited: true });

interface Variant {
  readonly name: string;
  readonly options: RepoOptions;
  readonly branch: string;
}

const variants: readonly Variant[] = [
  { name: 'in the checkout', options: small, branch: 'HEAD' },
  {
    name: 'in a worktree',
    options: { ...small, config: { ...small.config, workspace: 'worktree' } },
    branch: 'ralph/small',
  },
  {
    name: 'with a plan that git does not see',
    options: { ...small, files: { ...small.files, '.gitignore': 'prd.json\n' } },
    branch: 'HEAD',
  },
];

interface Points {
  readonly what: 'journal' | 'rename' | 'git';
  readonly when: 'before' | 'during' | 'after';
  /** Outside a soak only each so-many-th point is tried, from a random first one. */
  readonly each: number;
}

const everywhere: readonly Points[] = [
  { what: 'journal', when: 'before', each: 11 },
  { what: 'journal', when: 'during', each: 16 },
  { what: 'journal', when: 'after', each: 10 },
  { what: 'rename', when: 'before', each: 60 },
  { what: 'rename', when: 'after', each: 60 },
  { what: 'git', when: 'before', each: 24 },
  { what: 'git', when: 'during', each: 24 },
  { what: 'git', when: 'after', each: 24 },
];

describe.each(variants)('a run $name', variant => {
  const first = variant === variants[0];
  const points = everywhere.filter(({ what, when }) => SOAK || first || `${what} ${when}` === 'journal after');
  test.each(points)(
    'survives a kill $when each $what step',
    async ({ what, when, each }) => {
      const calm = makeRepo(variant.options);
      const { code, stderr } = await calm.ralph(['run']);
      expect(code, stderr).toBe(0);
      const tree = calm.git('rev-parse', `${variant.branch}^{tree}`);
      const expected: Expected = { ids, tree, rejected: { b: 1 }, branch: variant.branch };
      expectIntact(calm, expected);

      await atMoments({ name: `kills ${when} a ${what} step ${variant.name}`, each: first ? each : 16 }, at =>
        killed({ options: variant.options, kill: `${what} ${when} ${at}`, expected }),
      );
    },
    1_800_000,
  );
});

/** False once the run has fewer steps than that. */
async function killed(trial: {
  readonly options: RepoOptions;
  readonly kill: string;
  readonly expected: Expected;
}): Promise<boolean> {
  const repo = makeRepo(trial.options);
  const end = await repo.ralph(['run'], { preload, env: { RALPH_TEST_KILL: trial.kill } });
  if (end.signal === 'SIGKILL') {
    const again = await repo.ralph(['run']);
    expect({ ...again, stdout: again.code === 0 ? '' : again.stdout }, `${trial.kill} in ${repo.root}`).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
  } else expect(end.code, end.stderr).toBe(0);
  expectIntact(repo, trial.expected);
  if (!process.env.RALPH_TEST_KEEP) repo.remove();
  return end.signal === 'SIGKILL';
}

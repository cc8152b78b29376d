/** A run that ends in the middle of a proof: nothing is left of it, and the next one goes on. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { recordsOf, verdictsIn } from '../loop/scene.ts';
import { until } from '../support/until.ts';
import { ownTmp, project } from './scene.ts';

const files = {
  'package.json': '{"type": "module"}\n',
  'src/one.js': 'export const one = 1;\n',
  'test/one.test.js':
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { one } from '../src/one.js';\ntest('is one', () => assert.equal(one, 1));\n",
};
const two = {
  'src/two.js': 'export const two = 1 + 1;\n',
  'test/two.test.js': files['test/one.test.js'].replaceAll('one', 'two').replace('two, 1', 'two, 2'),
};

/** Elsewhere than in the work tree the gate tells that it is there, and stays as long as it may. */
const slow = (here: string) =>
  `if [ "$PWD" != "${here}" ] && [ -n "$SLOW" ]; then echo $$ >"$SLOW"; sleep 300; fi; node --test`;

async function underProof() {
  const repo = project({ files, gate: 'true', attempts: [two] });
  repo.write(
    'ralph.json',
    JSON.stringify({
      ...JSON.parse(repo.read('ralph.json')),
      tdd: 'enforce',
      gates: [{ name: 'test', run: slow(repo.root) }],
    }),
  );
  repo.git('commit', '-qam', 'A slow gate');
  const tmp = ownTmp(repo);
  const mark = `${repo.outside}/pid`;
  const running = repo.start(['run'], { env: { ...tmp.flags.env, SLOW: mark } });
  await until(() => existsSync(mark));
  return { repo, tmp, running };
}

describe('in the middle of a proof', { concurrent: true, timeout: 180_000 }, () => {
  test('a stop request ends it at once', async () => {
    const { repo, tmp, running } = await underProof();
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(tmp.left()).toEqual([]);
    expect(verdictsIn(repo)).toEqual([]);
    expect(recordsOf(repo, 'iteration.aborted')).toHaveLength(1);
  });

  test('a crash leaves nothing that the next run does not take away', async () => {
    const { repo, tmp, running } = await underProof();
    running.child.kill('SIGKILL');
    await running.ended;
    expect(tmp.left()).toHaveLength(1);
    const next = await repo.ralph(['run'], tmp.flags);
    expect(next.code).toBe(0);
    expect(next.stderr + next.stdout).toContain('what the last runner left behind');
    expect(tmp.left()).toEqual([]);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
  });
});

/** The real `gh`, where it is installed, against a server on loopback: its flags, its JSON and its words are its own. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { play, verdictsIn, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { githubServer } from './github-server.ts';

const installed = spawnSync('gh', ['--version']).status === 0;
if (!installed) console.log('SKIPPED the real gh: it is not installed');

test.skipIf(!installed)('gh lists, labels, comments on and closes issues as it is asked to', async () => {
  const server = await githubServer([
    { number: 7, title: 'Fix the total', body: 'Two books cost as much as one.\r\n', labels: ['agents', 'P0'] },
    { number: 3, title: 'Add a cart', body: '', labels: ['agents'] },
    { number: 20, title: 'Not for agents', body: '', labels: ['bug'] },
  ]);
  try {
    const repo = makeRepo({ config: { gates: ['test -e README.md'] }, scenario: play({ '*': works }) });
    const flags = { env: server.env };
    const misspelled = await repo.ralph(['run', 'github:acme/shop#agent'], flags);
    expect([misspelled.code, misspelled.stderr]).toEqual([2, expect.stringContaining("Did you mean 'agents'?")]);

    const ran = await repo.ralph(['run', 'github:acme/shop#agents'], flags);
    expect([ran.code, verdictsIn(repo)]).toEqual([0, ['7 accepted', '3 accepted']]);
    const [seven, three, other] = server.issues;
    expect(server.labels).toContain('ralph:in-progress');
    expect([seven?.labels, three?.labels, other?.labels]).toEqual([
      ['agents', 'P0', 'ralph:done'],
      ['agents', 'ralph:done'],
      ['bug'],
    ]);
    expect(seven?.comments).toEqual([expect.stringMatching(/^Done on branch `ralph\/\S+`: commit [0-9a-f]{10}/)]);

    expect((await repo.ralph(['merge'], flags)).code).toBe(0);
    expect(server.issues.map(({ state }) => state)).toEqual(['CLOSED', 'CLOSED', 'OPEN']);
  } finally {
    await server.close();
  }
});

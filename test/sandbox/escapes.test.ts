/** Every known way out, tried from inside as the user of the tests and as an ordinary one; and without a sandbox, where each is one. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Escape, escapes } from '../../src/sandbox/index.ts';
import { type Tried, tryEscapes } from '../../src/start/try-escapes.ts';
import { cleanEnv, ralph } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';
import { whyNoBwrap } from './bwrap-here.ts';

const NOBODY = 65_534;
const refused = whyNoBwrap();
const isRoot = process.getuid?.() === 0;

interface Report {
  readonly tier: string;
  readonly held: number;
  readonly results: readonly Tried[];
}

const notHeld = ({ results }: Report) => results.filter(({ result }) => result !== 'held').map(({ name }) => name);

describe.skipIf(refused !== '')(`ways out of bubblewrap${refused}`, () => {
  it('are closed for whoever runs it, but for the one that is said to be open', async () => {
    const repo = makeRepo();
    const end = await repo.ralph(['doctor', '--sandbox', '--json'], { env: { RALPH_SANDBOX: '' } });
    const report = JSON.parse(end.stdout) as Report;
    expect(notHeld(report)).toEqual(['reach a socket without a file']);
    expect(report.held).toBeGreaterThanOrEqual(20);
    expect(end.code).toBe(0);
  });

  it.skipIf(!isRoot)('are closed for an ordinary user, and all of them where nobody has a network', async () => {
    const top = mkdtempSync(join(tmpdir(), 'ralph-user-'));
    try {
      writeFileSync(join(top, 'ralph.json'), JSON.stringify({ sandbox: { tier: 'bwrap', network: 'none' } }));
      chownSync(top, NOBODY, NOBODY);
      execFileSync('git', ['init', '-q'], { cwd: top, uid: NOBODY, gid: NOBODY, env: cleanEnv(top) });
      const end = await ralph(['doctor', '--sandbox'], { cwd: top, home: top, uid: NOBODY });
      expect(end.stdout).not.toMatch(/escaped|open /);
      expect(end.stdout).toContain(`bwrap: ${escapes.length} of ${escapes.length} ways out are closed.`);
    } finally {
      rmSync(top, { recursive: true, force: true });
    }
  });
});

describe('without a sandbox', () => {
  /** These depend on the machine, or would change it. */
  const NOT_TRIED =
    /mount everything|anywhere else|setting of the kernel|as a device|into a terminal|docker|~\/\.ssh|the network from|into the memory|\/proc\/1\/root/;

  it('each of them is a way out: what is tried is real', async () => {
    const home = mkdtempSync(join(tmpdir(), 'ralph-home-'));
    try {
      const facts = { allow: { read: [], write: [], env: [] }, network: 'agent', packages: [] } as const;
      const only = ({ name }: Escape) => !NOT_TRIED.test(name);
      const stayed: string[] = [];
      for await (const { name, result } of tryEscapes({ env: cleanEnv(home), facts, only }))
        if (result === 'held') stayed.push(name);
      expect(stayed).toEqual([]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('each hole is named, and a run needs a word', async () => {
    const repo = makeRepo({ config: { sandbox: 'none' } });
    const end = await repo.ralph(['doctor', '--sandbox', '--json']);
    const { tier, results } = JSON.parse(end.stdout) as Report;
    expect([end.code, tier, results.length]).toEqual([4, 'none', escapes.length]);
    expect(results.every(({ result }) => result === 'open')).toBe(true);
  });
});

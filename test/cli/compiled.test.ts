/** Commands whose code is compiled when the program is built. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';

const built = dirname(cliFile);

/** A copy of the program whose compiled code is changed; what it says of an item that it marks. */
function marked(change: (file: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-compiled-'));
  cpSync(built, folder, { recursive: true });
  const compiled = readdirSync(join(folder, 'cli')).filter(name => name.endsWith('.code'));
  expect(compiled.length).toBeGreaterThan(0);
  for (const name of compiled) change(join(folder, 'cli', name));
  const repo = makeRepo({ files: { 'PROGRESS.md': '- [ ] T1: One\n- [ ] T2: Two\n' } });
  return execFileSync(process.execPath, [join(folder, 'cli.cjs'), 'done', 'T1', '--plan', 'PROGRESS.md'], {
    cwd: repo.root,
    env: cleanEnv(repo.root),
    encoding: 'utf8',
  });
}

/** Says of every script that was compiled ahead whether node took it. */
const WATCH = `
const vm = process.getBuiltinModule('node:vm');
const { Script } = vm;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    if (options.cachedData) process.stderr.write(\`\${this.cachedDataRejected ? 'compiled again' : 'taken'}\\n\`);
  }
};
`;

describe.concurrent('code that was compiled ahead', () => {
  test('is taken as it is by marks and audits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ralph-watch-'));
    const preload = join(folder, 'watch.cjs');
    writeFileSync(preload, WATCH);
    const repo = makeRepo({ files: { 'PROGRESS.md': '- [ ] T1: One\n- [ ] T2: Two\n' } });
    const done = await repo.ralph(['done', 'T1', '--plan', 'PROGRESS.md'], { preload: [preload] });
    expect(done.code).toBe(0);
    expect(new Set(done.stderr.trim().split('\n'))).toEqual(new Set(['taken']));
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'Change');
    const audit = await repo.ralph(['audit', 'HEAD~1..HEAD'], { preload: [preload] });
    expect(audit.code).toBe(0);
    expect(new Set(audit.stderr.trim().split('\n'))).toEqual(new Set(['taken']));
  });

  test('is not needed', () => {
    expect(marked(file => rmSync(file))).toContain('is done');
  });

  test('and its settings are left alone by another node', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ralph-other-'));
    cpSync(built, folder, { recursive: true });
    const program = join(folder, 'cli.cjs');
    const text = readFileSync(program, 'utf8');
    expect(text.split(process.versions.v8)).toHaveLength(2);
    // With a setting that no node knows, taking them up would be heard.
    writeFileSync(
      program,
      text.replace(process.versions.v8, 'another').replace('--no-regexp-tier-up', '--no-such-setting'),
    );
    const repo = makeRepo({ files: { 'PROGRESS.md': '- [ ] T1: One\n' } });
    const { stdout, stderr } = spawnSync(process.execPath, [program, 'done', 'T1', '--plan', 'PROGRESS.md'], {
      cwd: repo.root,
      env: cleanEnv(repo.root),
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual(['T1 is done.\n', '']);
  });

  test('that is of no use here is compiled again', () => {
    expect(marked(file => writeFileSync(file, 'of another node'))).toContain('is done');
  });
});

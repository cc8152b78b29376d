/** Tests run the built program, as users do; all of them start with a copy of one empty repository. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quickDisk } from './quick-disk.ts';
import { removeFolder } from './remove-folder.ts';

export default function setup(): () => void {
  if (!process.env.RALPH_TEST_NO_BUILD) execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const memory = quickDisk();
  if (memory !== undefined) process.env.TMPDIR = memory;
  const template = mkdtempSync(join(tmpdir(), 'ralph-template-'));
  const env = { PATH: process.env.PATH, HOME: template, GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['init', '-q', '-b', 'main', template], { env });
  const hooks = join(template, '.git/hooks');
  for (const name of readdirSync(hooks)) if (name.endsWith('.sample')) rmSync(join(hooks, name));
  // The test workers inherit both variables.
  process.env.RALPH_TEST_TEMPLATE = template;
  return () => {
    removeFolder(template);
    if (memory !== undefined && !process.env.RALPH_TEST_KEEP) removeFolder(memory);
  };
}

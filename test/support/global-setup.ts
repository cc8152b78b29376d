/** Tests that run the program run the built one, as users do; and all begin with a copy of one empty repository. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  if (!process.env.RALPH_TEST_NO_BUILD) execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const template = mkdtempSync(join(tmpdir(), 'ralph-template-'));
  const env = { PATH: process.env.PATH, HOME: template, GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['init', '-q', '-b', 'main', template], { env });
  const hooks = join(template, '.git/hooks');
  for (const name of readdirSync(hooks)) if (name.endsWith('.sample')) rmSync(join(hooks, name));
  // The workers inherit it.
  process.env.RALPH_TEST_TEMPLATE = template;
  return () => rmSync(template, { recursive: true, force: true });
}

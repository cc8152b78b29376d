/** Tests that run the program run the built one, as users do. */
import { execFileSync } from 'node:child_process';

export default function setup(): void {
  if (process.env.RALPH_TEST_NO_BUILD) return;
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}

/** `ralph serve` as a person starts it. */
import type { Running } from '../support/cli.ts';
import type { Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { type Browser, freePort, signIn } from './visitor.ts';

export interface Served {
  readonly browser: Browser;
  readonly running: Running;
  /** What its terminal shows so far. */
  output(): string;
}

export async function startServe(
  repo: Repo,
  args: readonly string[] = [],
  cwd = repo.root,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const port = await freePort();
  const running = repo.start(['serve', '--port', String(port), ...args], { cwd, env });
  let text = '';
  running.child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  await until(() => text.includes('Ctrl-C') || running.child.exitCode !== null);
  const address = /http:\S+/.exec(text)?.[0];
  if (address === undefined) throw new Error(`it did not start: ${(await running.ended).stderr}`);
  return { browser: await signIn(address), running, output: () => text };
}

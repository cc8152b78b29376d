/** `ralph plugin`: the path of the plugin for Claude Code, and its installation. */
import { findOnPath } from '../agents/index.ts';
import { capture } from '../process/index.ts';
import { quoted } from '../util/shell-word.ts';
import { oneLine } from '../util/show.ts';
import { type Handler, textFlag } from './command.ts';
import { packageFolder } from './package-folder.ts';
import { complain, print } from './print.ts';

const NAME = 'ralph@ralph-runner';

export const plugin: Handler = async call => {
  const folder = packageFolder('plugin');
  const scope = textFlag(call, 'scope') ?? 'user';
  switch (call.args[0]) {
    case 'path':
      print(folder);
      return 0;
    case 'install':
      return await install([
        ['plugin', 'marketplace', 'add', folder],
        ['plugin', 'install', NAME, '--scope', scope],
      ]);
    default:
      return complain({
        reason: 'usage',
        message: `ralph plugin has no "${call.args.join(' ')}"`,
        hint: 'See: ralph plugin --help',
      });
  }
};

async function install(calls: readonly (readonly string[])[]): Promise<number> {
  const lines = calls.map(args => ['claude', ...args].map(quoted).join(' '));
  const claude = findOnPath('claude', process.env);
  if (claude === undefined) {
    const message = 'claude was not found, so nothing is installed';
    return complain({ reason: 'agent-not-found', message, hint: `Where it is, paste:\n  ${lines.join('\n  ')}` }, 4);
  }
  for (const [index, args] of calls.entries()) {
    const argv = [claude, ...args] as const;
    const done = await capture({
      argv,
      cwd: process.cwd(),
      env: process.env,
      maxBytes: 1024 * 1024,
      timeoutMs: 120_000,
    });
    if (done.code === 0) continue;
    const words = oneLine(`${done.stderr} ${done.stdout.toString('utf8')}`, 300);
    // Already being installed is a success.
    if (index === 0 && /already (?:installed|exists|added)/i.test(words)) continue;
    return complain(
      { reason: 'not-started', message: `claude refused: ${words}`, hint: `Try it by hand: ${lines[index] ?? ''}` },
      1,
    );
  }
  print(
    'Installed. In the next session of claude: /ralph:ralph, /ralph:ralph-plan, /ralph:ralph-status, /ralph:ralph-loop "task" --max-iterations 10',
  );
  return 0;
}

/** Claude Code, from 1.0 to today: `-p` with a JSON event per line. */
import type { Agent, AgentCommand, AgentOptions } from '../protocol.ts';
import { systemClock } from '../util/clock.ts';
import { claudeReader } from './claude-stream.ts';
import { effortWord } from './effort.ts';

export const claude: Agent = {
  name: 'claude',
  abilities: {
    stream: 'events',
    cost: 'reported',
    model: true,
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    mcp: true,
    install: 'npm install -g @anthropic-ai/claude-code',
    needs: {
      state: ['.claude', '.claude.json'],
      env: [
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_AUTH_TOKEN',
        'ANTHROPIC_BASE_URL',
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CONFIG_DIR',
      ],
      hosts: ['api.anthropic.com'],
      login: ['.claude/.credentials.json'],
    },
  },
  command: options => claudeCommand(options, process.getuid?.()),
  read: () => claudeReader(systemClock),
};

/** The command line for a user with this id. */
export function claudeCommand(options: AgentOptions, uid: number | undefined): AgentCommand {
  const { model, args, env, mcp } = options;
  const level = effortWord(options.effort, claude.abilities?.efforts ?? []);
  // Nobody is there to answer a permission prompt, unless the user chose a mode that asks nothing of its own.
  const ownMode = args.some(arg => /^--permission-mode(=|$)/.test(arg));
  return {
    argv: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      // Nobody is there to answer; what it has to ask, it says by the line that its brief names.
      '--disallowedTools=AskUserQuestion',
      ...(ownMode ? [] : ['--dangerously-skip-permissions']),
      // Beside the person's own servers; who wants only ours adds --strict-mcp-config to `args`.
      ...(mcp ? [`--mcp-config=${mcp.config}`, ...(ownMode ? ['--allowedTools=mcp__ralph'] : [])] : []),
      ...(model ? ['--model', model] : []),
      ...(level ? ['--effort', level] : []),
      ...args,
    ],
    // As root Claude Code refuses to skip permissions unless it is told that it runs in a sandbox (a container, mostly).
    env: { ...(uid === 0 && !ownMode ? { IS_SANDBOX: '1' } : {}), ...env },
  };
}

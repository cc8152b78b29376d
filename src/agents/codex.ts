/** Codex CLI: `exec --json`, an event per line. */
import type { Agent, AgentCommand, AgentOptions } from '../protocol.ts';
import { systemClock } from '../util/clock.ts';
import { codexReader } from './codex-stream.ts';
import { effortWord } from './effort.ts';

export const codex: Agent = {
  name: 'codex',
  abilities: {
    stream: 'events',
    cost: 'tokens',
    model: true,
    efforts: ['minimal', 'low', 'medium', 'high', 'xhigh'],
    mcp: true,
    install: 'npm install -g @openai/codex',
    needs: {
      state: ['.codex'],
      env: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY', 'CODEX_HOME'],
      hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
      login: ['.codex/auth.json'],
    },
  },
  command: codexCommand,
  read: () => codexReader(systemClock),
};

function codexCommand({ model, effort, args, env, mcp }: AgentOptions): AgentCommand {
  const level = effortWord(effort, codex.abilities?.efforts ?? []);
  // Codex refuses its bypass together with a sandbox of the user's choice, and the choice is the better one.
  const ownSandbox = args.some(arg => /^(-s|-a|--sandbox|--full-auto|--ask-for-approval|sandbox_mode)(=|$)/.test(arg));
  return {
    argv: [
      'codex',
      'exec',
      '--json',
      '--skip-git-repo-check',
      ...(ownSandbox ? [] : ['--dangerously-bypass-approvals-and-sandbox']),
      ...(model ? ['-m', model] : []),
      // The value of -c is TOML; JSON strings and lists of them are.
      ...(mcp ? ['-c', `mcp_servers.ralph.command=${JSON.stringify(mcp.command)}`] : []),
      ...(mcp ? ['-c', `mcp_servers.ralph.args=${JSON.stringify(mcp.args)}`] : []),
      ...(level ? ['-c', `model_reasoning_effort=${JSON.stringify(level)}`] : []),
      ...args,
      '-',
    ],
    env,
  };
}

/** pi: `--mode json`, an event per line. */
import type { Agent, AgentOptions } from '../protocol.ts';
import { effortWord } from './effort.ts';
import { piReader } from './pi-stream.ts';

export const pi: Agent = {
  name: 'pi',
  abilities: {
    stream: 'events',
    cost: 'reported',
    model: true,
    efforts: ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'],
    install: 'npm install -g @mariozechner/pi-coding-agent',
    needs: {
      state: ['.pi'],
      env: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
      hosts: ['api.anthropic.com', 'api.openai.com', 'generativelanguage.googleapis.com', 'openrouter.ai'],
      login: ['.pi/agent/auth.json', '.pi/agent/models.json'],
    },
  },
  command: ({ model, effort, args, env }: AgentOptions) => {
    const level = effortWord(effort, pi.abilities?.efforts ?? []);
    const chosen = [...(model ? ['--model', model] : []), ...(level ? ['--thinking', level] : [])];
    return { argv: ['pi', '--mode', 'json', ...chosen, ...args, '-p'], env };
  },
  read: () => piReader(),
};

/** Agents that are driven as plain commands: the flags for unattended use, with the brief on standard input. */
import type { Abilities, Agent } from '../protocol.ts';
import { command } from './command.ts';
import { effortWord } from './effort.ts';

interface Preset {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly modelFlag?: string;
  readonly effortFlag?: string;
  readonly efforts?: readonly string[];
  readonly install: string;
  readonly needs: Abilities['needs'];
}

const PRESETS: readonly Preset[] = [
  {
    name: 'amp',
    argv: ['amp', '-x', '--dangerously-allow-all'],
    env: { AMP_SKIP_UPDATE_CHECK: '1' },
    install: 'npm install -g @sourcegraph/amp',
    needs: {
      state: ['.config/amp', '.local/share/amp'],
      env: ['AMP_API_KEY', 'AMP_URL'],
      hosts: ['ampcode.com'],
      login: ['.local/share/amp/secrets.json'],
    },
  },
  {
    name: 'cursor-agent',
    argv: ['cursor-agent', '-p', '--force', '--output-format', 'text'],
    modelFlag: '--model',
    install: 'curl https://cursor.com/install -fsS | bash',
    needs: {
      state: ['.cursor', '.config/cursor'],
      env: ['CURSOR_API_KEY'],
      hosts: ['api2.cursor.sh'],
      login: ['.config/cursor/auth.json'],
    },
  },
  {
    name: 'droid',
    argv: ['droid', 'exec', '--skip-permissions-unsafe'],
    modelFlag: '-m',
    effortFlag: '-r',
    efforts: ['low', 'medium', 'high'],
    install: 'npm install -g droid',
    needs: {
      state: ['.factory'],
      env: ['FACTORY_API_KEY'],
      hosts: ['api.factory.ai', 'app.factory.ai'],
      login: ['.factory/auth.json', '.factory/settings.json'],
    },
  },
  {
    name: 'cn',
    argv: ['cn', '--auto', '-p'],
    modelFlag: '--model',
    install: 'npm install -g @continuedev/cli',
    needs: {
      state: ['.continue'],
      env: ['CONTINUE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
      hosts: ['api.continue.dev'],
      login: ['.continue/auth.json', '.continue/config.yaml'],
    },
  },
  {
    name: 'goose',
    argv: ['goose', 'run', '--no-session', '-i', '-'],
    env: { GOOSE_MODE: 'auto' },
    modelFlag: '--model',
    install: 'see https://block.github.io/goose/docs/getting-started/installation',
    needs: {
      state: ['.config/goose', '.local/share/goose', '.local/state/goose'],
      env: ['GOOSE_PROVIDER', 'GOOSE_MODEL', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
      hosts: ['api.anthropic.com', 'api.openai.com'],
      login: ['.config/goose/config.yaml'],
    },
  },
  {
    name: 'crush',
    argv: ['crush', 'run', '--quiet'],
    install: 'npm install -g @charmland/crush',
    needs: {
      state: ['.config/crush', '.local/share/crush'],
      env: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'],
      hosts: ['api.anthropic.com', 'api.openai.com', 'openrouter.ai'],
      login: ['.local/share/crush/crush.json'],
    },
  },
];

/** Their output is words for people: no tokens, no cost, and failures only from exit codes and standard error. */
export const presets: readonly Agent[] = PRESETS.map(preset => ({
  name: preset.name,
  abilities: {
    stream: 'text',
    cost: 'unknown',
    model: preset.modelFlag !== undefined,
    efforts: preset.efforts ?? [],
    install: preset.install,
    needs: preset.needs,
  },
  command: ({ model, effort, args, env }) => {
    const level = effortWord(effort, preset.efforts ?? []);
    const { modelFlag, effortFlag } = preset;
    return {
      argv: [
        ...preset.argv,
        ...(modelFlag && model ? [modelFlag, model] : []),
        ...(effortFlag && level ? [effortFlag, level] : []),
        ...args,
      ],
      env: { ...preset.env, ...env },
    };
  },
  read: () => command.read(),
}));

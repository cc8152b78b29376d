/** How agents that speak the Agent Client Protocol differ: the table for the one adapter that drives them all. */
import type { Abilities } from '../protocol.ts';

export interface Quirks {
  readonly name: string;
  /** The program, and the arguments that make it speak the protocol. */
  readonly argv: readonly [string, ...string[]];
  /** Variables it is quieter or more obedient with. */
  readonly env?: Readonly<Record<string, string>>;
  /** Variables that name a file of the build. */
  readonly files?: Readonly<Record<string, string>>;
  /** How a model is handed over on its command line; without it the protocol is used. */
  readonly modelFlag?: string;
  /** Its count of input tokens includes those from the cache. */
  readonly inputWithCache?: true;
  /** Its counts are of the last call alone: a lower bound for the turn. */
  readonly lastCallOnly?: true;
  /** It tries again without a word and without an end; only its log, on standard error, says why. */
  readonly errorsInLog?: true;
  /** It always says what a turn used: a turn without tokens and tools never reached a model, and its words are its own. */
  readonly countsTokens?: true;
  readonly abilities: Pick<Abilities, 'cost' | 'efforts' | 'install' | 'needs'>;
}

export const acpAgents: readonly Quirks[] = [
  {
    name: 'gemini',
    argv: ['gemini', '--acp', '--yolo', '--skip-trust'],
    // Without it the program starts itself again, and signals reach only the first of the two.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    modelFlag: '-m',
    countsTokens: true,
    abilities: {
      cost: 'tokens',
      efforts: [],
      install: 'npm install -g @google/gemini-cli',
      needs: {
        state: ['.gemini'],
        env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_GEMINI_BASE_URL'],
        hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
        login: ['.gemini/oauth_creds.json'],
      },
    },
  },
  {
    name: 'opencode',
    argv: ['opencode', 'acp', '--print-logs', '--log-level', 'ERROR'],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
    lastCallOnly: true,
    errorsInLog: true,
    abilities: {
      cost: 'reported',
      efforts: [],
      install: 'npm install -g opencode-ai',
      needs: {
        state: ['.config/opencode', '.local/share/opencode', '.local/state/opencode', '.cache/opencode'],
        env: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_API_KEY', 'OPENCODE_CONFIG'],
        hosts: ['opencode.ai', 'models.opencode.ai', 'api.anthropic.com', 'api.openai.com'],
        login: ['.local/share/opencode/auth.json', '.config/opencode/opencode.json'],
      },
    },
  },
  {
    name: 'copilot',
    argv: ['copilot', '--acp', '--allow-all', '--no-auto-update', '--no-color'],
    modelFlag: '--model',
    inputWithCache: true,
    countsTokens: true,
    abilities: {
      cost: 'tokens',
      efforts: ['low', 'medium', 'high'],
      install: 'npm install -g @github/copilot',
      needs: {
        state: ['.copilot', '.cache/copilot'],
        env: [
          'GITHUB_TOKEN',
          'GH_TOKEN',
          'COPILOT_GITHUB_TOKEN',
          'COPILOT_PROVIDER_BASE_URL',
          'COPILOT_PROVIDER_API_KEY',
        ],
        hosts: ['api.github.com', 'api.githubcopilot.com'],
        login: ['.copilot/config.json'],
      },
    },
  },
  {
    name: 'qwen',
    argv: ['qwen', '--acp', '--yolo'],
    env: { QWEN_CODE_NO_RELAUNCH: '1' },
    // Without it the program waits for a limit for more than half an hour, without a word. The person's own settings go before it.
    files: { QWEN_CODE_SYSTEM_DEFAULTS_PATH: 'cli/qwen-defaults.json' },
    modelFlag: '-m',
    inputWithCache: true,
    countsTokens: true,
    abilities: {
      cost: 'tokens',
      efforts: [],
      install: 'npm install -g @qwen-code/qwen-code',
      needs: {
        state: ['.qwen'],
        env: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'DASHSCOPE_API_KEY'],
        hosts: ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com', 'api.openai.com'],
        login: ['.qwen/oauth_creds.json'],
      },
    },
  },
];

/** For a program of the user's that speaks the protocol, about which nothing is known. */
export const plainAcp: Omit<Quirks, 'argv'> = {
  name: 'acp',
  abilities: { cost: 'tokens', efforts: [], install: '', needs: { state: [], env: [], hosts: [], login: [] } },
};

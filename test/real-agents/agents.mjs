/**
 * The real programs: which versions, and how each is pointed at a loopback model. `lacks` says why a scenario cannot be played with
 * one: the reason is printed below the table.
 */
import { join } from 'node:path';
import { acpAgents, NO_TURNS } from './acp-agents.mjs';
import { put } from './put.mjs';

const QUIET_CLAUDE = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_MAX_RETRIES: '1',
};

const claude = {
  use: 'claude',
  takesMcp: true,
  program: 'claude',
  key: 'ANTHROPIC_API_KEY',
  env: url => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'sk-ant-dummy', ...QUIET_CLAUDE }),
  turnFlag: ['--max-turns', '1'],
  askingFlag: ['--permission-mode', 'default'],
  limit: seconds => ({
    status: 429,
    headers: () => ({
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(Math.ceil(Date.now() / 1000) + seconds),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    }),
  }),
  limitEnv: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'dummy' },
};

/** The limit of a subscription, as codex and pi meet it. */
const chatgptLimit = seconds => ({
  status: 429,
  body: () => ({
    error: {
      type: 'usage_limit_reached',
      message: 'limit',
      plan_type: 'plus',
      resets_at: Math.ceil(Date.now() / 1000) + seconds,
    },
  }),
});
const CHATGPT_TOKEN = ['{}', '{"https://api.openai.com/auth":{"chatgpt_account_id":"a-1"}}', 'x'].map(btoa).join('.');

const codex = {
  use: 'codex',
  takesMcp: true,
  program: 'codex',
  key: 'SCRIPTED_KEY',
  askingFlag: ['-s', 'read-only'],
  // Its stream tells of a command that failed, and not why.
  refusedUnsaid: true,
  env: () => ({ SCRIPTED_KEY: 'dummy' }),
  prepare: (home, url) =>
    put(join(home, '.codex/config.toml'), [
      'model = "gpt-5.1-codex"',
      'model_provider = "scripted"',
      'check_for_update_on_startup = false',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${url}/v1"`,
      'env_key = "SCRIPTED_KEY"',
      'wire_api = "responses"',
      'request_max_retries = 0',
      'stream_max_retries = 0',
      '[analytics]',
      'enabled = false',
    ]),
  limit: chatgptLimit,
};

export const agents = {
  claude: {
    ...claude,
    packages: ['@anthropic-ai/claude-code@2.1.112'],
    version: '2.1.112',
    pluginFlag: folder => ['--plugin-dir', folder],
    run: folder => [process.execPath, join(folder, 'node_modules/@anthropic-ai/claude-code/cli.js')],
  },
  // What people have today: one program without Node, nine times the size of the download above.
  'claude-native': {
    ...claude,
    packages: ['@anthropic-ai/claude-code-linux-x64@2.1.325'],
    version: '2.1.325',
    pluginFlag: folder => ['--plugin-dir', folder],
    run: folder => [join(folder, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude')],
  },
  'claude-1': {
    ...claude,
    packages: ['@anthropic-ai/claude-code@1.0.128'],
    version: '1.0.128',
    run: folder => [process.execPath, join(folder, 'node_modules/@anthropic-ai/claude-code/cli.js')],
  },
  codex: {
    ...codex,
    packages: ['codex-linux@npm:@openai/codex@0.120.0-linux-x64'],
    version: '0.120.0',
    run: folder => [join(folder, 'node_modules/codex-linux/vendor/x86_64-unknown-linux-musl/codex/codex')],
  },
  // What people have today, more than twice the size.
  'codex-new': {
    ...codex,
    packages: ['codex-linux@npm:@openai/codex@0.169.0-linux-x64'],
    version: '0.169.0',
    run: folder => [join(folder, 'node_modules/codex-linux/vendor/x86_64-unknown-linux-musl/bin/codex')],
  },
  pi: {
    use: 'pi',
    program: 'pi',
    packages: ['@mariozechner/pi-coding-agent@0.73.1'],
    version: '0.73.1',
    model: 'scripted/scripted-model',
    run: folder => [process.execPath, join(folder, 'node_modules/@mariozechner/pi-coding-agent/dist/cli.js')],
    key: 'SCRIPTED_KEY',
    env: () => ({ SCRIPTED_KEY: 'dummy', PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
    limit: chatgptLimit,
    limitSettings: { api: 'openai-codex-responses', key: CHATGPT_TOKEN },
    lacks: { 'permission denied': 'it asks nobody and refuses nothing', 'max turns': NO_TURNS },
    prepare: (home, url, { api = 'openai-completions', key = 'SCRIPTED_KEY', price = 1000 } = {}) =>
      put(join(home, '.pi/agent/models.json'), [
        JSON.stringify({
          providers: {
            scripted: {
              baseUrl: `${url}/v1`,
              api,
              // The name of a variable, or a key itself.
              apiKey: key,
              models: [
                {
                  id: 'scripted-model',
                  name: 'Scripted',
                  reasoning: false,
                  input: ['text'],
                  contextWindow: 128000,
                  maxTokens: 8000,
                  // As dear as the list of `cost cap`: what it says itself is believed first.
                  cost: { input: price, output: price, cacheRead: price, cacheWrite: price },
                },
              ],
            },
          },
        }),
      ]),
  },
  ...acpAgents,
};

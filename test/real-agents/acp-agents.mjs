/** The real programs that speak the Agent Client Protocol. */
import { join } from 'node:path';
import { put } from './put.mjs';

export const NO_TURNS = 'it has no limit of turns';

export const acpAgents = {
  gemini: {
    use: 'gemini',
    takesMcp: true,
    program: 'gemini',
    packages: ['@google/gemini-cli@0.61.0'],
    version: '0.61.0',
    model: 'gemini-2.5-pro',
    run: folder => [process.execPath, join(folder, 'node_modules/@google/gemini-cli/bundle/gemini.js')],
    key: 'GEMINI_API_KEY',
    env: url => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    prepare: (home, _url, { maxTurns, refuses } = {}) => {
      put(join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        ...(maxTurns ? { model: { maxSessionTurns: maxTurns } } : {}),
      });
      const rule = [
        '[[rule]]',
        'toolName = "run_shell_command"',
        'commandPrefix = "echo"',
        'decision = "deny"',
        'priority = 900',
      ];
      if (refuses) put(join(home, '.gemini/policies/refuse.toml'), rule);
    },
    turnSetting: true,
    refusedUnsaid: true,
    limit: () => ({
      status: 429,
      body: () => ({
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          message: 'You exceeded your current quota, please check your plan and billing details.',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
              violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
            },
          ],
        },
      }),
    }),
    limitHasNoEnd: true,
  },
  opencode: {
    use: 'opencode',
    program: 'opencode',
    packages: ['opencode-linux-x64@1.18.33'],
    version: '1.18.33',
    run: folder => [join(folder, 'node_modules/opencode-linux-x64/bin/opencode')],
    key: 'SCRIPTED_KEY',
    env: () => ({
      SCRIPTED_KEY: 'dummy',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    prepare: (home, url, { refuses } = {}) =>
      put(join(home, '.config/opencode/opencode.json'), {
        autoupdate: false,
        share: 'disabled',
        permission: refuses ? { '*': 'allow', bash: { '*': 'allow', 'echo *': 'deny' } } : 'allow',
        model: 'scripted/scripted-model',
        small_model: 'scripted/scripted-model',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Scripted',
            options: { baseURL: `${url}/v1`, apiKey: '{env:SCRIPTED_KEY}' },
            models: {
              'scripted-model': { name: 'Scripted', tool_call: true, limit: { context: 128000, output: 8000 } },
            },
          },
        },
      }),
    slow: true,
    refusedUnsaid: true,
    lacks: { 'max turns': 'its limit of steps asks the model to stop, and stops nothing' },
    limit: seconds => ({
      status: 429,
      headers: { 'retry-after': String(seconds) },
      body: {
        type: 'error',
        error: { type: 'GoUsageLimitError', message: '5 hour usage limit reached' },
        metadata: { workspace: 'w', limitName: '5 hour' },
      },
    }),
    limitHasNoEnd: true,
  },
  copilot: {
    use: 'copilot',
    program: 'copilot',
    packages: ['@github/copilot@1.0.102'],
    version: '1.0.102',
    run: folder => [join(folder, 'node_modules/@github/copilot-linux-x64/copilot')],
    env: url => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: 'scripted-model',
      COPILOT_AUTO_UPDATE: 'false',
    }),
    key: 'COPILOT_PROVIDER_API_KEY',
    askingFlag: ['--deny-tool', 'shell'],
    lacks: { 'max turns': NO_TURNS, 'usage limit': 'its own needs a login at GitHub; of other providers: 429' },
  },
  qwen: {
    use: 'qwen',
    program: 'qwen',
    packages: ['@qwen-code/qwen-code@0.15.10'],
    version: '0.15.10',
    model: 'scripted-model',
    run: folder => [process.execPath, join(folder, 'node_modules/@qwen-code/qwen-code/cli.js')],
    key: 'OPENAI_API_KEY',
    env: url => ({ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted-model' }),
    prepare: (home, _url, { refuses } = {}) =>
      put(join(home, '.qwen/settings.json'), {
        ...(refuses ? { permissions: { deny: ['Bash(echo *)'] } } : {}),
        general: { disableAutoUpdate: true },
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    refusedUnsaid: true,
    // It asks seven times, without a word in between.
    slow: true,
    lacks: {
      'usage limit': 'its own needs a login at Qwen; of other providers: 429',
      'max turns': 'its limit of turns does not count over the protocol',
    },
  },
};

/** The real programs: which versions, how they are installed into the cache, and how each is pointed at a loopback model. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Outside the repository: several hundred megabytes that are the same for every checkout. */
export const cache = process.env.RALPH_AGENTS_CACHE ?? join(homedir(), '.cache', 'ralph-agents');

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

export const agents = {
  claude: {
    ...claude,
    packages: ['@anthropic-ai/claude-code@2.1.112'],
    version: '2.1.112',
    pluginFlag: folder => ['--plugin-dir', folder],
    run: folder => [process.execPath, join(folder, 'node_modules/@anthropic-ai/claude-code/cli.js')],
  },
  'claude-1': {
    ...claude,
    packages: ['@anthropic-ai/claude-code@1.0.128'],
    version: '1.0.128',
    run: folder => [process.execPath, join(folder, 'node_modules/@anthropic-ai/claude-code/cli.js')],
  },
  codex: {
    use: 'codex',
    takesMcp: true,
    program: 'codex',
    packages: ['codex-linux@npm:@openai/codex@0.120.0-linux-x64'],
    version: '0.120.0',
    run: folder => [join(folder, 'node_modules/codex-linux/vendor/x86_64-unknown-linux-musl/codex/codex')],
    key: 'SCRIPTED_KEY',
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
    limit: seconds => ({
      status: 429,
      body: () => ({
        error: {
          type: 'usage_limit_reached',
          message: 'limit',
          plan_type: 'plus',
          resets_at: Math.ceil(Date.now() / 1000) + seconds,
        },
      }),
    }),
  },
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
    prepare: home =>
      put(join(home, '.gemini/settings.json'), [
        JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
        }),
      ]),
  },
  pi: {
    use: 'pi',
    program: 'pi',
    packages: ['@mariozechner/pi-coding-agent@0.73.1'],
    version: '0.73.1',
    model: 'scripted/scripted-model',
    run: folder => [process.execPath, join(folder, 'node_modules/@mariozechner/pi-coding-agent/dist/cli.js')],
    env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
    prepare: (home, url) =>
      put(join(home, '.pi/agent/models.json'), [
        JSON.stringify({
          providers: {
            scripted: {
              baseUrl: `${url}/v1`,
              api: 'openai-completions',
              apiKey: 'dummy',
              models: [
                {
                  id: 'scripted-model',
                  name: 'Scripted',
                  reasoning: false,
                  input: ['text'],
                  contextWindow: 128000,
                  maxTokens: 8000,
                  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 },
                },
              ],
            },
          },
        }),
      ]),
  },
};

function put(file, lines) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

/** Its folder in the cache, or why it could not be installed. */
export function install(name, timeout) {
  const { packages, version, run } = agents[name];
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(run(folder).at(-1))) return { folder };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  const npm = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout });
  if (npm.status === 0 && existsSync(run(folder).at(-1))) return { folder };
  return { error: (npm.stderr || String(npm.error ?? 'npm was ended')).trim().split('\n').at(-1) };
}

/** A folder with one program in it, for PATH: the agent by its own name. */
export function link(name, folder, bin) {
  const { run, program } = agents[name];
  mkdirSync(bin, { recursive: true });
  const words = run(folder).map(word => `'${word}'`);
  writeFileSync(join(bin, program), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
  chmodSync(join(bin, program), 0o755);
}

/**
 * The environment of a check is built from scratch from what tools need to find themselves. Checks run code that an agent
 * wrote: it gets none of the user's tokens, and nothing in a shell changes how a test runner behaves.
 */

/** Exact names, and prefixes that end in `*`. */
const PASSED = [
  // The person and the place.
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'HOSTNAME', 'LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TERM', 'COLUMNS'],
  ...[
    'TMPDIR',
    'TEMP',
    'TMP',
    'XDG_*',
    'NO_COLOR',
    'FORCE_COLOR',
    'CI',
    'DISPLAY',
    'WAYLAND_DISPLAY',
    'LD_LIBRARY_PATH',
  ],
  // Windows cannot start a program without these.
  ...['SYSTEMROOT', 'SystemRoot', 'ComSpec', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'ProgramFiles*'],
  // Where tool chains keep themselves and their caches.
  ...[
    'NVM_*',
    'FNM_*',
    'VOLTA_HOME',
    'PNPM_HOME',
    'BUN_INSTALL',
    'DENO_DIR',
    'COREPACK_*',
    'npm_config_*',
    'NPM_CONFIG_*',
  ],
  ...['PYENV_*', 'VIRTUAL_ENV', 'CONDA_*', 'UV_*', 'PIP_*', 'POETRY_*', 'RBENV_*', 'GEM_HOME', 'GEM_PATH', 'BUNDLE_*'],
  ...['GOPATH', 'GOROOT', 'GOBIN', 'GOCACHE', 'GOMODCACHE', 'GOPROXY', 'GOTOOLCHAIN', 'CARGO_HOME', 'RUSTUP_*'],
  ...['JAVA_HOME', 'JDK_HOME', 'M2_HOME', 'MAVEN_HOME', 'GRADLE_HOME', 'GRADLE_USER_HOME', 'SDKMAN_*', 'ANDROID_*'],
  ...['DOTNET_*', 'NUGET_*', 'ASDF_*', 'MISE_*', 'NIX_*', 'HOMEBREW_*', 'PKG_CONFIG_PATH', 'DEVELOPER_DIR', 'SDKROOT'],
  ...['PLAYWRIGHT_BROWSERS_PATH', 'PUPPETEER_*', 'CHROME_BIN', 'CHROME_PATH', 'DOCKER_HOST', 'CYPRESS_CACHE_FOLDER'],
  // The ports of a run in a worktree.
  ...['RALPH_PORT', 'RALPH_PORTS'],
  // The way out.
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
];

/** Registry tokens travel in the same families as harmless settings. */
const SECRET = /token|secret|passw|_auth|credential|api_?key/i;

/** `also` are the names a person added in `gate-env`; they pass whatever they hold. */
export function gateEnv(env: NodeJS.ProcessEnv, also: readonly string[] = []): NodeJS.ProcessEnv {
  const usual = matcher(PASSED);
  const wanted = matcher(also);
  const kept = Object.entries(env).filter(([name]) => wanted(name) || (usual(name) && !SECRET.test(name)));
  return Object.fromEntries(kept);
}

function matcher(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter(name => !name.endsWith('*')));
  const prefixes = names.filter(name => name.endsWith('*')).map(name => name.slice(0, -1));
  return name => exact.has(name) || prefixes.some(prefix => name.startsWith(prefix));
}

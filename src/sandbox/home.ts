/** What of a person's HOME is let in: tool chains to be read, the agent's own state to be written, and nothing else. */
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { realPath } from '../util/paths.ts';
import { isLink, isWithin, kindOf, linksIn, placeOf, there } from './paths.ts';

/** Programs and the libraries that belong to them. */
const TOOLS = [
  ...['.nvm', '.fnm', '.volta', '.local/share/fnm', '.local/share/mise', '.local/share/pnpm', '.bun/bin', '.deno/bin'],
  ...['.npm-global', '.npm-packages', '.asdf', '.pyenv', '.rbenv', '.rustup', '.cargo/bin', '.sdkman', '.jenv'],
  ...['.local/bin', '.local/lib', '.local/share/uv', '.local/pipx', '.local/share/pipx', '.local/state/nix'],
  ...['.nix-profile', '.linuxbrew', '.dotnet', '.ghcup/bin', '.opam', '.juliaup', '.swiftly', 'go/bin', 'miniconda3'],
];

/** Packages that are not kept in the tree. Gates cannot load them again: they have no network. */
const PACKAGES = [
  ...['.cargo/registry', '.cargo/git', 'go/pkg/mod', '.m2/repository', '.nuget/packages', '.pub-cache', '.gem/ruby'],
  ...['.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress', '.local/share/gem', '.ivy2', '.cache/coursier'],
];

/** Where package managers are told of private registries. Some hold tokens: only what installs packages reads them. */
const REGISTRIES = [
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', '.config/pip', '.pip', '.config/uv', '.config/pypoetry'],
  ...['.cargo/config.toml', '.cargo/credentials.toml', '.m2/settings.xml', '.gradle/gradle.properties'],
  ...['.bundle/config', '.composer/auth.json', '.nuget/NuGet', '.netrc'],
];

/** Who commits, and how; not where passwords are. */
const GIT = ['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes'];

/** Never shown, however much of HOME is: unless a person lets in the very path. */
const SECRETS = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.config/gcloud', '.kube', '.docker', '.config/gh', '.config/hub', '.netrc'],
  ...['.npmrc', '.pypirc', '.git-credentials', '.config/git/credentials', '.password-store', '.local/share/keyrings'],
  ...['.mozilla', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.thunderbird', '.vault-token'],
  ...['.terraform.d', '.cargo/credentials', '.cargo/credentials.toml', '.config/op', '.config/sops', '.bash_history'],
  ...['.zsh_history', '.config/rclone', '.boto', '.pgpass', '.my.cnf', '.config/heroku', '.config/fly', '.fly'],
];

/** What of an agent's own state it may not change: it would speak to the sessions of its person. */
const KEPT = [
  ...['settings.json', 'settings.local.json', 'hooks', 'CLAUDE.md', 'commands', 'agents', 'skills', 'plugins'].map(
    name => `.claude/${name}`,
  ),
  // Not its config.toml: codex writes down there that it trusts the folder, and does not start where it cannot.
  ...['AGENTS.md', 'prompts', 'rules', 'hooks.json', 'skills'].map(name => `.codex/${name}`),
];

/** The state of agents that are started as a plain command, by the name of the program. */
const STATE: Readonly<Record<string, readonly string[]>> = {
  claude: ['.claude', '.claude.json'],
  codex: ['.codex'],
  gemini: ['.gemini'],
  qwen: ['.qwen'],
  opencode: ['.config/opencode', '.local/share/opencode', '.local/state/opencode', '.cache/opencode'],
  pi: ['.pi'],
  copilot: ['.copilot', '.config/github-copilot'],
  amp: ['.config/amp', '.local/share/amp', '.cache/amp'],
  'cursor-agent': ['.cursor', '.config/cursor', '.local/share/cursor-agent'],
  droid: ['.factory'],
  goose: ['.config/goose', '.local/share/goose'],
  aider: ['.aider', '.aider.conf.yml'],
};

/** Variables that say where an agent keeps its state, in place of HOME. */
const STATE_VARIABLES = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME'];

/** Variables that name the folder of a tool chain. */
const TOOL_VARIABLES = [
  ...['JAVA_HOME', 'JDK_HOME', 'GOROOT', 'NVM_DIR', 'FNM_DIR', 'FNM_MULTISHELL_PATH', 'VOLTA_HOME', 'PYENV_ROOT'],
  ...['RBENV_ROOT', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'RUSTUP_HOME', 'SDKMAN_DIR', 'ANDROID_HOME'],
  ...['VIRTUAL_ENV', 'CONDA_PREFIX', 'PNPM_HOME', 'DOTNET_ROOT', 'PLAYWRIGHT_BROWSERS_PATH', 'GOMODCACHE'],
];

type Env = Readonly<Record<string, string | undefined>>;

const below = (home: string, names: readonly string[]): readonly string[] => names.map(name => join(home, name));

/** Tool chains, wherever PATH and the usual variables say they are. */
export function toolPaths(home: string, env: Env): readonly string[] {
  const named = TOOL_VARIABLES.map(name => env[name] ?? '').filter(path => isAbsolute(path) && path !== home);
  return there([...below(home, [...TOOLS, ...GIT]), ...named, ...pathFolders(home, env)]).map(placeOf);
}

export const packagePaths = (home: string): readonly string[] => there(below(home, PACKAGES)).map(placeOf);
export const registryPaths = (home: string): readonly string[] => there(below(home, REGISTRIES)).map(placeOf);
export const secretPaths = (home: string): readonly string[] => there(below(home, SECRETS)).map(placeOf);
export const keptPaths = (home: string): readonly string[] => there(below(home, KEPT)).map(placeOf);

/** `needs` is what the agent says of itself, relative to HOME. */
export function statePaths(
  home: string,
  env: Env,
  agent: { readonly program: string; readonly needs?: readonly string[] },
) {
  const names = agent.needs ?? STATE[basename(agent.program)] ?? [];
  const named = STATE_VARIABLES.map(name => env[name] ?? '').filter(path => isAbsolute(path) && path !== home);
  return there([...below(home, names), ...named]).map(placeOf);
}

/** A folder of programs often needs the one beside it (`lib`); the folders that hold more than programs do not count. */
function pathFolders(home: string, env: Env): readonly string[] {
  const broad = new Set([home, join(home, '.local'), join(home, 'go'), join(home, '.cargo'), dirname(home), '/']);
  return (env.PATH ?? '')
    .split(delimiter)
    .filter(folder => isAbsolute(folder) && realPath(folder) !== realPath(home))
    .map(folder => {
      const around = dirname(folder);
      const whole = basename(folder) === 'bin' && !broad.has(around) && kindOf(join(around, 'lib')) === 'folder';
      return whole ? around : folder;
    });
}

/** The program and the script it runs, with the package that they are part of; and every other file that is named. */
export function commandPaths(home: string, argv: readonly string[], found: string): readonly string[] {
  const files = [found, ...argv].filter(word => isAbsolute(word) && kindOf(word) === 'file');
  return files.flatMap(file => {
    const isProgram = file === found || file === argv[0] || /\.(?:[cm]?js|py|rb|sh)$/.test(file);
    const whole = isProgram ? packageOf(home, realPath(file)) : undefined;
    return [placeOf(file), realPath(file), ...(whole === undefined ? [] : [whole])];
  });
}

const LEVELS = 5;

function packageOf(home: string, file: string): string | undefined {
  let folder = dirname(file);
  for (let level = 0; level < LEVELS && folder !== '/' && folder !== home; level++) {
    if (kindOf(join(folder, 'package.json')) === 'file') return folder;
    folder = dirname(folder);
  }
  return undefined;
}

/** Packages that are linked in from elsewhere (`npm link`, a workspace), as far as the first level shows. */
export function linkedPackages(tree: string, folders: readonly string[]): readonly string[] {
  const tops = folders.map(name => join(tree, name)).filter(folder => kindOf(folder) === 'folder');
  const scoped = tops.flatMap(folder =>
    namesIn(folder)
      .filter(name => name.startsWith('@'))
      .map(name => join(folder, name)),
  );
  const links = [...tops.filter(isLink), ...[...tops, ...scoped].flatMap(linksIn)];
  const real = realPath(tree);
  return [...new Set(links.map(realPath))].filter(path => !isWithin(path, real) && kindOf(path) !== undefined);
}

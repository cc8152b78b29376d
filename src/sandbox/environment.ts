/** The environment of an agent inside: its own credentials stay, those for everything else and the ways to the person's desktop go. */
import { SECRET_NAME } from '../util/secret-values.ts';
import { isWithin } from './paths.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Model providers and agents: what they are given is for the agent. */
const PROVIDERS =
  /^(?:ANTHROPIC|CLAUDE|OPENAI|CODEX|AZURE_OPENAI|GEMINI|GOOGLE_(?:API|GENAI|GENERATIVE)|QWEN|DASHSCOPE|OPENROUTER|OPENCODE|MISTRAL|GROQ|XAI|DEEPSEEK|CEREBRAS|TOGETHER|FIREWORKS|MOONSHOT|KIMI|ZAI|ZHIPU|OLLAMA|LITELLM|COPILOT|CURSOR|AMP|FACTORY|GOOSE|AIDER|PI|RALPH)_/;

/** Sockets and sessions of the person: terminals, desktops, agents for keys, editors. */
const SESSION =
  /^(?:SSH_.*|GPG_.*|DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR|XDG_SESSION_.*|XAUTHORITY|DISPLAY|WAYLAND_DISPLAY|TMUX.*|STY|VSCODE_IPC_.*|VSCODE_GIT_.*|KITTY_.*|WEZTERM_UNIX_SOCKET|NVIM|NVIM_LISTEN_ADDRESS|DOCKER_HOST|KUBECONFIG|CLAUDE_CODE_MESSAGING_.*)$/;

const TEMP = ['TMPDIR', 'TEMP', 'TMP'];

export interface Wanted {
  /** Given to the agent by its config, its adapter or the runner. */
  readonly given: Readonly<Record<string, string>>;
  /** Names that a person lets in, and prefixes that end in `*`. */
  readonly allow: readonly string[];
}

export function agentEnv(env: Env, { given, allow }: Wanted): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const isSecret = SECRET_NAME.test(name) && !PROVIDERS.test(name);
    if (matches(allow, name) || !(isSecret || SESSION.test(name))) kept[name] = value;
  }
  return withOwnTemp({ ...kept, ...given });
}

/** A folder for temporary files that is not there inside is worse than none. */
export function withOwnTemp(env: Env): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || (TEMP.includes(name) && !isWithin(value, '/tmp')) ? [] : [[name, value] as const],
  );
  // A folder below /tmp is the person's, too: inside, /tmp is empty.
  return Object.fromEntries(entries.map(([name, value]) => [name, TEMP.includes(name) ? '/tmp' : value]));
}

const matches = (names: readonly string[], name: string): boolean =>
  names.some(each => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name));

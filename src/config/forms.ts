/** What each key of the config must be, in words, and an example that can be pasted. Every key of `schema.ts` is here. */

import { messageKinds } from '../protocol.ts';

export interface Form {
  /** Follows "<key> must be". */
  readonly must: string;
  readonly example: string;
}

const DURATION = 'a duration such as 90s, 45m or 4h';
const COUNT = 'a whole number above 0';
const DOLLARS = 'a number of dollars above 0';
const GLOBS = 'a list of globs';

const VARIABLE = 'a text with a variable in it, such as ${NAME}';
const TELEGRAM = 'notify: [{telegram: "123456789", token: "${TELEGRAM_TOKEN}"}]';
const EMAIL =
  'notify: [{email: me@example.com, from: ralph@example.com, smtp: "smtps://mail.example.com", user: ralph, password: "${SMTP_PASSWORD}"}]';
const COMMAND = 'notify: [{command: [~/bin/tell-me, --loud], env: [TELL_ME_TOKEN]}]';

const form = (must: string, example: string): Form => ({ must, example });

/** By path; `*` stands for any entry of a list and any rule. */
export const forms: Readonly<Record<string, Form>> = {
  plan: form('a path', 'plan: prd.json'),
  agent: form('a name, a path, a mapping or a list of these', 'agent: [claude, codex]'),
  'agent.*': form('a name, a path or a mapping', 'agent: [claude, codex]'),
  'agent.use': form('the name of an agent', 'agent: {use: claude, model: sonnet}'),
  'agent.command': form('a list: the program, then its arguments', 'agent: {command: [./my-agent, --flag]}'),
  'agent.acp': form('a list: the program, then its arguments', 'agent: {acp: [my-agent, --acp]}'),
  'agent.account': form('a name', 'agent: {use: claude, account: work}'),
  'agent.model': form('the name of a model', 'agent: {use: claude, model: sonnet}'),
  'agent.effort': form('a word that the agent knows', 'agent: {use: codex, effort: high}'),
  'agent.args': form('a list of arguments', 'agent: {use: claude, args: [--verbose]}'),
  'agent.env': form('a mapping of names to texts', 'agent: {use: claude, env: {LANG: C}}'),
  'agent.scenario': form('a path', 'agent: {use: script, scenario: scenario.yaml}'),
  agents: form('a mapping of build, retry, review and plan to agents', 'agents: {retry: codex, review: codex}'),
  'agents.build': form('a name, a path, a mapping or a list of these', 'agents: {build: [claude, codex]}'),
  'agents.build.*': form('a name, a path or a mapping', 'agents: {build: [claude, codex]}'),
  'agents.retry': form('a name, a path or a mapping', 'agents: {retry: {use: claude, model: opus}}'),
  'agents.review': form('a name, a path, a mapping or a list of these', 'agents: {review: [codex, claude]}'),
  'agents.review.*': form('a name, a path or a mapping', 'agents: {review: [codex, claude]}'),
  'agents.plan': form('a name, a path or a mapping', 'agents: {plan: {use: claude, model: opus}}'),
  prices: form(
    'a mapping of models to dollars for a million tokens',
    'prices: {"gpt-5*": {input: 1.25, output: 10, cached: 0.125}}',
  ),
  'prices.*': form('input, output and cached in dollars', 'prices: {my-model: {input: 1, output: 5, cached: 0.1}}'),
  model: form('the name of a model', 'model: sonnet'),
  effort: form('a word that the agent knows', 'effort: high'),
  ...commandList('setup', { short: 'npm ci', long: 'name: install, run: npm ci, timeout: 10m' }),
  ...commandList('gates', { short: 'npm test', long: 'name: test, run: npm test, timeout: 10m' }),
  ...commandList('final', { short: 'npm run e2e', long: 'run: npm run e2e, timeout: 20m' }),
  'gate-env': form('a list of names of variables', 'gate-env: [DATABASE_URL]'),
  baseline: form('green or any', 'baseline: any'),
  until: form('a command', 'until: npm run e2e'),
  limits: form('a mapping', 'limits: {iterations: 50, time: 4h}'),
  'limits.iterations': form(COUNT, 'limits: {iterations: 50}'),
  'limits.time': form(DURATION, 'limits: {time: 4h}'),
  'limits.iteration': form(DURATION, 'limits: {iteration: 45m}'),
  'limits.idle': form(DURATION, 'limits: {idle: 10m}'),
  'limits.attempts': form(COUNT, 'limits: {attempts: 3}'),
  'limits.stuck': form(COUNT, 'limits: {stuck: 3}'),
  'limits.fruitless': form(COUNT, 'limits: {fruitless: 6}'),
  'limits.wait': form(DURATION, 'limits: {wait: 30s}'),
  'limits.cost': form(DOLLARS, 'limits: {cost: 25}'),
  'limits.soft-cost': form(DOLLARS, 'limits: {soft-cost: 20, cost: 25}'),
  'limits.files': form(COUNT, 'limits: {files: 60}'),
  'limits.lines': form(COUNT, 'limits: {lines: 5000}'),
  'limits.warn-files': form(COUNT, 'limits: {warn-files: 10}'),
  'limits.warn-lines': form(COUNT, 'limits: {warn-lines: 500}'),
  'max-iterations': form(COUNT, 'max-iterations: 50'),
  timeout: form(DURATION, 'timeout: 4h'),
  'iteration-timeout': form(DURATION, 'iteration-timeout: 45m'),
  'idle-timeout': form(DURATION, 'idle-timeout: 10m'),
  'max-attempts': form(COUNT, 'max-attempts: 3'),
  'max-fruitless': form(COUNT, 'max-fruitless: 6'),
  deadline: form('a time of day or a date with a time', 'deadline: "07:00"'),
  'max-cost': form(DOLLARS, 'max-cost: 25'),
  guards: form('a mapping', 'guards: {allow: [src/**, tests/**]}'),
  'guards.allow': form(GLOBS, 'guards: {allow: [src/**, tests/**]}'),
  'guards.forbid': form(GLOBS, 'guards: {forbid: [data/**]}'),
  'guards.write-once': form(GLOBS, 'guards: {write-once: [docs/_archive/**]}'),
  'guards.manifests': form('when-named or free', 'guards: {manifests: free}'),
  'guards.tests': form('protect or free', 'guards: {tests: protect}'),
  'guards.rules': form('a mapping of rules to off, note, warn or block', 'guards: {rules: {test-skip: block}}'),
  'guards.rules.*': form('off, note, warn or block', 'guards: {rules: {test-skip: block}}'),
  'on-validation': form('block or skip', 'on-validation: skip'),
  review: form('all, off or a mapping', 'review: {items: "SPEC-*", agent: codex}'),
  'review.items': form('a glob, or a list of globs, of item ids', 'review: {items: "SPEC-*"}'),
  'review.agent': form('a name, a path, a mapping or a list of these', 'review: {agent: [codex, claude]}'),
  'review.agent.*': form('a name, a path or a mapping', 'review: {agent: [codex, claude]}'),
  'review.model': form('the name of a model', 'review: {model: sonnet}'),
  'review.effort': form('a word that the agent knows', 'review: {effort: high}'),
  'review.rounds': form(COUNT, 'review: {rounds: 2}'),
  'review.timeout': form(DURATION, 'review: {timeout: 20m}'),
  'proof-timeout': form(DURATION, 'proof-timeout: 10m'),
  tdd: form('off, warn or enforce', 'tdd: warn'),
  context: form('a list of paths', 'context: [docs/architecture.md]'),
  mcp: form('true or false', 'mcp: true'),
  claims: form('settle or required', 'claims: required'),
  after: form('the name of a plan or a run', 'after: payments'),
  commit: form('a template', 'commit: "{type}: {title} ({id})"'),
  branch: form('the name of a branch', 'branch: ralph/{name}'),
  workspace: form('here or worktree', 'workspace: worktree'),
  worktree: form('true or false', 'worktree: true'),
  parallel: form(COUNT, 'parallel: 3'),
  sandbox: form('auto, bwrap, docker, seatbelt, none or a mapping', 'sandbox: auto'),
  'sandbox.tier': form('auto, bwrap, docker, seatbelt or none', 'sandbox: {tier: bwrap}'),
  'sandbox.network': form(
    'agent, all or none (who may use the network), or a list of hosts',
    'sandbox: {network: [registry.example.org]}',
  ),
  'sandbox.network.*': form('a host', 'sandbox: {network: ["*.example.org", "localhost:8080"]}'),
  'sandbox.image': form('the name of an image', 'sandbox: {tier: docker, image: "my-agents:latest"}'),
  'sandbox.allow': form('a mapping of read, write and env', 'sandbox: {allow: {read: [~/.npmrc]}}'),
  'sandbox.allow.read': form('a list of paths that begin with / or ~/', 'sandbox: {allow: {read: [~/.npmrc]}}'),
  'sandbox.allow.write': form(
    'a list of paths that begin with / or ~/',
    'sandbox: {allow: {write: [~/.cargo/registry]}}',
  ),
  'sandbox.allow.env': form('a list of names of variables', 'sandbox: {allow: {env: [GITHUB_TOKEN]}}'),
  carry: form('a list of files of the checkout', 'carry: [.env, .env.local]'),
  share: form('auto, off or a list of folders', 'share: [node_modules]'),
  push: form('off, each, end or a mapping', 'push: end'),
  'push.when': form('off, each or end', 'push: {when: each}'),
  'push.on-failure': form('go-on or stop', 'push: {when: each, on-failure: stop}'),
  archive: form('a folder, off or a mapping', 'archive: archives/'),
  'archive.folder': form('a folder', 'archive: {folder: archives}'),
  'archive.commit': form('true or false', 'archive: {commit: true}'),
  otel: form('a mapping of endpoint and headers', 'otel: {endpoint: "http://localhost:4318"}'),
  'otel.endpoint': form('an http or https address', 'otel: {endpoint: "http://localhost:4318"}'),
  'otel.headers': form(
    'a mapping of names to texts',
    'otel: {endpoint: "https://otel.example.com", headers: {authorization: "Bearer ${OTEL_TOKEN}"}}',
  ),
  notify: form('a list of targets', 'notify: [{webhook: "https://example.com/hook"}]'),
  'notify.*': form('a mapping with one target in it', 'notify: [{webhook: "https://example.com/hook"}]'),
  'notify.*.name': form(
    'a name of letters, digits, dots and dashes',
    'notify: [{name: phone, ntfy: "https://ntfy.sh/my-topic"}]',
  ),
  'notify.*.on': form(
    `a list of ${messageKinds.join(', ')}`,
    'notify: [{desktop: true, on: [done, needs-person, failed]}]',
  ),
  'notify.*.items': form('a glob, or a list of globs, of item ids', 'notify: [{desktop: true, items: "SPEC-*"}]'),
  'notify.*.webhook': form('an address', 'notify: [{webhook: "https://example.com/hook"}]'),
  'notify.*.secret': form(VARIABLE, 'notify: [{webhook: "https://example.com/hook", secret: "${HOOK_SECRET}"}]'),
  'notify.*.slack': form(VARIABLE, 'notify: [{slack: "${SLACK_WEBHOOK_URL}"}]'),
  'notify.*.discord': form(VARIABLE, 'notify: [{discord: "${DISCORD_WEBHOOK_URL}"}]'),
  'notify.*.ntfy': form(
    'the address of a topic',
    'notify: [{ntfy: "https://ntfy.sh/my-topic", token: "${NTFY_TOKEN}"}]',
  ),
  'notify.*.telegram': form('the id of a chat, in quotes', TELEGRAM),
  'notify.*.token': form(VARIABLE, TELEGRAM),
  'notify.*.api': form('the address of a Telegram Bot API server', TELEGRAM),
  'notify.*.email': form('an address, or several with commas between', EMAIL),
  'notify.*.smtp': form('smtps://host, or smtp://host for STARTTLS', EMAIL),
  'notify.*.from': form('the address of the sender', EMAIL),
  'notify.*.user': form('the name to log in with', EMAIL),
  'notify.*.password': form(VARIABLE, EMAIL),
  'notify.*.desktop': form('true', 'notify: [{desktop: true}]'),
  'notify.*.command': form('a list: the program, then its arguments', COMMAND),
  'notify.*.env': form('a list of names of variables', COMMAND),
};

/** For a config that is no mapping at all. */
const WHOLE = form('a mapping of keys', 'gates: [npm test]');

function commandList(
  key: string,
  { short, long }: { readonly short: string; readonly long: string },
): Readonly<Record<string, Form>> {
  const whole = `${key}: [{${long}}]`;
  return {
    [key]: form('a list of commands', `${key}: [${short}]`),
    [`${key}.*`]: form('a command or a mapping', whole),
    [`${key}.*.name`]: form('a name', whole),
    [`${key}.*.run`]: form('a command', whole),
    [`${key}.*.timeout`]: form(DURATION, whole),
    [`${key}.*.paths`]: form(GLOBS, `${key}: [{run: ${short}, paths: [src/**]}]`),
  };
}

/** The form of what stands at a path, or of the nearest thing around it that has one. */
export function formAt(path: readonly PropertyKey[]): { readonly name: string; readonly form: Form } {
  for (let length = path.length; length > 0; length--) {
    const keys = path.slice(0, length).map(String);
    const any = keys.map((key, index) =>
      /^\d+$/.test(key) || ['rules', 'prices'].includes(keys[index - 1] ?? '') ? '*' : key,
    );
    const found = forms[any.join('.')];
    if (found) return { name: keys.join('.'), form: found };
  }
  return { name: 'the config', form: WHOLE };
}

/** What to look for when the text is no YAML, by the parser's word for it. */
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_INDENT: 'Something that was opened before ([, { or a quote) is not closed, or lines are not indented alike.',
  MISSING_CHAR:
    'Something that was opened before ([, { or a quote) is not closed, or a space after a colon is missing.',
  BLOCK_AS_IMPLICIT_KEY: 'A text with a colon in it needs quotes: gates: ["echo a: b"]',
  TAB_AS_INDENT: 'Indent with spaces, not with tabs.',
  DUPLICATE_KEY: 'The key is there twice; keep one.',
};

export const syntaxHint = (code: string): string =>
  SYNTAX[code] ?? 'Every key is described with an example in docs/configuration.md.';

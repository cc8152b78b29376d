/** What a pipeline, a hook or a script runs through targets of other files: make, npm, composer, just, rake, tox, nox, gradle. */

import { type Look, LookFile } from '../look.ts';
import { type GateKind, gateKinds } from './gate-commands.ts';
import { swallowedCommands } from './hidden-failure.ts';
import { type Script, scriptsOf } from './scripts.ts';

type Targets = ReadonlyMap<string, Script>;

interface Tool {
  readonly call: RegExp;
  readonly file: RegExp;
  /** What it runs where it is given no name. */
  readonly bare?: readonly string[];
  /** Names that are run before and after the one that is called. */
  readonly around?: true;
  readonly targets: (file: LookFile) => Targets;
}

const scripts = (file: LookFile): Targets => scriptsOf(file, 'after');

const TOOLS: readonly Tool[] = [
  {
    call: /^(?:make|gmake|\$[({]MAKE[)}])$/,
    file: /^(?:GNUmakefile|[Mm]akefile)$/,
    bare: ['all', 'default'],
    targets: scripts,
  },
  { call: /^just$/, file: /^\.?justfile$/i, bare: ['default'], targets: scripts },
  { call: /^(?:npm|pnpm|yarn|bun)$/, file: /^package\.json$/, around: true, targets: scripts },
  { call: /^composer$/, file: /^composer\.json$/, targets: scripts },
  { call: /^rake$/, file: /^Rakefile$/, bare: ['default'], targets: rakeTasks },
  { call: /^tox$/, file: /^tox\.ini$/, bare: ['all of tox'], targets: toxEnvironments },
  { call: /^nox$/, file: /^noxfile\.py$/, bare: ['all of nox'], targets: noxSessions },
  { call: /^(?:\.\/)?gradlew?$/, file: /^build\.gradle(?:\.kts)?$/, targets: gradleTasks },
];

/** Files that may hold targets; they stand at the root, where pipelines run. */
export const TARGET_FILES: readonly string[] = [
  'Makefile',
  'package.json',
  'justfile',
  'composer.json',
  'Rakefile',
  'tox.ini',
  'noxfile.py',
  'build.gradle',
  'build.gradle.kts',
];

/** Every kind of gate that these commands run through targets whose failure counts. */
export function reachedBy(look: Pick<Look, 'files' | 'input'>, commands: readonly string[]): ReadonlySet<GateKind> {
  const kinds = new Set<GateKind>();
  const seen = new Set<string>();
  const known = new Map<Tool, Targets>();
  const targetsOf = (tool: Tool): Targets => {
    const targets = known.get(tool) ?? readTargets(look, tool);
    known.set(tool, targets);
    return targets;
  };
  const visit = (command: string, isTarget: boolean, own: Tool | undefined): void => {
    for (const line of command.split('\n')) {
      if (swallowedCommands(line).length > 0) continue;
      for (const part of line.split(/&&|;/)) {
        const calls = callsIn(part, own, targetsOf);
        for (const { tool, name } of calls) {
          const key = `${tool.file.source} ${name}`;
          const script = targetsOf(tool).get(name);
          if (seen.has(key) || script === undefined) continue;
          seen.add(key);
          visit(script.heard ?? script.command, true, tool);
        }
        if (isTarget && calls.length === 0) for (const kind of gateKinds(part)) kinds.add(kind);
      }
    }
  };
  for (const command of commands) visit(command, false, undefined);
  return kinds;
}

interface Call {
  readonly tool: Tool;
  readonly name: string;
}

const LEAD =
  /^\s*(?:-\s+)?(?:(?:run|script|command|entry|sh)\s*:?\s+)?["'(@]*(?:bundle exec |uv run |poetry run |npx )?/;

function callsIn(part: string, own: Tool | undefined, targetsOf: (tool: Tool) => Targets): readonly Call[] {
  const words = part
    .replace(LEAD, '')
    .trim()
    .split(/[\s"',)]+/);
  // `@lint` is another script of the same file.
  if (own && part.trim().startsWith('@')) return [{ tool: own, name: part.trim().slice(1) }];
  const tool = TOOLS.find(({ call }) => call.test(words[0] ?? ''));
  if (!tool) return [];
  const targets = targetsOf(tool);
  const named = words.slice(1).flatMap(word => (targets.has(word) ? [word] : []));
  const isBare = words.slice(1).every(word => word === '' || /^-/.test(word));
  const names = named.length === 0 && isBare ? (tool.bare ?? []) : named;
  return names
    .flatMap(name => (tool.around ? [`pre${name}`, name, `post${name}`] : [name]))
    .filter(name => targets.has(name))
    .map(name => ({ tool, name }));
}

function readTargets({ files, input }: Pick<Look, 'files' | 'input'>, tool: Tool): Targets {
  const changed = files.find(({ path }) => tool.file.test(path));
  if (changed) return tool.targets(changed);
  for (const [path, text] of input.unchanged ?? []) {
    if (!tool.file.test(path)) continue;
    const change = { path, kind: 'modified', added: 0, deleted: 0, binary: false, mode: '100644' } as const;
    return tool.targets(new LookFile(change, { before: text, after: text }));
  }
  return new Map();
}

const scriptOf = (command: string): Script => ({ command, line: 1 });

const TASK = /^[^\S\n]*(?:multi)?task\s*\(?\s*(?:\[?:|["'])?(\w+)["']?\]?\s*(?::|=>)\s*([^\n]*)/gm;
const RAKE_KINDS: Readonly<Record<string, string>> = {
  test: 'rails test',
  spec: 'rspec',
  rubocop: 'rubocop',
  standard: 'standardrb',
  cucumber: 'rspec',
};

/** `task default: %i[spec rubocop]`, and tasks that libraries bring under names of their own. */
function rakeTasks({ after }: LookFile): Targets {
  const tasks = new Map<string, Script>();
  for (const [name, command] of Object.entries(RAKE_KINDS)) tasks.set(name, scriptOf(command));
  for (const [, name = '', needed = ''] of after.code.matchAll(TASK)) {
    const others = (needed.replace(/%[iw]/g, ' ').match(/\w+/g) ?? []).filter(other => other !== 'do');
    tasks.set(name, scriptOf(others.map(other => `rake ${other}`).join('\n')));
  }
  return tasks;
}

/** Environments by name, and those of the list together. */
function toxEnvironments({ after }: LookFile): Targets {
  const environments = new Map<string, Script>();
  const sections = after.code.split(/^\[/m);
  const commands = (section: string) =>
    section
      .replace(/^[\s\S]*?^[^\S\n]*commands\s*=/m, '')
      .split('\n')
      .filter(line => !/^\s*-\s/.test(line))
      .join('\n');
  for (const section of sections) {
    const name = /^testenv(?::([\w-]+))?\]/.exec(section);
    if (name && !/^[^\S\n]*ignore_outcome\s*=\s*true/im.test(section))
      environments.set(name[1] ?? 'testenv', scriptOf(commands(section)));
  }
  const list = /^[^\S\n]*env_?list\s*=((?:[^\n]*)(?:\n[ \t]+[^\n]*)*)/m.exec(after.code)?.[1] ?? '';
  const listed = list.match(/[\w.-]+/g) ?? [];
  const all = listed.map(name => environments.get(name) ?? environments.get('testenv'));
  environments.set('all of tox', scriptOf(all.map(script => script?.command ?? '').join('\n')));
  return environments;
}

const SESSION = /^def\s+(\w+)\([^\n]*\n((?:[ \t]+[^\n]*\n|\n)*)/gm;

function noxSessions({ after }: LookFile): Targets {
  const sessions = new Map<string, Script>();
  for (const [, name = '', body = ''] of `${after.code}\n`.matchAll(SESSION)) {
    const runs = [...body.matchAll(/\.run\(\s*([^)\n]*)/g)].map(match => match[1] ?? '');
    const heard = runs.filter(run => !/success_codes/.test(run)).map(run => run.replace(/["',]+/g, ' ').trim());
    sessions.set(name, scriptOf(heard.join('\n')));
  }
  const chosen = /nox\.options\.sessions\s*=\s*[[(]([^\])]*)/.exec(after.code)?.[1]?.match(/\w+/g);
  const all = [...sessions].filter(([name]) => chosen?.includes(name) ?? true).map(([, { command }]) => command);
  sessions.set('all of nox', scriptOf(all.join('\n')));
  return sessions;
}

const PLUGINS = /\b(?:checkstyle|detekt|ktlint|spotbugs|pmd)\b/g;

/** `check` runs the tests and every plugin that checks; `build` runs `check`. */
function gradleTasks({ after }: LookFile): Targets {
  if (/ignoreFailures\s*=?\s*true/.test(after.code)) return new Map();
  const plugins = after.code.match(PLUGINS) ?? [];
  const check = scriptOf(['gradle test', ...new Set(plugins)].join('\n'));
  return new Map([
    ['check', check],
    ['build', check],
  ]);
}

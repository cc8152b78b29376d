/** What a pipeline, a hook or a script runs through targets in other files: make, npm, composer, just. */

import { type Look, LookFile } from '../look.ts';
import { type GateKind, gateKinds } from './gate-commands.ts';
import { swallowedCommands } from './hidden-failure.ts';
import { type Script, scriptsOf } from './scripts.ts';

type Targets = ReadonlyMap<string, Script>;

interface Tool {
  readonly call: RegExp;
  readonly file: RegExp;
  /** The targets that it runs without a name. */
  readonly bare?: readonly string[];
  /** `pre` and `post` scripts run around the called one. */
  readonly around?: true;
}

const TOOLS: readonly Tool[] = [
  {
    call: /^(?:make|gmake|\$[({]MAKE[)}])$/,
    file: /^(?:GNUmakefile|[Mm]akefile)$/,
    bare: ['all', 'default'],
  },
  { call: /^just$/, file: /^\.?justfile$/i, bare: ['default'] },
  { call: /^(?:npm|pnpm|yarn|bun)$/, file: /^package\.json$/, around: true },
  { call: /^composer$/, file: /^composer\.json$/ },
];

/** Files that may contain targets; at the root, where pipelines run. */
export const TARGET_FILES: readonly string[] = ['Makefile', 'package.json', 'justfile', 'composer.json'];

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
  // `@lint` is another script in the same file.
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
  if (changed) return scriptsOf(changed, 'after');
  for (const [path, text] of input.unchanged ?? []) {
    if (!tool.file.test(path)) continue;
    const change = { path, kind: 'modified', added: 0, deleted: 0, binary: false, mode: '100644' } as const;
    return scriptsOf(new LookFile(change, { before: text, after: text }), 'after');
  }
  return new Map();
}

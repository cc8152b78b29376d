/**
 * Gates that are no longer run at all.
 *
 *     - run: npm test && npm run lint
 *     + run: npm run lint
 */
import { once } from '../../util/once.ts';
import { escaped } from '../../util/text.ts';
import type { Look, LookFile } from '../look.ts';
import { isCi, isGateFile, isHook } from '../roles.ts';
import { type GateKind, gateKinds, isNothing, isProof } from './gate-commands.ts';
import { reachedBy } from './make-targets.ts';
import { type Found, quote, type Rule } from './rule.ts';
import { type Script, scriptsOf } from './scripts.ts';

export const gateRemoved: Rule = {
  id: 'gate-removed',
  level: 'block',
  about: 'A pipeline, a hook or a script no longer runs the tests, the linter, the type checker or a scan.',
  check: look => {
    const { files } = look;
    // A removed package needs no scripts.
    const gates = files.filter(
      file =>
        isGateFile(file.path) &&
        file.role !== 'fixture' &&
        !(file.change.kind === 'deleted' && /\.json$|akefile$/.test(file.path)),
    );
    const elsewhere = (kind: GateKind, own: LookFile) =>
      gates.some(file => file !== own && kindsIn(file, 'after').has(kind) && !kindsIn(file, 'before').has(kind));
    return gates.flatMap((file): readonly Found[] => {
      if (!(isCi(file.path) || isHook(file.path) || isScripts(file.path))) return [];
      if (file.removed.length === 0 && !file.added.some(({ code }) => ASIDE.test(code))) return [];
      const now = kindsIn(file, 'after');
      const reached = once(() => reachedBy(look, commandsIn(file)));
      return [...kindsIn(file, 'before')]
        .flatMap(([kind, { line, text }]): readonly Found[] => {
          if (now.has(kind) || elsewhere(kind, file) || reached().has(kind)) return [];
          // A gate that moved into another script is still reached by that script's name.
          const message = `${file.path} no longer runs a gate of the kind ${kind}: ${quote(text)} is gone`;
          return [
            { message, path: file.path, line, ...(!isProof(kind) && kind !== 'audit' && { level: 'warn' as const }) },
          ];
        })
        .concat(lostParts(look, file), lostFromLists(file));
    });
  },
};

const isScripts = (path: string): boolean =>
  /(^|\/)(?:package\.json|composer\.json|GNUmakefile|[Mm]akefile|\.?justfile|Taskfile\.ya?ml|tox\.ini|noxfile\.py|Rakefile|turbo\.json|nx\.json)$|\.sh$/.test(
    path,
  );

const ASIDE = /^\s*after_\w+\s*:/;

const RAKE_LIST = /^[^\S\n]*task\s*\(?\s*(?::default\s*=>|default:)/m;

interface Where {
  readonly line: number;
  readonly text: string;
}

function kindsIn(file: LookFile, side: 'before' | 'after'): ReadonlyMap<GateKind, Where> {
  const found = new Map<GateKind, Where>();
  const add = (text: string, line: number) => {
    for (const kind of gateKinds(text)) if (!found.has(kind)) found.set(kind, { line, text });
  };
  if (/\.json$/.test(file.path)) {
    for (const [name, { command, line }] of scriptsOf(file, side)) {
      add(command, line);
      // A script called `test` that runs the project's own program is a gate, too.
      const kind = ({ test: 'test', lint: 'lint', typecheck: 'types', 'type-check': 'types' } as const)[name];
      if (kind && !found.has(kind) && !/no test specified/.test(command)) found.set(kind, { line, text: command });
    }
    return found;
  }
  const isRake =
    /(^|\/)Rakefile$/.test(file.path) && RAKE_LIST.test(file.before.code) && RAKE_LIST.test(file.after.code);
  let aside = -1;
  for (const [index, line] of file[side].codeLines.entries()) {
    const indent = line.search(/\S/);
    // Steps that run afterwards decide nothing.
    if (indent >= 0 && indent <= aside && !/^\s*-\s/.test(line)) aside = -1;
    if (isCi(file.path) && ASIDE.test(line)) aside = indent;
    // The list of rake tasks is compared separately.
    if (aside >= 0 || (isRake && RAKE_LIST.test(line))) continue;
    // Step names are words, not commands.
    if (
      line.length < 2000 &&
      !/^\s*\[/.test(line) &&
      !/^\s*(?:-\s+)?(?:name|key|path|cache|uses|description)\s*:/.test(line)
    )
      add(line, index + 1);
  }
  return found;
}

/** The commands that a file runs now; if any step may fail, none of them counts. */
function commandsIn(file: LookFile): readonly string[] {
  if (file.path.endsWith('.json')) return [...scriptsOf(file, 'after').values()].map(({ command }) => command);
  return /continue-on-error|allow_failure|ignore_errors/.test(file.after.code) ? [] : file.after.codeLines;
}

/** Scripts that are expected to run everything. */
const WHOLE =
  /^(?:check|ci|verify|validate|all|qa|default|pre-?(?:commit|push|publish\w*|release|version|submit|pack)|release|test:(?:all|ci)|hooks?\b.*)$/i;

/** `lint && tsc && vitest` that became `vitest`: a part of a script that no script contains any more. */
function lostParts(look: Look, file: LookFile): readonly Found[] {
  const [before, after] = [scriptsOf(file, 'before'), scriptsOf(file, 'after')];
  const all = [...after.values()].map(({ command }) => command).join('\n');
  return [...before].flatMap(([name, { command, line }]): readonly Found[] => {
    const now = after.get(name);
    if (now?.command === command || (now === undefined && !name.startsWith('hook '))) return [];
    const had = [...reachOf(before, name)].filter(isProof);
    const has = reachOf(after, name);
    const missing = had.filter(kind => !has.has(kind));
    if (missing.length === 0) return [];
    const reached = reachedBy(look, [now?.command ?? '']);
    const lost = missing.filter(kind => !reached.has(kind));
    if (lost.length === 0) return [];
    const parts = command
      .split(/&&|;|\n/)
      .map(part => part.trim())
      .filter(part => gateKinds(part).some(kind => lost.includes(kind)));
    const isWhole = WHOLE.test(name) || name.startsWith('hook ');
    if (!isWhole && (had.length < 2 || parts.every(part => all.includes(part)))) return [];
    const message = `the script ${quote(name)} no longer runs ${quote(parts.join(' && ') || lost.join(', '))}`;
    return [{ message, path: file.path, line: now?.line ?? line }];
  });
}

// Lists of what runs by default: rake's default task, and hooks.

const RAKE_DEFAULT = /^[^\S\n]*task\s*\(?\s*(?::default\s*=>|default:|\[?:default\]?\s*=>)([^\n]*)/m;
const RAKE_CHECK = /spec|test|cop|lint|standard|brakeman|typecheck|sorbet|steep/;

/** The tasks that a task of the list depends on. */
const rakeNeeds = (name: string, code: string): readonly string[] =>
  namesIn(
    new RegExp(`^[^\\S\\n]*task\\s*\\(?\\s*(?:${escaped(name)}:|:${escaped(name)}\\s*=>)([^\\n]*)`, 'm').exec(
      code,
    )?.[1] ?? '',
  );

const CHECKER =
  /^(?:ruff|ruff-check|flake8|mypy|pylint|eslint|oxlint|pyright|basedpyright|bandit|shellcheck|pytest|clippy|cargo-(?:clippy|test|check)|golangci-lint\S*|go-(?:vet|test)\S*|tsc|rubocop|detect-secrets|gitleaks|hadolint|actionlint|yamllint|stylelint|vulture|semgrep|typecheck|tests?|lint|unit-?tests?|phpstan|ktlint|detekt)$/i;

const namesIn = (list: string): readonly string[] => list.replace(/%[iw]/g, ' ').match(/[\w:.-]{2,}/g) ?? [];

function lostFromLists(file: LookFile): readonly Found[] {
  if (/\.pre-commit-config\.ya?ml$/.test(file.path)) return lostHooks(file);
  if (!/(^|\/)Rakefile$/.test(file.path)) return [];
  const names = (code: string) => namesIn(RAKE_DEFAULT.exec(code)?.[1] ?? '');
  const now = new Set(names(file.after.code));
  if (now.size === 0) return [];
  // Iterating a Set also visits the elements that are added meanwhile.
  for (const name of now) for (const next of rakeNeeds(name, file.after.code)) now.add(next);
  return names(file.before.code)
    .filter(name => !now.has(name) && RAKE_CHECK.test(name))
    .map(name => ({
      message: `${quote(name)} is no longer run by default`,
      path: file.path,
      line: file.removed.find(({ text }) => text.includes(name))?.number ?? 1,
    }));
}

/** A check was removed and none was added. */
function lostHooks(file: LookFile): readonly Found[] {
  const ids = (code: string) => [...code.matchAll(/^[^\S\n]*-\s+id:\s*["']?([\w.-]+)/gm)].map(match => match[1] ?? '');
  const [before, after] = [ids(file.before.code), new Set(ids(file.after.code))];
  const came = [...after].some(id => !before.includes(id));
  const gone = came ? [] : before.filter(id => CHECKER.test(id) && !after.has(id));
  return gone.map(id => ({
    message: `the hook ${quote(id)} is gone`,
    path: file.path,
    line: file.removed.find(({ text }) => text.includes(id))?.number ?? 1,
  }));
}

// What a script runs through other scripts.

const CALLERS =
  /^(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all2?|concurrently|turbo|nx|wireit|make|just|task|lerna|wsrun|node|deno|composer|mise|npx|bunx|\$\(MAKE\))$/;
const OWN: Readonly<Record<string, GateKind>> = {
  test: 'test',
  lint: 'lint',
  typecheck: 'types',
  'type-check': 'types',
};

type Scripts = ReadonlyMap<string, Script>;

function reachOf(scripts: Scripts, name: string): ReadonlySet<GateKind> {
  const seen = new Set<string>();
  const kinds = new Set<GateKind>();
  const visit = (one: string): void => {
    const command = scripts.get(one)?.command;
    if (command === undefined || seen.has(one)) return;
    seen.add(one);
    const own = OWN[one];
    // A script called `test` that runs the project's own program is a gate, too.
    if (own !== undefined && !isNothing(command)) kinds.add(own);
    for (const part of command.split(/&&|\|\||;|\n|(?<![&>|])&(?![&>\d])/)) {
      const called = callsOf(scripts, part).filter(other => other !== one);
      for (const other of called) visit(other);
      if (called.length === 0) for (const kind of gateKinds(part)) kinds.add(kind);
    }
  };
  visit(name);
  return kinds;
}

/** `npm run lint`, `run-p lint test`, `concurrently npm:lint`, `make lint test`. */
function callsOf(scripts: Scripts, part: string): readonly string[] {
  const words = part
    .trim()
    .replace(/["'\\]/g, '')
    .split(/\s+/);
  if (!CALLERS.test(words[0] ?? '') && !words[0]?.startsWith('@')) return [];
  return (words[0]?.startsWith('@') ? words : words.slice(1)).flatMap(raw => {
    const word = raw.replace(/^(?:npm|pnpm|yarn|bun|node):/, '').replace(/^@/, '');
    if (scripts.has(word)) return [word];
    return word === 't' && scripts.has('test') ? ['test'] : [];
  });
}

/**
 * Gate commands that cover less than before.
 *
 *     - pytest
 *     + pytest tests/test_cart.py
 */
import { gateKinds, isProof } from './gate-commands.ts';

const ONLY_SOME =
  /\s(?:--grep(?:-invert)?|-g|--testNamePattern|-t|--filter|--tests|-run|--example|-e|--tag|--only|--shard|--changed|--onlyChanged|--findRelatedTests|--last-failed|--lf|-k|-m)(?:[= ]|$)/;

/** Whether a command names the paths it checks. */
export const namesPaths = (command: string): boolean =>
  pathsOf(wordsOf(command).slice(1)).some(word =>
    /[./*]|^(?:src|lib|app|tests?|specs?|packages|crates|pkg|internal|cmd)$/.test(word),
  );

/** What the new command leaves out, or undefined. */
export function narrowed(was: string, now: string): string | undefined {
  const [before, after] = [partsOf(was), partsOf(now)];
  for (const part of after) {
    const { tool, kind, args } = commandOf(part);
    if (tool === '' || before.includes(part) || !gateKinds(part).some(isProof) || RUNNER.test(tool)) continue;
    // `go vet` and `go test` are two commands, and an unchanged one is not the one that was replaced.
    const old = before.find(other => !after.includes(other) && commandOf(other).kind === kind);
    if (old === undefined) continue;
    const some = ONLY_SOME.exec(part)?.[0].trim();
    if (some !== undefined && !ONLY_SOME.test(old)) return `${some} makes it look at some only`;
    const all = pathsOf(commandOf(old).args);
    // After a new flag, a word may be its value or a path that the command already had.
    const left = [...new Set([...pathsOf(args), ...args.filter(word => all.includes(word))])];
    const [file, ...others] = args.filter(path => TEST_FILE.test(path));
    const isAlone = others.length === 0 && after.filter(other => commandOf(other).kind === kind).length === 1;
    if (file !== undefined && isAlone && !namesPaths(old)) return `it looks at ${file} only`;
    if (all.length === 0 || left.length === 0) continue;
    const within = left.every(path => all.some(other => path === other || isUnder(path, other)));
    if (within && all.some(path => !left.includes(path))) return `it looks at ${left.join(' ')} only`;
  }
  return undefined;
}

/** A single test file, not a pattern for many. */
const TEST_FILE = /^(?!-)[\w./-]+(?:[._](?:test|spec)\.\w+|Test\.(?:java|kt|php))$|(?:^|\/)test_\w+\.py$/;

const SUBCOMMANDS =
  /^(?:biome|cargo|go|ruff|playwright|cypress|deno|dotnet|mix|golangci-lint|poetry|uv|bundle|rails|swift|node|python3?|coverage)$/;
const RUNNER = /^(?:npm|pnpm|yarn|bun|npx|make|just|task|run-s|run-p|turbo|nx|lerna|concurrently)$/;

interface Command {
  /** The program, however it is called: `$(GO)`, `.venv/bin/pytest` and `npx eslint` are `go`, `pytest` and `eslint`. */
  readonly tool: string;
  /** The program with its subcommand, if any. */
  readonly kind: string;
  readonly args: readonly string[];
}

function commandOf(part: string): Command {
  const [first = '', ...args] = wordsOf(part.replace(REACHED_BY, ''));
  const tool = first.replace(/^.*\//, '').replace(/^\$[({](\w+)[)}]$/, (_, name: string) => name.toLowerCase());
  if (!SUBCOMMANDS.test(tool)) return { tool, kind: tool, args };
  return { tool, kind: `${tool} ${args[0] ?? ''}`, args: args.slice(1) };
}

const REACHED_BY =
  /^[@-]*\s*(?:\w+=\S*\s+)*(?:(?:npx|bunx|pnpm exec|yarn exec|bundle exec|(?:uv|poetry|pipenv|hatch|pdm) run)\s+(?:-\S+\s+)*)?/;

const partsOf = (command: string): readonly string[] =>
  command
    .split(/&&|\|\||;|\n/)
    .map(part => part.trim())
    .filter(Boolean);

const wordsOf = (part: string): readonly string[] => part.replace(/["']/g, '').split(/\s+/);

/** Words that name files; a folder has no file extension, so a bare word counts, too. */
const FOLDER = /^(?:src|lib|app|tests?|specs?|packages|crates|pkg|internal|cmd)\/?$/;

const pathsOf = (args: readonly string[]): readonly string[] =>
  args.filter(
    (word, at) =>
      /^[\w./*{},@-]+$/.test(word) &&
      !word.startsWith('-') &&
      !/^\d+$/.test(word) &&
      // Directly after a flag, it may be the flag's value.
      (FOLDER.test(word) || !/^-\w?$|^--[\w-]+$/.test(args[at - 1] ?? '')),
  );

const isUnder = (path: string, other: string): boolean => {
  const folder = other.replace(/\/?(?:\.\.\.|\*.*)?$/, '').replace(/^\.\/?/, '');
  return folder === '' ? !/^\.\/?(?:\.\.\.)?$/.test(path) : path.replace(/^\.\//, '').startsWith(`${folder}/`);
};

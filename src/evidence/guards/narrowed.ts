/** Commands that look at less than they did. */
import { gateKinds, isProof } from './gate-commands.ts';

const ONLY_SOME =
  /\s(?:--grep(?:-invert)?|-g|--testNamePattern|-t|--filter|--tests|-run|--example|-e|--tag|--only|--shard|--changed|--onlyChanged|--findRelatedTests|--last-failed|--lf|-k|-m)(?:[= ]|$)/;

/** Whether a command names what it looks at. */
export const namesPaths = (command: string): boolean =>
  pathsOf(wordsOf(command).slice(1)).some(word =>
    /[./*]|^(?:src|lib|app|tests?|specs?|packages|crates|pkg|internal|cmd)$/.test(word),
  );

/** What the new command leaves out, or nothing. */
export function narrowed(was: string, now: string): string | undefined {
  for (const part of partsOf(now)) {
    const [tool, ...args] = wordsOf(part);
    if (tool === undefined || !gateKinds(part).some(isProof) || RUNNER.test(tool)) continue;
    const old = partsOf(was).find(other => wordsOf(other)[0] === tool);
    if (old === undefined || old === part) continue;
    const some = ONLY_SOME.exec(part)?.[0].trim();
    if (some !== undefined && !ONLY_SOME.test(old)) return `${some} makes it look at some only`;
    const from = SUBCOMMANDS.test(tool) ? 1 : 0;
    const before = pathsOf(wordsOf(old).slice(1 + from));
    // After a flag that is new, a word may be its value or what the command always looked at.
    const after = [...new Set([...pathsOf(args.slice(from)), ...args.filter(word => before.includes(word))])];
    if (before.length === 0 || after.length === 0) continue;
    const within = after.every(path => before.some(other => path === other || isUnder(path, other)));
    if (within && before.some(path => !after.includes(path))) return `it looks at ${after.join(' ')} only`;
  }
  return undefined;
}

const SUBCOMMANDS =
  /^(?:biome|cargo|go|ruff|playwright|cypress|deno|dotnet|mix|golangci-lint|poetry|uv|bundle|rails|swift|node|python3?|coverage)$/;
const RUNNER = /^(?:npm|pnpm|yarn|bun|npx|make|just|task|run-s|run-p|turbo|nx|lerna|concurrently)$/;

const partsOf = (command: string): readonly string[] =>
  command
    .split(/&&|\|\||;|\n/)
    .map(part => part.trim())
    .filter(Boolean);

const wordsOf = (part: string): readonly string[] => part.replace(/["']/g, '').split(/\s+/);

/** Words that name files; a folder has no ending, so a bare word counts, too. */
const FOLDER = /^(?:src|lib|app|tests?|specs?|packages|crates|pkg|internal|cmd)\/?$/;

const pathsOf = (args: readonly string[]): readonly string[] =>
  args.filter(
    (word, at) =>
      /^[\w./*{},@-]+$/.test(word) &&
      !word.startsWith('-') &&
      !/^\d+$/.test(word) &&
      // Right after a flag it may be the flag's value.
      (FOLDER.test(word) || !/^-\w?$|^--[\w-]+$/.test(args[at - 1] ?? '')),
  );

const isUnder = (path: string, other: string): boolean => {
  const folder = other.replace(/\/?(?:\.\.\.|\*.*)?$/, '').replace(/^\.\/?/, '');
  return folder === '' ? !/^\.\/?(?:\.\.\.)?$/.test(path) : path.replace(/^\.\//, '').startsWith(`${folder}/`);
};

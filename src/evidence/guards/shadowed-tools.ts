/** Programs put where a gate finds them before the tool that it means. */
import type { Change } from '../../protocol.ts';
import type { Look, LookFile } from '../look.ts';
import { isGateFile } from '../roles.ts';
import { type Found, quote } from './rule.ts';

/** Folders that installers fill; nobody writes there by hand. */
const INSTALLED =
  /(^|\/)(?:node_modules\/(?:\.bin|\.pnpm\/node_modules\/\.bin)|\.?v?env\/(?:bin|Scripts)|\.virtualenv\/bin|\.(?:tox|nox)\/[^/]+\/bin|vendor\/bin|vendor\/bundle\/.*\/bin|\.bundle\/bin|\.cargo\/bin|\.local\/bin|\.asdf\/shims|\.rbenv\/shims|\.pyenv\/shims|\.yarn\/bin|\.gobin)\/[^/]+$/;

/** What gates run, by the names of their programs. */
const TOOL =
  /^(?:node|npm|npx|pnpm|yarn|bun|deno|vitest|jest|mocha|ava|tap|c8|nyc|tsc|eslint|biome|oxlint|prettier|playwright|cypress|python3?|pytest|tox|nox|mypy|pyright|ruff|flake8|black|coverage|uv|poetry|go|gofmt|golangci-lint|staticcheck|cargo|rustc|clippy-driver|rspec|rubocop|rake|ruby|bundle|phpunit|pest|phpstan|php|composer|mvn|gradle|java|javac|dotnet|swift|mix|make|just|git|bash|sh|env)(?:\.(?:cmd|exe|bat|ps1|sh))?$/;

/** `PATH=./tools:$PATH`, `echo "$PWD/tools" >> $GITHUB_PATH`: folders of the project in which programs are looked for. */
const ON_PATH = /\bPATH\s*[:+]?=\s*["']?([^\s"';&]+)|["'\s]([\w./${}-]+)["']?\s*>>\s*["']?\$\{?GITHUB_PATH/g;

export function shadowedTools({ files, changes }: Pick<Look, 'files' | 'changes'>): readonly Found[] {
  const written = changes.filter(({ path, kind }) => kind !== 'deleted' && path.includes('/'));
  const candidates = written.filter(({ path }) => INSTALLED.test(path) || TOOL.test(nameOf(path)));
  if (candidates.length === 0) return [];
  let folders: ReadonlySet<string> | undefined;
  return candidates.flatMap((change): readonly Found[] => {
    const { path } = change;
    const isFound = INSTALLED.test(path) || (folders ??= foldersOnPath(files)).has(folderOf(path));
    if (!isFound || isVendored(changes, change)) return [];
    const message = `${path} stands where gates find ${quote(nameOf(path))} first; what an installer puts there is no part of a change`;
    return [{ message, path }];
  });
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Packages that are kept in the repository bring their programs with them. */
const isVendored = (changes: readonly Change[], { path }: Change): boolean => {
  const home = path.replace(/\.?bin\/[^/]+$|Scripts\/[^/]+$/, '');
  return changes.filter(other => other.path.startsWith(home) && folderOf(other.path) !== folderOf(path)).length >= 3;
};

function foldersOnPath(files: readonly LookFile[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const file of files) {
    if (!isGateFile(file.path) && file.language !== 'shell' && file.language !== 'yaml') continue;
    for (const match of file.after.code.matchAll(ON_PATH))
      for (const part of (match[1] ?? match[2] ?? '').split(':')) {
        const folder = part.replace(
          /^(?:\$\{?(?:PWD|CURDIR|GITHUB_WORKSPACE|CI_PROJECT_DIR)\}?|\$\((?:PWD|CURDIR|pwd)\)|\.)\//,
          '',
        );
        if (folder !== '' && !/^[$/~]/.test(folder)) found.add(folder.replace(/\/$/, ''));
      }
  }
  return found;
}

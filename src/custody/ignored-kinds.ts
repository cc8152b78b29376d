/** Classifies files and folders that git does not track, by their names. */

/** Where package managers install a project's packages, with which the gates run. */
export const PACKAGE_FOLDERS = ['node_modules', '.venv', 'venv', 'vendor/bundle'];

const TOOLS = /(^|\/)(?:node_modules|\.?venv|vendor\/bundle|vendor|\.bundle|Pods|\.yarn|\.pnpm-store|\.tox|\.nox)$/;

/** Files that tools write while they run, and recreate if missing. */
const CACHE_NAMES =
  '__pycache__|\\.cache|\\.vite|\\.vite-temp|\\.vitest|\\.tmp|\\.turbo|\\.parcel-cache|\\.pytest_cache|\\.mypy_cache|\\.ruff_cache|\\.hypothesis|\\.eslintcache|\\.babel-cache|\\.nyc_output';
const CACHE_NAME = new RegExp(`^(?:${CACHE_NAMES})$`);

/** Output of builds and tests. */
const BUILD_NAME =
  /^(?:target|dist|build|out|obj|coverage|htmlcov|_build|\.next|\.nuxt|\.svelte-kit|\.angular|\.gradle|\.build|\.dart_tool|\.eggs|[^/]+\.egg-info|\.coverage|\.zig-cache|zig-cache|zig-out|elm-stuff|DerivedData|cmake-build-[^/]+|\.terraform|[^/]+\.tsbuildinfo|[^/]+\.py[co])$/;

/** Files of editors and the system: no gate reads them, and their programs write them at any time. */
const NOT_GROUND =
  /^(?:\.idea|\.vscode|\.vs|\.fleet|\.history|\.DS_Store|Thumbs\.db|[^/]+\.sw[opx]|\.#[^/]+|[^/]+~|\.claude|\.codex|\.cursor|\.gemini|\.qwen|\.opencode|\.aider[^/]*|\.ralph)$/;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export type IgnoredKind = 'tools' | 'made' | 'other' | 'not-ground';

/** The kind of an entry that git ignores as a whole. */
export function ignoredKind(path: string): IgnoredKind {
  if (NOT_GROUND.test(path.split('/')[0] ?? '') || NOT_GROUND.test(nameOf(path))) return 'not-ground';
  if (TOOLS.test(path)) return 'tools';
  return CACHE_NAME.test(nameOf(path)) || BUILD_NAME.test(nameOf(path)) ? 'made' : 'other';
}

export const isCacheName = CACHE_NAME;

/** Whether a path is inside a cache that tools write while they run. */
export const isInCache = (path: string): boolean => path.split('/').some(name => CACHE_NAME.test(name));

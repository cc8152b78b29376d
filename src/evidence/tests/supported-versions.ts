/** The oldest version of its language that a project says it supports, where its manifest is at hand. */
import type { Look } from '../look.ts';

export type Runtime = 'python' | 'node' | 'ruby' | 'php' | 'java' | 'go';

interface Said {
  readonly file: RegExp;
  /** The groups are the parts of the version. */
  readonly says: RegExp;
}

const SAID: Readonly<Record<Runtime, Said>> = {
  python: {
    file: /(^|\/)(?:pyproject\.toml|setup\.cfg|setup\.py)$/,
    says: /\b(?:requires-python|python_requires|python)\s*=\s*["']?\s*(?:>=|\^|~=?)\s*(\d+)(?:\.(\d+))?/,
  },
  node: {
    file: /(^|\/)package\.json$/,
    says: /"engines"\s*:\s*\{[^{}]*"node"\s*:\s*"\s*(?:>=|\^|~)?\s*v?(\d+)(?:\.(\d+))?/,
  },
  ruby: {
    file: /\.gemspec$|(^|\/)(?:Gemfile|\.ruby-version)$/,
    says: /(?:required_ruby_version\s*=[^\n]*?|^ruby[ (]+|^)["']?(?:>=|~>)?\s*(\d+)\.(\d+)/m,
  },
  php: { file: /(^|\/)composer\.json$/, says: /"php"\s*:\s*"\s*(?:>=|\^|~)?\s*(\d+)(?:\.(\d+))?/ },
  java: {
    file: /(^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?)$/,
    says: /<(?:java\.version|maven\.compiler\.(?:release|source|target)|release)>\s*(\d+)|(?:JavaVersion\.VERSION_|JavaLanguageVersion\.of\(\s*|jvmToolchain\(\s*|sourceCompatibility\s*=\s*['"]?)(\d+)/,
  },
  go: { file: /(^|\/)go\.mod$/, says: /^go\s+(\d+)\.(\d+)/m },
};

/** `3.10` is 3.1 as a number, and older than 3.9. */
export const versionOf = (major: string, minor = '0'): number => Number(major) + Number(minor) / 100;

const memo = new WeakMap<Look, Map<Runtime, number | undefined>>();

export function oldestSupported(look: Look, runtime: Runtime): number | undefined {
  const known = memo.get(look) ?? new Map<Runtime, number | undefined>();
  memo.set(look, known);
  if (!known.has(runtime)) known.set(runtime, find(look, SAID[runtime], runtime));
  return known.get(runtime);
}

function find(look: Look, { file, says }: Said, runtime: Runtime): number | undefined {
  const texts = [
    ...look.files.filter(({ path }) => file.test(path)).map(({ after }) => after.text),
    ...[...(look.input.unchanged ?? [])].filter(([path]) => file.test(path)).map(([, text]) => text),
  ];
  const versions = texts.flatMap(text => {
    const [, major, minor] = says.exec(text) ?? [];
    // Java has one number, in one of two places.
    if (runtime === 'java') return major ?? minor ?? [];
    return major === undefined ? [] : versionOf(major, minor);
  });
  return versions.length === 0 ? undefined : Math.min(...versions.map(Number));
}

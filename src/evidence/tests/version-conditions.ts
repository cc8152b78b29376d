/** Conditions on the version of a language: whether they hold for all that a project supports, or for none. */
import type { Look, LookFile } from '../look.ts';
import { oldestSupported, type Runtime, versionOf } from './supported-versions.ts';

export interface Asked {
  readonly condition: string;
  /** What the condition does to the test. */
  readonly does: 'skip' | 'run';
}

export type Truth = 'always' | 'never' | undefined;

export interface Context {
  readonly look: Look;
  readonly file: LookFile;
}

interface Version {
  readonly runtime: Runtime;
  /** A sign, then the parts of the version. */
  readonly pattern: RegExp;
  /** Everybody has a newer one than this, whatever the project says. */
  readonly old: number;
  /** Nobody has this. */
  readonly far: number;
}

const VERSIONS: readonly Version[] = [
  {
    runtime: 'python',
    pattern: /\bsys\.version_info(?:\[:?\d?\]|\.major)?\s*([<>]=?)\s*\(?\s*(\d+)(?:\s*,\s*(\d+))?/,
    old: 3.06,
    far: 3.4,
  },
  { runtime: 'node', pattern: /\bprocess\.versions?\b[^<>]*([<>]=?)\s*['"]?v?(\d+)/, old: 10, far: 60 },
  {
    runtime: 'ruby',
    pattern: /\bRUBY_VERSION\b\)?(?:\.to_f)?\s*([<>]=?)\s*(?:Gem::Version\.new\()?['"]?(\d+)(?:\.(\d+))?/,
    old: 1,
    far: 6,
  },
  { runtime: 'php', pattern: /\bPHP_MAJOR_VERSION\s*([<>]=?)\s*(\d+)/, old: 5, far: 12 },
  { runtime: 'php', pattern: /\bPHP_VERSION_ID\s*([<>]=?)\s*(\d{1,2}?)(\d\d)\d\d\b/, old: 7, far: 12 },
  { runtime: 'java', pattern: /\bJAVA_VERSION\s*([<>]=?)\s*(\d+)/, old: 7, far: 60 },
];
const COMPARED =
  /\bversion_compare\(\s*(PHP_VERSION)\s*,\s*['"](\d+)(?:\.(\d+))?[^'"]*['"]\s*,\s*['"]([<>]=?|ge|gt|le|lt)['"]/;
const SEMVER = /\bsemver\.(gte?|lte?)\(\s*process\.version[\w.]*\s*,\s*['"]v?(\d+)/;
const SIGNS: Readonly<Record<string, string>> = { ge: '>=', gte: '>=', gt: '>', le: '<=', lte: '<=', lt: '<' };

export function byVersion(text: string, { look, file }: Context): Truth {
  const condition = spelledOut(text, file);
  for (const { runtime, pattern, old, far } of VERSIONS) {
    const [, sign = '', major, minor] = pattern.exec(condition) ?? [];
    if (major === undefined) continue;
    const version = versionOf(major, minor);
    if (version >= far) return sign.startsWith('<') ? 'always' : 'never';
    if (Number(major) === 0) continue;
    const oldest = Math.max(old, oldestSupported(look, runtime) ?? 0);
    // The oldest one itself is still among them.
    if (version < oldest || (version === oldest && (sign === '>=' || sign === '<')) || version <= old)
      return sign.startsWith('<') ? 'never' : 'always';
  }
  return undefined;
}

/** Calls that compare as signs, and a name as what it stands for. */
function spelledOut(text: string, file: LookFile): string {
  const php = COMPARED.exec(text);
  if (php) {
    const digits = `${php[2]}${(php[3] ?? '0').padStart(2, '0')}00`;
    return `PHP_VERSION_ID ${SIGNS[php[4] ?? ''] ?? php[4]} ${digits}`;
  }
  const semver = SEMVER.exec(text);
  if (semver) return `process.version ${SIGNS[semver[1] ?? '']} ${semver[2]}`;
  const name = /^([A-Za-z_]\w*)\s*[<>]=?\s*[\d('"]/.exec(text)?.[1];
  const value = name === undefined ? undefined : definitionOf(file, name);
  return name !== undefined && value !== undefined && /version/i.test(value) ? text.replace(name, value) : text;
}

/** JUnit names the versions of Java in annotations. */
export function jreCondition(code: string): Asked | undefined {
  const [, word, bound, version] =
    /@(Enabled|Disabled)ForJreRange\(\s*(min|max)\s*=\s*(?:JRE\.)?JAVA_(\d+)\s*\)/.exec(code) ?? [];
  if (word !== undefined)
    return {
      condition: `JAVA_VERSION ${bound === 'min' ? '>=' : '<='} ${version}`,
      does: word === 'Enabled' ? 'run' : 'skip',
    };
  const only = /@EnabledOnJre\(\s*\{?\s*(?:JRE\.)?JAVA_(\d+)\s*\}?\s*\)/.exec(code)?.[1];
  return only === undefined ? undefined : { condition: `JAVA_VERSION <= ${only}`, does: 'run' };
}

/** What a name of the file stands for, where it is given one value and the change did that. */
export function definitionOf(file: LookFile, name: string): string | undefined {
  const defines = new RegExp(
    `^[^\\S\\n]*(?:(?:const|let|var|final|static|boolean)\\s+)*${name}(?:\\s*:\\s*\\w+)?\\s*:?=(?![=>])\\s*(.+?);?$`,
    'gm',
  );
  const found = [...file.after.code.matchAll(defines)];
  return found.length === 1 ? found[0]?.[1] : undefined;
}

/** Tests that went where no runner looks: another folder, another name, a class that nobody makes. */
import type { LookFile } from '../look.ts';
import type { Placed } from './compare.ts';

/** Names and folders that the usual runner of a language goes by. */
const FOUND: Partial<Record<LookFile['language'], (path: string) => boolean>> = {
  go: path => !/(^|\/)(?:testdata|_[^/]*|\.[^/]+)\//.test(path),
  ruby: path => /_spec\.rb$|_test\.rb$|(^|\/)test_[^/]*\.rb$/.test(path),
  java: path =>
    !/\/resources\//.test(path) && /(?:Tests?|TestCase|IT|ITCase|Spec|Specs)\.java$|(^|\/)Test[^/]*\.java$/.test(path),
  // Only what stands in `tests` itself is a target of its own.
  rust: path => !/(^|\/)tests\/(?:[^/]+\/)+(?!main\.rs$)[^/]+\.rs$/.test(path),
};

/** Why no runner takes the test up after the change, or nothing. */
export function outOfReach(files: readonly LookFile[], before: Placed, after: Placed): string | undefined {
  const isFound = FOUND[after.file.language];
  const { path } = after.file;
  if (isFound && path !== before.file.path && isFound(before.file.path) && !isFound(path) && !isNamed(files, path))
    return `went to ${path}`;
  return inAbstract(files, before.file, after);
}

/** Somebody takes it up by its name: a module, a `require`, a setting. */
function isNamed(files: readonly LookFile[], path: string): boolean {
  const name = (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  const word = new RegExp(
    `\\b(?:mod|require\\w*|include\\w*|load|path|pattern)\\b[^\\n]*\\b${name.replace(/\W/g, '.')}\\b`,
  );
  return files.some(file => file.path !== path && file.after.code.includes(name) && word.test(file.after.code));
}

const ABSTRACT = /\babstract\s+(?:public\s+|internal\s+)?class\s+(\w+)/g;

function inAbstract(files: readonly LookFile[], was: LookFile, { file }: Placed): string | undefined {
  if (!/^(?:java|kotlin|csharp|php)$/.test(file.language) || !file.after.bare.includes('abstract')) return undefined;
  for (const [, name = ''] of file.after.bare.matchAll(ABSTRACT)) {
    const made = new RegExp(`(?<!abstract\\s(?:public\\s|internal\\s)?)class\\s+${name}\\b`);
    if (!made.test(was.before.bare) || new RegExp(`abstract\\s[\\w\\s]*class\\s+${name}\\b`).test(was.before.bare))
      continue;
    const heir = new RegExp(`(?:extends|:)\\s*(?:[\\w.]+\\.)?${name}\\b`);
    if (!files.some(({ after }) => after.bare.includes(name) && heir.test(after.bare)))
      return `stands in ${name}, which is abstract and has no heir`;
  }
  return undefined;
}

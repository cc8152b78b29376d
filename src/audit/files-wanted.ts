/** The files that the guards need besides the change itself. */
import type { Change, FileText } from '../protocol.ts';
import { isManifest, lockfilesOf } from './dependencies.ts';
import { questionsToFind } from './hard-coded/copied-decisions.ts';
import { namesToFind } from './hard-coded/echoed-rows.ts';
import { lookupsToFind } from './hard-coded/lookup-tables.ts';
import { lookFile } from './look.ts';
import { isCi, isHook, roleOf } from './roles.ts';
import { TARGET_FILES } from './rules/make-targets.ts';

/** Lockfiles of changed manifests that are not part of the change. */
export function lockfilesWanted(changes: readonly Change[]): readonly string[] {
  const changed = new Set(changes.map(({ path }) => path));
  const manifests = changes.filter(({ path, kind }) => kind !== 'deleted' && isManifest(path));
  return [...new Set(manifests.flatMap(({ path }) => lockfilesOf(path)))].filter(path => !changed.has(path));
}

/** Files with targets that a changed pipeline or hook may run. */
export function targetsWanted(changes: readonly Change[]): readonly string[] {
  if (!changes.some(({ path, kind }) => kind === 'modified' && (isCi(path) || isHook(path)))) return [];
  const changed = new Set(changes.map(({ path }) => path));
  return TARGET_FILES.filter(path => !changed.has(path));
}

/** Fixed inputs and answers in new code that tests may contain; if there are none, the tests need not be searched. */
export function answersWanted(changes: readonly Change[], texts: ReadonlyMap<string, FileText>): readonly string[] {
  const files = changes.flatMap(change => {
    const text = /^(?:production|other)$/.test(roleOf(change.path)) ? texts.get(change.path) : undefined;
    return text ? [lookFile(change, text)] : [];
  });
  return [
    ...new Set([
      ...questionsToFind(files),
      ...namesToFind(files),
      ...lookupsToFind(files).slice(0, 10),
      ...goneTests(changes, texts).slice(0, 20),
    ]),
  ];
}

/** Names of tests that were removed from a file: a file outside the change may contain them. */
function goneTests(changes: readonly Change[], texts: ReadonlyMap<string, FileText>): readonly string[] {
  return changes.flatMap(change => {
    const text = change.kind === 'added' || roleOf(change.path) !== 'test' ? undefined : texts.get(change.path);
    if (!text) return [];
    const { before, after } = lookFile(change, text);
    const left = new Set(after.tests.map(({ name }) => name));
    return before.tests.map(({ name }) => name).filter(name => name.length >= 5 && !left.has(name));
  });
}

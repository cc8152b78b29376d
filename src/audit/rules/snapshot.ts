/**
 * Snapshots that were recorded again.
 *
 *     - total: 12   in cart.test.js.snap
 *     + total: 0    in cart.test.js.snap, and no code changed
 */
import type { Look, LookFile } from '../look.ts';
import { isTestName, subjectOf } from '../roles.ts';
import { type Found, type Rule, some } from './rule.ts';
import { ownGoldens } from './self-written-golden.ts';

export const snapshot: Rule = {
  id: 'snapshot',
  level: 'warn',
  protects: 'tests',
  about: 'Snapshots were rewritten.',
  check: look => {
    const rewritten = rewrittenIn(look).map(({ path }) => path);
    const [path] = rewritten;
    if (path === undefined || !hasCause(look, rewrittenIn(look))) return [];
    return [{ message: `snapshots were rewritten, look whether they should be: ${some(rewritten)}`, path, line: 1 }];
  },
};

export const snapshotOnly: Rule = {
  id: 'snapshot-only',
  level: 'block',
  protects: 'tests',
  about: 'Snapshots were rewritten or deleted although nothing else changed, or the test writes them itself.',
  check: look => {
    const rewritten = rewrittenIn(look);
    const found: Found[] = [];
    const [first] = rewritten;
    if (first && !hasCause(look, rewritten) && !/snapshot/.test(look.words)) {
      const message = `snapshots were rewritten although no code changed: ${some(rewritten.map(({ path }) => path))}`;
      found.push({ message, path: first.path, line: first.added[0]?.number ?? first.removed[0]?.number ?? 1 });
    }
    for (const { path, kind } of look.changes) {
      if (kind !== 'deleted' || !isSnapshot(path)) continue;
      const owner = path.replace(/(^|\/)__snapshots__\//, '$1').replace(/\.(?:snap|ambr)$/, '');
      const testGone = look.changes.some(
        change => change.kind === 'deleted' && isTestName(change.path) && sameSubject(change.path, owner),
      );
      const replaced = look.changes.some(change => change.kind === 'added' && isSnapshot(change.path));
      if (!testGone && !replaced)
        found.push({ message: `the snapshot ${path} was deleted, so its test accepts anything the next time`, path });
    }
    return [...found, ...look.files.flatMap(ownGoldens)];
  },
};

const isSnapshot = (path: string): boolean => /\.snap$|\.ambr$|(^|\/)__snapshots__\/|\.approved\.\w+$/.test(path);

const sameSubject = (a: string, b: string): boolean => subjectOf(a).toLowerCase() === subjectOf(b).toLowerCase();

/** Changed, not only extended. */
const rewrittenIn = ({ files }: Look): readonly LookFile[] =>
  files.filter(
    file =>
      file.role === 'snapshot' && file.change.kind === 'modified' && file.removed.some(line => line.text.trim() !== ''),
  );

/** Whether something other than snapshots and prose changed, which could have changed an output. */
function hasCause({ changes }: Look, rewritten: readonly LookFile[]): boolean {
  const own = new Set(rewritten.map(({ path }) => path));
  return changes.some(
    ({ path }) =>
      !own.has(path) &&
      !isSnapshot(path) &&
      !/\.(?:md|mdx|txt|rst)$/i.test(path) &&
      !/(^|\/)\.?(?:github|husky)\//.test(path) &&
      !isSnapshotLike(path),
  );
}

const isSnapshotLike = (path: string): boolean => /(^|\/)(?:snapshots?|golden)\/|\.golden$|-snapshots\//.test(path);

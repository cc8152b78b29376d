/** Guards: rules on the diff, each pure and with an id of its own. */
import { posix } from 'node:path';
import picomatch from 'picomatch';
import type { Change, Finding, Guard, GuardInput } from '../protocol.ts';
import { plural } from '../util/show.ts';

const LISTED = 5;

/** A glob that names a folder means everything below it. */
function matcher(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  return picomatch([...globs, ...globs.map(glob => `${glob.replace(/\/+$/, '')}/**`)], { dot: true });
}

function some(changes: readonly Change[]): string {
  const names = changes.slice(0, LISTED).map(change => change.path);
  const more = changes.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const first = (changes: readonly Change[]): { path?: string } => (changes[0] ? { path: changes[0].path } : {});

const allowedPaths: Guard = {
  rule: 'allowed-paths',
  check: ({ changes, rules }) => {
    if (rules.allow.length === 0) return [];
    const allowed = matcher(rules.allow);
    const outside = changes.filter(change => !allowed(change.path));
    if (outside.length === 0) return [];
    const message = `changed outside the allowed paths (${rules.allow.join(', ')}): ${some(outside)}`;
    return [{ rule: 'allowed-paths', level: 'block', message, ...first(outside) }];
  },
};

const forbiddenPaths: Guard = {
  rule: 'forbidden-paths',
  check: ({ changes, rules }) => {
    const forbidden = matcher(rules.forbid);
    const touched = changes.filter(change => forbidden(change.path));
    if (touched.length === 0) return [];
    return [
      {
        rule: 'forbidden-paths',
        level: 'block',
        message: `changed forbidden paths: ${some(touched)}`,
        ...first(touched),
      },
    ];
  },
};

const writeOnce: Guard = {
  rule: 'write-once',
  check: ({ changes, rules }) => {
    const once = matcher(rules.writeOnce);
    const rewritten = changes.filter(change => change.kind !== 'added' && once(change.path));
    if (rewritten.length === 0) return [];
    const message = `changed or removed files that may only be added: ${some(rewritten)}`;
    return [{ rule: 'write-once', level: 'block', message, ...first(rewritten) }];
  },
};

const size: Guard = {
  rule: 'size',
  check: ({ changes, rules }) => {
    const files = changes.length;
    const net = changes.reduce((sum, change) => sum + change.added - change.deleted, 0);
    const over = (limitFiles: number, limitLines: number) => files > limitFiles || net > limitLines;
    const facts = `${plural(files, 'file')} and ${net} net lines`;
    if (over(rules.files, rules.lines)) {
      const message = `the change is too large for one item: ${facts} (limit ${rules.files} files, ${rules.lines} lines)`;
      return [{ rule: 'size', level: 'block', message }];
    }
    if (over(rules.warnFiles, rules.warnLines)) {
      return [{ rule: 'size', level: 'warn', message: `a large change for one item: ${facts}` }];
    }
    return [];
  },
};

const SYMLINK = '120000';
const SUBMODULE = '160000';

const insideOnly: Guard = {
  rule: 'inside-only',
  check: ({ changes, linkTarget }) =>
    changes.flatMap((change): readonly Finding[] => {
      if (change.kind === 'deleted') return [];
      if (change.mode === SUBMODULE) {
        const message = `${change.path} is a repository inside the repository`;
        return [{ rule: 'inside-only', level: 'block', message, path: change.path }];
      }
      if (change.mode !== SYMLINK) return [];
      const target = linkTarget(change.path);
      if (target === undefined || !leavesTree(change.path, target)) return [];
      return [
        {
          rule: 'inside-only',
          level: 'block',
          message: `${change.path} links out of the work tree to ${target}`,
          path: change.path,
        },
      ];
    }),
};

function leavesTree(path: string, target: string): boolean {
  if (posix.isAbsolute(target)) return true;
  const resolved = posix.normalize(posix.join(posix.dirname(path), target));
  return resolved === '..' || resolved.startsWith('../') || resolved === '.git' || resolved.startsWith('.git/');
}

export const guards: readonly Guard[] = [allowedPaths, forbiddenPaths, writeOnce, size, insideOnly];

export function checkGuards(input: GuardInput): readonly Finding[] {
  return guards.flatMap(guard => guard.check(input));
}

/**
 * Which paths a change may touch.
 *
 *     - data/prices.csv: 3 rows
 *     + data/prices.csv: 2 rows   with guards.forbid: [data/**]
 */
import { globMatcher } from '../../util/globs.ts';
import { type Rule, some } from './rule.ts';

export const allowedPaths: Rule = {
  id: 'allowed-paths',
  level: 'block',
  about: 'A change outside the allowed paths.',
  check: ({ changes, input: { rules } }) => {
    if (rules.allow.length === 0) return [];
    const allowed = globMatcher(rules.allow);
    const outside = changes.map(({ path }) => path).filter(path => !allowed(path));
    const [path] = outside;
    if (path === undefined) return [];
    return [{ message: `changed outside the allowed paths (${rules.allow.join(', ')}): ${some(outside)}`, path }];
  },
};

export const forbiddenPaths: Rule = {
  id: 'forbidden-paths',
  level: 'block',
  about: 'A change inside a forbidden path.',
  check: ({ changes, input: { rules } }) => {
    const forbidden = globMatcher(rules.forbid);
    const touched = changes.map(({ path }) => path).filter(path => forbidden(path));
    const [path] = touched;
    return path === undefined ? [] : [{ message: `changed forbidden paths: ${some(touched)}`, path }];
  },
};

export const writeOnce: Rule = {
  id: 'write-once',
  level: 'block',
  about: 'A file that may only be added was changed or removed.',
  check: ({ changes, input: { rules } }) => {
    const once = globMatcher(rules.writeOnce);
    const rewritten = changes.filter(change => change.kind !== 'added' && once(change.path)).map(({ path }) => path);
    const [path] = rewritten;
    if (path === undefined) return [];
    return [{ message: `changed or removed files that may only be added: ${some(rewritten)}`, path }];
  },
};

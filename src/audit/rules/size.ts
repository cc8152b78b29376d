/**
 * How large one change may be.
 *
 *     - 12 files, 300 lines for one item
 *     + 90 files, 40,000 lines for one item
 */
import { plural } from '../../util/show.ts';
import { roleOf } from '../roles.ts';
import type { Rule } from './rule.ts';

export const size: Rule = {
  id: 'size',
  level: 'block',
  about: 'More files or lines than one item should need.',
  check: ({ changes, input: { rules } }) => {
    // Generated content counts as a file, but its lines do not count.
    const written = changes.filter(({ path }) => !/^(?:lockfile|generated)$/.test(roleOf(path)));
    const files = changes.length;
    const net = written.reduce((sum, change) => sum + change.added - change.deleted, 0);
    const over = (limitFiles: number, limitLines: number) => files > limitFiles || net > limitLines;
    const facts = `${plural(files, 'file')} and ${net} net lines`;
    if (over(rules.files, rules.lines)) {
      const limits = `limit ${rules.files} files, ${rules.lines} lines`;
      return [{ message: `the change is too large for one item: ${facts} (${limits})` }];
    }
    if (over(rules.warnFiles, rules.warnLines)) {
      return [{ message: `a large change for one item: ${facts}`, level: 'warn' }];
    }
    return [];
  },
};

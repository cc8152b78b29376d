/** Guards that a person lifts for one item. */
import type { RuleId } from '../../protocol.ts';
import { globMatcher } from '../../util/globs.ts';

/** `test-removed:tests/legacy/**` lifts a rule for these paths, `size` for all. */
export function liftedBy(allow: readonly string[], rule: RuleId): (path: string | undefined) => boolean {
  const own = allow.filter(entry => entry === rule || entry.startsWith(`${rule}:`));
  if (own.length === 0) return () => false;
  if (own.includes(rule)) return () => true;
  const matches = globMatcher(own.map(entry => entry.slice(rule.length + 1)));
  return path => path !== undefined && matches(path);
}

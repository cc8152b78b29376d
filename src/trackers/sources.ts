/** Which source a tracker's address means. */
import { OWN_SCHEMES } from '../plan/index.ts';
import type { PlanSource } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';

export function sourceFor(scheme: string, own: readonly PlanSource[]): Result<PlanSource> {
  const found = [...own, github, gitlab].find(source => source.scheme === scheme);
  if (found) return ok(found);
  return fail<Failure>({
    reason: 'tracker-address',
    message: `nothing here knows the issues of "${scheme}:"`,
    hint: `Known: ${[...own.map(source => source.scheme), ...OWN_SCHEMES].join(', ')}. Others come with run({sources}) of the library.`,
  });
}

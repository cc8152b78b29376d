/** Which source a tracker's address means. */
import { OWN_SCHEMES } from '../plan/index.ts';
import type { PlanSource, SourcePlace } from '../protocol.ts';
import { errorText, type Failure, fail, ok, type Result } from '../util/result.ts';
import { showDuration } from '../util/show.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';

export function sourceFor(scheme: string, own: readonly PlanSource[]): Result<PlanSource> {
  const found = [...own.map(guarded), github, gitlab].find(source => source.scheme === scheme);
  if (found) return ok(found);
  return fail<Failure>({
    reason: 'tracker-address',
    message: `nothing here knows the issues of "${scheme}:"`,
    hint: `Known: ${[...own.map(source => source.scheme), ...OWN_SCHEMES].join(', ')}. Others come with run({sources}) of the library.`,
  });
}

/** One of a caller's own: a call that throws or never ends is a failure, and the run goes on. */
function guarded(source: PlanSource): PlanSource {
  const { scheme } = source;
  const failed = (why: string): Result<never> =>
    fail({ reason: 'tracker-refused', message: `${scheme}: ${why}`, hint: 'Try again with: ralph run' });
  const call = async <T>(act: () => Promise<Result<T>>, { timeoutMs }: SourcePlace): Promise<Result<T>> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Result<T>>(resolve => {
      timer = setTimeout(() => resolve(failed(`no answer within ${showDuration(timeoutMs)}`)), timeoutMs);
    });
    try {
      return await Promise.race([act(), late]);
    } catch (error) {
      return failed(errorText(error));
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    scheme,
    list: (query, place) => call(() => source.list(query, place), place),
    look: (project, ids, place) => call(() => source.look(project, ids, place), place),
    tell: (change, place) => call(() => source.tell(change, place), place),
  };
}

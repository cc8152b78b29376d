/** The next item: one that a person asked to retry comes first, if it can be worked on. */
import { type Pick, type PickInput, pickNext } from '../plan/index.ts';
import type { Session } from './session.ts';

export function pickItem(session: Session, input: PickInput): Pick {
  const { again, options } = session;
  session.again = undefined;
  const first = again === undefined ? undefined : pickNext({ ...input, only: again });
  return first?.next ? first : pickNext({ ...input, ...(options.only === undefined ? {} : { only: options.only }) });
}

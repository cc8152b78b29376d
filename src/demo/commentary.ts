/** Says once, right after each of the demo's moments, what has just been seen. */
import type { Event, EventSink } from '../events.ts';
import type { Verdict } from '../protocol.ts';

type Moment = 'accepted' | 'false-claim' | 'plan-edited' | 'empty-claim' | 'rate-limit' | 'hang' | 'final';

const WORDS: Readonly<Record<Moment, string>> = {
  accepted: 'the gates ran on exactly this tree: only now is it committed, and the story marked in prd.json',
  'false-claim': 'the agent said done, the tests disagree: refused. The next brief quotes the failing test',
  'plan-edited':
    'the agent ticked off stories in prd.json: the file was restored. Its own tick counts as a claim, no more',
  'empty-claim': 'and a claim without any work is refused',
  'rate-limit': "the provider's trouble, not the story's: wait until the announced time, use up no attempt",
  hang: 'silent for too long: the agent and all it had started were ended. Not charged either',
  final: 'every story is done; only the final gates decide whether the whole is',
};

/** A sink that passes everything on and adds its own words as notices. */
export function commented(view: EventSink): EventSink {
  const said = new Set<Moment>();
  let verdict: Verdict | undefined;
  return (event, at) => {
    view(event, at);
    if (event.type === 'verdict') verdict = event.verdict;
    const moment = momentOf(event, verdict);
    if (!moment || said.has(moment)) return;
    said.add(moment);
    view({ type: 'notice', level: 'info', message: `^ ${WORDS[moment]}` }, at);
  };
}

function momentOf(event: Event, verdict: Verdict | undefined): Moment | undefined {
  switch (event.type) {
    case 'plan.restored':
      return 'plan-edited';
    case 'final':
      return 'final';
    case 'iteration.finished':
      return verdict && outcomeOf(verdict);
    default:
      return undefined;
  }
}

function outcomeOf(verdict: Verdict): Moment | undefined {
  switch (verdict.type) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return verdict.reason === 'gate-red' ? 'false-claim' : verdict.reason === 'no-change' ? 'empty-claim' : undefined;
    case 'retry':
      return verdict.failure.class === 'rate-limit'
        ? 'rate-limit'
        : verdict.failure.class === 'timeout'
          ? 'hang'
          : undefined;
    case 'progress':
    case 'blocked':
      return undefined;
  }
}

/** The notifications that the config asks for: an event sink, loaded only if there is a target. */
import type { EventSink } from '../events.ts';
import type { Notifier } from '../notify/index.ts';
import type { Project } from '../start/index.ts';
import type { RunState } from '../state.ts';
import type { Failure } from '../util/result.ts';
import type { Ended } from './end-run.ts';

export interface Messages {
  /** A sink for the events of the run; `tell` reports delivery failures at once. */
  begin(facts: { readonly from: RunState | undefined; readonly tell: (text: string) => void }): EventSink;
  /** The run was refused before it started; a started run reports its own end. */
  refused(failure: Failure): void;
  /** Called last, with how the run ended. Returns what could not be delivered. */
  close(end?: Pick<Ended, 'reason' | 'why'>): Promise<readonly string[]>;
}

export async function openMessages({ settings, env, wholeEnv, repository }: Project): Promise<Messages | undefined> {
  const { notify: targets, limits } = settings;
  if (targets.length === 0) return undefined;
  const { openNotifier } = await import('./message-parts.ts');
  const troubles: string[] = [];
  let notifier: Notifier | undefined;
  let isGoing = false;
  return {
    begin: ({ from, tell }) => {
      const report = (text: string) => {
        troubles.push(text);
        tell(text);
      };
      const world = { env: wholeEnv, programEnv: env, root: repository.root };
      const { sink } = (notifier = openNotifier({ ...world, targets, limits, from, report }));
      return (event, at) => {
        if (event.type === 'run.started' || event.type === 'run.resumed') isGoing = true;
        if (event.type === 'run.finished') isGoing = false;
        sink(event, at);
      };
    },
    refused: failure => {
      if (!isGoing) notifier?.refused(failure);
    },
    close: async end => {
      // The end could not be recorded, for example on a full disk, so a person needs the message all the more.
      if (isGoing && end) notifier?.sink({ type: 'run.finished', ...end }, Date.now());
      await notifier?.close();
      return troubles;
    },
  };
}

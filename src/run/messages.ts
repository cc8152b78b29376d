/** The messages that a run's config asks for: wired like a view, loaded only where there is a target. */
import type { EventSink } from '../events.ts';
import type { Project } from '../start/index.ts';
import type { RunState } from '../state.ts';

export interface Messages {
  /** A sink for the events of the run; `tell` says at once what could not be delivered. */
  begin(facts: { readonly from: RunState | undefined; readonly tell: (text: string) => void }): EventSink;
  /** After everything else is over. What could not be delivered. */
  close(): Promise<readonly string[]>;
}

export async function openMessages({ settings, env, wholeEnv, repository }: Project): Promise<Messages | undefined> {
  const { notify: targets, limits } = settings;
  if (targets.length === 0) return undefined;
  const { openNotifier } = await import('../notify/index.ts');
  const troubles: string[] = [];
  let close: () => Promise<void> = () => Promise.resolve();
  return {
    begin: ({ from, tell }) => {
      const report = (text: string) => {
        troubles.push(text);
        tell(text);
      };
      const world = { env: wholeEnv, programEnv: env, root: repository.root };
      const notifier = openNotifier({ ...world, targets, limits, from, report });
      close = () => notifier.close();
      return notifier.sink;
    },
    close: async () => {
      await close();
      return troubles;
    },
  };
}

/** Traces of a live run, where the config wants them: one more sink, loaded only then. */
import type { EventSink } from '../events.ts';
import { readRecords, storeOf } from '../journal/index.ts';
import type { Project } from '../start/index.ts';
import { plain } from '../util/show.ts';

export interface Traces {
  readonly sink: EventSink;
  /** Waits a moment for what is not sent yet; by then the run is over. */
  close(): Promise<void>;
}

/** Trouble is said and changes nothing: undefined where there is nowhere to send to. */
export async function tracesOf(project: Project, warn: (message: string) => void): Promise<Traces | undefined> {
  const { settings, folder, env } = project;
  if (!settings.otel) return undefined;
  const { collectorAt, openSender, redact } = await import('./trace-parts.ts');
  const collector = collectorAt(settings.otel, { env, clean: redact });
  if (!collector.ok) {
    warn(`no traces are sent: ${collector.error.message}. ${collector.error.hint ?? ''}`);
    return undefined;
  }
  const sender = openSender({ collector: collector.value, onTrouble: warn });
  let run = '';
  const sink: EventSink = (event, at) => {
    if (event.type === 'run.started') run = event.run;
    // The run that is worked on is the first of the list, and its journal tells what came before.
    if (event.type === 'run.resumed') {
      run = storeOf(folder).runs()[0] ?? '';
      sender.remember(readRecords(folder, run) ?? []);
    }
    sender.sink(event, at);
  };
  const close = async () => {
    const left = await sender.close();
    if (left !== undefined)
      warn(`${left}. To send them: ralph export --run ${plain(run)} --otlp ${collector.value.url}`);
  };
  return { sink, close };
}

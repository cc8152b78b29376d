/** Sends traces of a live run if the config asks for them: one more sink, loaded only then. */
import type { EventSink } from '../events.ts';
import { readRecords, storeOf } from '../journal/index.ts';
import type { Project } from '../start/index.ts';
import { quoted } from '../util/shell-word.ts';
import { plain } from '../util/show.ts';

export interface Traces {
  readonly sink: EventSink;
  /** Waits briefly for unsent spans; the run is over by then. */
  close(): Promise<void>;
}

/** Returns undefined if there is no collector; failures are reported and never affect the run. */
export async function tracesOf(project: Project, warn: (message: string) => void): Promise<Traces | undefined> {
  const { settings, folder, wholeEnv: env } = project;
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
    // The current run is the first of the list, and its journal contains the earlier events.
    if (event.type === 'run.resumed') {
      run = storeOf(folder).runs()[0] ?? '';
      sender.remember(readRecords(folder, run) ?? []);
    }
    sender.sink(event, at);
  };
  const close = async () => {
    const left = await sender.close();
    if (left !== undefined)
      warn(`${left}. To send them: ralph export --run ${plain(run)} --otlp ${quoted(collector.value.url)}`);
  };
  return { sink, close };
}

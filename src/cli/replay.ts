/** `ralph audit --replay` */
import { replay as repeat, replayText } from '../morning/index.ts';
import { Stopper } from '../process/index.ts';
import { harmless } from '../report/index.ts';
import { openProject } from '../start/index.ts';
import { type Call, switchFlag } from './command.ts';
import { complain, note, printOnce } from './print.ts';
import { onSignals } from './signals.ts';

export async function replay(call: Call, run: string): Promise<number> {
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  try {
    const project = await openProject({ cwd: process.cwd(), env: process.env });
    if (!project.ok) return complain(project.error.failure, 2);
    const done = await repeat({
      project: project.value,
      run,
      signal: stopper.signal,
      show: (item, event) => {
        if (event.type === 'gate.started') note([`${item}: ${event.name} …`]);
      },
    });
    if (!done.ok) return complain(done.error, stopper.request ? 130 : 2);
    printOnce(switchFlag(call, 'json') ? JSON.stringify(done.value, undefined, 2) : harmless(replayText(done.value)));
    return done.value.items.every(({ reproduced }) => reproduced) ? 0 : 1;
  } finally {
    quit();
  }
}

/** How a run handles signals. */
import { writeSync } from 'node:fs';
import { isSupervising, killRunning, type Stopper } from '../process/index.ts';
import { plain } from '../util/show.ts';

/** An agent has ten seconds to end and five to be killed; then its work is set aside. What takes longer hangs. */
const LONGEST_S = 30;
/** The same for a git call that takes this long after all agents and gates have ended. */
const LONGEST_CALL_S = 10;

/**
 * First Ctrl-C: ends the agent and makes the state safe before the program ends. Second: ends at once, with the agent. Losing
 * the terminal must not end a run, so SIGHUP is ignored. SIGUSR2 means that something is in the inbox.
 */
export function onSignals(stopper: Stopper): () => void {
  let patience: NodeJS.Timeout | undefined;
  const asked = (reason: 'interrupted' | 'terminated', code: number) => () => {
    if (stopper.request?.now) return leaveAtOnce(code);
    stopper.stop({ reason, now: true });
    patience = waitOnly(() => leaveAtOnce(code));
  };
  const handlers: Readonly<Record<string, () => void>> = {
    SIGINT: asked('interrupted', 130),
    SIGTERM: asked('terminated', 143),
    SIGHUP: () => undefined,
    SIGUSR2: () => stopper.nudge(),
  };
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
  return () => {
    clearInterval(patience);
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
  };
}

/**
 * Ctrl-Z: takes the live block away before the shell writes in its place, and brings it back afterwards. The system itself
 * stops the program, because it knows whether there is a shell that could continue it.
 */
export function onSuspend({ hold }: { hold: () => () => void }): () => void {
  const suspend = () => {
    const release = hold();
    process.off('SIGTSTP', suspend);
    process.kill(process.pid, 'SIGTSTP');
    setImmediate(() => {
      process.on('SIGTSTP', suspend);
      release();
    });
  };
  process.on('SIGTSTP', suspend);
  return () => process.off('SIGTSTP', suspend);
}

/** Ends a program that was asked to stop but hangs. */
function waitOnly(leave: () => void): NodeJS.Timeout {
  let [all, alone] = [0, 0];
  return setInterval(() => {
    all += 1;
    alone = isSupervising() ? 0 : alone + 1;
    if (all >= LONGEST_S || alone >= LONGEST_CALL_S) leave();
  }, 1000).unref();
}

/** Ends at once: kills whatever still runs and names it. The journal is consistent at every moment. */
function leaveAtOnce(code: number): never {
  const met = killRunning();
  const lines = met.map(
    ({ pid, command, killed }) => `${killed ? 'killed' : 'could not kill'} ${pid} ${plain(command)}`,
  );
  const what = lines.length > 0 ? lines.join('\nralph: ') : 'left at once; nothing was running';
  try {
    writeSync(2, `\nralph: ${what}\n`);
  } catch {
    // Nobody reads stderr any more.
  }
  process.exit(code);
}

/** What signals do to a run. */
import { writeSync } from 'node:fs';
import { isSupervising, killRunning, type Stopper } from '../process/index.ts';
import { plain } from '../util/show.ts';

/** An agent has ten seconds to leave and five to be killed; then its work is put aside. What takes longer hangs. */
const LONGEST_S = 30;
/** So does a call of git that takes this long once no agent and no gate is there any more. */
const LONGEST_CALL_S = 10;

/**
 * First Ctrl-C: the agent is ended and the state is safe before the program leaves. Second: at once, and the agent with it.
 * Losing the terminal is not a reason to lose the night, so SIGHUP changes nothing. SIGUSR2 says that something is in the
 * inbox.
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

/** Nothing that is waited for may keep a program that was asked to end. */
function waitOnly(leave: () => void): NodeJS.Timeout {
  let [all, alone] = [0, 0];
  return setInterval(() => {
    all += 1;
    alone = isSupervising() ? 0 : alone + 1;
    if (all >= LONGEST_S || alone >= LONGEST_CALL_S) leave();
  }, 1000).unref();
}

/** Nobody waits any longer: whatever still runs is killed and named. The journal is safe at every moment. */
function leaveAtOnce(code: number): never {
  const met = killRunning();
  const lines = met.map(
    ({ pid, command, killed }) => `${killed ? 'killed' : 'could not kill'} ${pid} ${plain(command)}`,
  );
  const what = lines.length > 0 ? lines.join('\nralph: ') : 'left at once; nothing was running';
  try {
    writeSync(2, `\nralph: ${what}\n`);
  } catch {
    // Nobody reads any more.
  }
  process.exit(code);
}

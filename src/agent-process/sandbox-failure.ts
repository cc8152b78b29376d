import type { AgentFailure, ProcessEnd } from '../protocol.ts';
import { oneLine } from '../util/show.ts';

/** What bubblewrap says where it did not come to starting the agent: not the agent's failure, and no attempt of its. */
export function sandboxFailure({ code, outputBytes, stderr = '' }: ProcessEnd): AgentFailure | undefined {
  const isIts = code === 1 && /^bwrap: .+\n?$/.test(stderr) && outputBytes <= Buffer.byteLength(stderr) + 1;
  if (!isIts) return undefined;
  return { class: 'setup', message: `the sandbox did not start (ralph doctor --sandbox): ${oneLine(stderr, 300)}` };
}

/** Flags that several commands have. */
import type { Flag } from './command.ts';

export const plan: Flag = {
  kind: 'text',
  brief: 'The plan, if it is not that of the open run or the configured one',
  placeholder: 'FILE',
};
export const json: Flag = { kind: 'switch', brief: 'Print JSON for programs' };
export const ofRun: Readonly<Record<string, Flag>> = {
  run: { kind: 'text', brief: 'Another run than the open or the newest one', placeholder: 'ID' },
  plan: { kind: 'text', brief: 'The newest run of this plan', placeholder: 'FILE' },
};
export const ofLiveRun: Readonly<Record<string, Flag>> = {
  run: { kind: 'text', brief: 'Another live run than the one that began last', placeholder: 'ID' },
  plan: { kind: 'text', brief: 'The live run of this plan', placeholder: 'FILE' },
};
export const verbose = { kind: 'switch', short: 'v', brief: 'Show every step of the agent' } as const satisfies Flag;

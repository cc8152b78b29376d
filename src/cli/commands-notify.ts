/** The arguments and flags of `ralph notify`. */
import type { Command } from './command.ts';

export const notifyCommand: Command = {
  name: 'notify',
  group: 'Starting',
  brief: 'List notification targets; test sends a message to each',
  details: [
    'ralph notify                every target of ralph.yaml, its messages, and what it lacks',
    'ralph notify test           sends a test message to each, and reports the result',
    'ralph notify test <target>  only to this one',
    '',
    'Exit codes: 0 all arrived · 1 one did not · 2 no target, or none of this name',
  ],
  args: [
    { name: 'what', optional: true },
    { name: 'target', optional: true },
  ],
  flags: {},
  load: async () => (await import('./notify.ts')).notify,
};

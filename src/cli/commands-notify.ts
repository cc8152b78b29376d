/** What `ralph notify` takes. */
import type { Command } from './command.ts';

export const notifyCommand: Command = {
  name: 'notify',
  group: 'Starting',
  brief: 'List notification targets; test sends a message to each',
  details: [
    'ralph notify                every target of ralph.yaml, its messages, and what it lacks',
    'ralph notify test           a test message to each of them, and what became of it',
    'ralph notify test <target>  to this one alone',
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

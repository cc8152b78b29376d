/** The arguments and flags of `ralph queue`. */
import type { Command } from './command.ts';
import { json } from './shared-flags.ts';

export const queueCommand: Command = {
  name: 'queue',
  group: 'Starting',
  brief: 'Plans that wait for a time or for another run: add, list, remove, run',
  details: [
    'ralph queue add <plan>           with --at 22:00, --after <plan or run>, or both',
    'ralph queue [list]               what waits, and for what',
    'ralph queue remove <id|plan>     removes it from the queue',
    'ralph queue run                  start each in the background, in a worktree, once it is due; ends when nothing waits',
    '',
    'The queue is a file: after a reboot it is still there. Without `ralph queue run`, a run that ends starts what is due.',
  ],
  args: [
    { name: 'what', optional: true },
    { name: 'plan', optional: true },
  ],
  flags: {
    at: { kind: 'deadline', brief: 'Not before this time of day', placeholder: '22:00' },
    after: {
      kind: 'text',
      brief: 'Not before this plan or run is complete; builds on its branch',
      placeholder: 'PLAN',
    },
    json,
  },
  load: async () => (await import('./queue.ts')).queue,
};

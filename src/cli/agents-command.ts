/** The arguments and flags of `ralph agents`. */
import type { Command } from './command.ts';

export const agentsCommand: Command = {
  name: 'agents',
  group: 'Starting',
  brief: 'List the known agents: installed, version, login, capabilities',
  details: [
    'ralph agents             every agent that is known, and how to install those that are missing',
    'ralph agents try <name>  one tiny real piece of work in a throw-away repository, and what of it worked',
    '',
    'Exit codes of try: 0 it works · 1 it does not · 2 unknown · 4 not installed',
  ],
  args: [
    { name: 'what', optional: true },
    { name: 'name', optional: true },
  ],
  flags: {
    model: { kind: 'text', brief: 'The model to try it with', placeholder: 'NAME' },
    json: { kind: 'switch', brief: 'Print JSON for programs' },
  },
  load: async () => (await import('./agents.ts')).agents,
};

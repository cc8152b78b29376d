/** The commands that an agent's own session calls. */
import type { Command } from './command.ts';

export const inSessionCommands: readonly Command[] = [
  {
    name: 'hook',
    group: 'Inside an agent',
    brief: 'A loop inside one Claude Code session: it ends on the promise and green gates',
    details: [
      'ralph hook start "task"  begins a loop in the session that calls it; --from FILE takes the task from a file',
      'ralph hook stop          the Stop hook: reads the message of Claude Code on stdin, and lets the session end or not',
      'ralph hook stop --off    ends every such loop of this repository',
      'ralph hook               the loops there are',
      '',
      'Without a loop, and inside ralph run, the hook lets every session end.',
    ],
    args: [
      { name: 'what', optional: true },
      { name: 'task', optional: true },
    ],
    flags: {
      'max-iterations': { kind: 'count', brief: 'Let the session end after this many turns (10)', placeholder: 'N' },
      from: { kind: 'text', brief: 'With start: the task is in this file', placeholder: 'FILE' },
      off: { kind: 'switch', brief: 'End the loops of this repository' },
    },
    load: async () => (await import('./hook.ts')).hook,
  },
  {
    name: 'mcp',
    group: 'Inside an agent',
    brief: 'The MCP server of a session: look up the item, claim it, ask, record a lesson',
    details: [
      'With mcp: true in ralph.yaml, agents that support it get this server automatically. It speaks the Model Context',
      'Protocol over standard input and output. What an agent says with its tools is a claim like any other.',
    ],
    args: [],
    flags: {
      context: { kind: 'text', brief: 'What can be looked up, as the runner wrote it', placeholder: 'FILE' },
      inbox: { kind: 'text', brief: 'Where calls are written down for the runner', placeholder: 'FOLDER' },
    },
    load: async () => (await import('./mcp.ts')).mcp,
  },
  {
    name: 'plugin',
    group: 'Inside an agent',
    brief: 'The plugin for Claude Code: /ralph, /ralph-plan, /ralph-status, /ralph-loop',
    details: [
      'ralph plugin path     the folder it is in',
      'ralph plugin install  installs it with the commands of claude; without claude, prints them',
      '',
      'Exit codes of install: 0 it is installed · 1 claude refused · 4 claude is not installed',
    ],
    args: [{ name: 'what', optional: true }],
    flags: {
      scope: {
        kind: 'text',
        brief: 'For whom: user (default), project or local',
        placeholder: 'SCOPE',
        words: ['user', 'project', 'local'],
      },
    },
    load: async () => (await import('./plugin.ts')).plugin,
  },
];

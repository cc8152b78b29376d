/** Every command with its arguments and flags in one table: parsing, help and suggestions use it. */
import { agentsCommand } from './agents-command.ts';
import type { Command, Flag } from './command.ts';
import { inSessionCommands } from './commands-in-session.ts';
import { lookingCommands } from './commands-looking.ts';
import { morningCommands } from './commands-morning.ts';
import { notifyCommand } from './commands-notify.ts';
import { queueCommand } from './queue-command.ts';
import { json, ofLiveRun, plan, verbose } from './shared-flags.ts';

const withPlan = { plan };
const all: Flag = { kind: 'switch', brief: 'Every item that is blocked' };
const itemOrAll = [{ name: 'item', optional: true }];

/** The flags of `ralph run`; each has the same name in ralph.yaml. */
const runFlags = {
  'max-iterations': { kind: 'count', brief: 'Stop after this many iterations (50)', placeholder: 'N' },
  once: { kind: 'switch', brief: 'One iteration, then stop' },
  agent: {
    kind: 'text',
    brief: 'A name (ralph agents), names in order (claude,codex), or the path of a program',
    placeholder: 'NAME',
  },
  model: { kind: 'text', brief: 'The model the agent uses', placeholder: 'M' },
  effort: { kind: 'text', brief: 'Reasoning effort of the model', placeholder: 'E' },
  timeout: { kind: 'duration', brief: 'Stop after this much work, waits not counted (4h)', placeholder: 'TIME' },
  deadline: { kind: 'deadline', brief: 'Stop at this time of day, waiting or not', placeholder: '07:00' },
  'iteration-timeout': { kind: 'duration', brief: 'Longest time for one agent (45m)', placeholder: 'TIME' },
  'idle-timeout': { kind: 'duration', brief: 'Longest silence of an agent (10m)', placeholder: 'TIME' },
  'max-attempts': { kind: 'count', brief: 'Rejections before an item is blocked (3)', placeholder: 'N' },
  'max-fruitless': {
    kind: 'count',
    brief: 'Iterations in a row with nothing accepted before a stop (6)',
    placeholder: 'N',
  },
  'max-cost': { kind: 'number', brief: 'Stop when this many dollars are spent (25)', placeholder: 'USD' },
  worktree: { kind: 'switch', brief: 'Work in a separate worktree' },
  parallel: {
    kind: 'count',
    brief: 'Work on this many items at once, each in its own worktree (1)',
    placeholder: 'N',
  },
  branch: { kind: 'text', brief: 'The branch to work on', placeholder: 'NAME' },
  milestone: { kind: 'text', brief: 'Only the issues of this milestone (github:, gitlab:)', placeholder: 'NAME' },
  after: { kind: 'text', brief: 'Build on the branch of this plan or run, once that is complete', placeholder: 'PLAN' },
  at: { kind: 'deadline', brief: 'Wait until this time of day', placeholder: '22:00' },
  only: { kind: 'text', brief: 'Only this item', placeholder: 'ITEM' },
  reset: { kind: 'text', brief: 'Reset this item, then run only it', placeholder: 'ITEM' },
  until: {
    kind: 'text',
    brief: 'A command that must also pass; kept when the run is continued',
    placeholder: 'COMMAND',
  },
  claims: {
    kind: 'text',
    brief: 'Green work without a claim: settle (accept it in the end) or required',
    placeholder: 'HOW',
    words: ['settle', 'required'],
  },
  'allow-red': { kind: 'switch', brief: 'Start even if the gates are red' },
  'dry-run': { kind: 'switch', brief: 'Show what would happen, start nothing' },
  attended: { kind: 'switch', brief: 'Ask after each verdict' },
  detach: { kind: 'switch', brief: 'Run in the background' },
  verbose,
  json: { kind: 'switch', brief: 'One event per line on stdout' },
  quiet: { kind: 'switch', brief: 'Only the closing summary' },
  yes: { kind: 'switch', brief: 'Never ask' },
  'no-sandbox': { kind: 'switch', brief: 'Allow running without a sandbox' },
  plan,
} as const satisfies Readonly<Record<string, Flag>>;

const confirm = {
  kind: 'text',
  brief: 'The code that the terminal of the live run shows for this order',
  placeholder: 'CODE',
} as const;

const mark = (name: string, brief: string, note: boolean): Command => ({
  name,
  group: 'Marking items',
  brief,
  args: [{ name: 'item' }],
  flags: note
    ? { ...withPlan, why: { kind: 'text', brief: 'The reason, kept with the mark', placeholder: 'TEXT' }, confirm }
    : { ...withPlan, confirm },
  load: async () => (await import('./mark.ts')).mark,
  printsOnce: true,
});

const talk = (name: string, brief: string, more: Partial<Command> = {}): Command => ({
  name,
  group: 'Talking to a live run',
  brief,
  args: [],
  load: async () => (await import('./control-run.ts')).talk,
  ...more,
  flags: { ...more.flags, ...ofLiveRun },
});

export const commands: readonly Command[] = [
  {
    name: 'demo',
    group: 'Starting',
    brief: 'A full run on a throw-away repository: no key, no network',
    args: [],
    flags: {
      keep: { kind: 'text', brief: 'Where to put the repository', placeholder: 'FOLDER' },
      verbose: runFlags.verbose,
      json: runFlags.json,
    },
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'init',
    aliases: ['setup'],
    group: 'Starting',
    brief: 'Set up a repository: ralph.yaml, a first plan, .gitignore',
    details: [
      'Finds out the language, the gates, the agent and the plan that are here, asks for the rest, and writes what is',
      'missing. Existing files are never overwritten.',
    ],
    args: [],
    flags: {
      format: {
        kind: 'text',
        brief: 'prd, checklist, groups, sprint or prompt (what is here, or prd)',
        placeholder: 'F',
      },
      agent: runFlags.agent,
      gates: { kind: 'switch', brief: 'only add the check commands that are found here to ralph.yaml' },
      yes: runFlags.yes,
    },
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'doctor',
    group: 'Starting',
    brief: 'Launch checklist: would a run start, and what to fix',
    args: [{ name: 'plan', optional: true }],
    flags: {
      ...withPlan,
      agent: runFlags.agent,
      worktree: runFlags.worktree,
      branch: runFlags.branch,
      after: runFlags.after,
      only: runFlags.only,
      'allow-red': runFlags['allow-red'],
      deadline: runFlags.deadline,
      'no-sandbox': runFlags['no-sandbox'],
      sandbox: { kind: 'switch', brief: 'Only this: try to get out of the sandbox, and say what holds' },
      json,
    },
    load: async () => (await import('./doctor.ts')).doctor,
  },
  agentsCommand,
  notifyCommand,
  {
    name: 'plan',
    group: 'Starting',
    brief: 'Let an agent write a plan for a goal; builds nothing',
    details: [
      'One agent session whose only allowed change is the plan file. It reads the repository and writes 5 to 12 items',
      'with acceptance criteria, dependencies and check commands. The result is parsed, checked and shown as a table.',
      '',
      'Exit codes: 0 the plan is there · 1 no valid plan was made, nothing changed · 2 bad usage or a plan in the way ·',
      '4 pre-flight refused · 130, 143 interrupted',
    ],
    args: [{ name: 'goal', optional: true }],
    flags: {
      from: { kind: 'text', brief: 'Notes to plan from', placeholder: 'FILE' },
      format: { kind: 'text', brief: 'prd (default), checklist, groups, sprint or speckit', placeholder: 'NAME' },
      out: { kind: 'text', brief: 'Where to write it (prd.json, PROGRESS.md)', placeholder: 'FILE' },
      force: { kind: 'switch', brief: 'Replace a plan that has open items' },
      'any-size': { kind: 'switch', brief: 'Accept any number of items' },
      agent: runFlags.agent,
      model: runFlags.model,
      effort: runFlags.effort,
      'iteration-timeout': runFlags['iteration-timeout'],
      'idle-timeout': runFlags['idle-timeout'],
      'no-sandbox': runFlags['no-sandbox'],
      json: { kind: 'switch', brief: 'Print what `ralph check --json` would' },
    },
    load: async () => (await import('./plan.ts')).plan,
  },
  {
    name: 'import',
    group: 'Starting',
    brief: 'Convert a Markdown PRD or checklist to prd.json, without an agent',
    details: [
      'Stories are headings such as "### US-001: Title" or "### 1. Title" with their acceptance criteria, or else the',
      'task boxes. What is not carried over is listed with its lines.',
    ],
    args: [{ name: 'file' }],
    flags: {
      out: { kind: 'text', brief: 'Where to write it (prd.json)', placeholder: 'FILE' },
      force: { kind: 'switch', brief: 'Replace an existing file' },
    },
    load: async () => (await import('./import.ts')).importPlan,
  },
  {
    name: 'convert',
    group: 'Starting',
    brief: 'Convert a plan to another format, if nothing is lost',
    details: [
      'What the other format cannot hold is listed, and the conversion refused with exit code 2 unless --lossy says',
      'that this is fine.',
    ],
    args: [{ name: 'plan', optional: true }],
    flags: {
      plan: { kind: 'text', brief: 'The plan, named by a flag', placeholder: 'FILE' },
      to: { kind: 'text', brief: 'prd or checklist', placeholder: 'NAME' },
      out: { kind: 'text', brief: 'Where to write it (prd.json, PROGRESS.md beside the plan)', placeholder: 'FILE' },
      force: { kind: 'switch', brief: 'Replace an existing file' },
      lossy: { kind: 'switch', brief: 'Write it even if something is lost' },
    },
    load: async () => (await import('./convert.ts')).convert,
  },
  {
    name: 'compile',
    group: 'Starting',
    brief: 'Compile SPRINT.yaml and its workflows to PROGRESS.yaml',
    details: [
      'Expands the phases of the workflow for each step of the sprint, each with its own prompt. `ralph run <folder>`',
      'does this automatically; this command shows the result first. Sprint files are described in docs/sprints.md.',
    ],
    args: [{ name: 'folder' }],
    flags: { force: { kind: 'switch', brief: 'Start over although there is progress' }, json },
    load: async () => (await import('./compile.ts')).compile,
  },
  {
    name: 'run',
    group: 'Starting',
    brief: 'Start or continue a run',
    details: [
      'Works through the plan, one fresh agent process per item, and keeps only what gates and guards accept.',
      'The plan is a file (prd.json, a Markdown checklist, PROMPT.md) or the task in words. Call it again to',
      'continue after any stop or crash.',
      '',
      'Exit codes: 0 all done, final gates green · 1 stopped with work left · 2 bad usage, config or plan ·',
      '3 a person is needed · 4 pre-flight refused · 130, 143 interrupted',
    ],
    args: [{ name: 'plan', optional: true, many: true }],
    flags: runFlags,
    load: async () => (await import('./run.ts')).run,
  },
  queueCommand,
  ...lookingCommands,
  ...morningCommands,
  mark('done', 'Mark an item done', false),
  mark('reset', 'Make an item pending again and forget its attempts', false),
  mark('skip', 'Skip an item', true),
  mark('block', 'Block an item: the loop leaves it alone', true),
  {
    ...mark('unblock', 'Allow the loop to work on an item again', false),
    args: itemOrAll,
    flags: { ...withPlan, all, confirm },
  },
  {
    name: 'retry',
    group: 'Marking items',
    brief: 'Try an item again from its first attempt, with a hint',
    details: [
      'For an item that is blocked, or whose review is not settled. Its attempts count from the start; the next brief',
      'carries the hint and what the last attempt failed on. What was tried stays under its refs: see ralph report.',
    ],
    args: itemOrAll,
    flags: {
      ...withPlan,
      all,
      with: { kind: 'text', brief: 'What the next brief should say', placeholder: 'TEXT' },
      confirm,
    },
    load: async () => (await import('./retry.ts')).retry,
  },
  {
    name: 'answer',
    group: 'Marking items',
    brief: 'Answer what the agent of an item asked (ralph inbox)',
    details: [
      'The item continues where it was, with the answer in its next brief; asking does not use up an attempt. To give a',
      'permanent answer, write it to .ralph/answers.md: a heading is the question, the text below it the answer.',
    ],
    args: [{ name: 'item' }, { name: 'text' }],
    flags: { ...withPlan, confirm },
    load: async () => (await import('./answer.ts')).answer,
  },
  talk('pause', 'Pause after the current iteration'),
  talk('resume', 'Continue after a pause, or end a wait early'),
  talk('stop', 'Stop after the current iteration', {
    flags: { now: { kind: 'switch', brief: 'Stop the agent immediately' } },
  }),
  talk('steer', 'Add a note to every brief from now on', { args: [{ name: 'text' }], flags: { confirm } }),
  ...inSessionCommands,
];

export const commandNamed = (name: string): Command | undefined =>
  commands.find(command => command.name === name || command.aliases?.includes(name));

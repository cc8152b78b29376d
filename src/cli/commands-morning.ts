/** The commands for reviewing and merging the results of runs. */
import type { Command } from './command.ts';
import { json, ofRun } from './shared-flags.ts';

export const morningCommands: readonly Command[] = [
  {
    name: 'review',
    group: 'In the morning',
    brief: 'The night on one page: every branch, what needs a person, what to do next',
    details: [
      'In a terminal it shows the diffs of each branch and takes decisions: merge, discard, pr, retry.',
      'ralph review --items [item...]   the review agent looks at items that are done and were never reviewed, once each',
    ],
    args: [{ name: 'item', optional: true, many: true }],
    flags: {
      since: { kind: 'text', brief: 'A duration or a date (1d)', placeholder: 'T' },
      items: { kind: 'switch', brief: 'Review items that are done and were never reviewed: these, or all' },
      plan: { kind: 'text', brief: 'With --items: of this plan', placeholder: 'FILE' },
      worktree: { kind: 'switch', brief: 'With --items: in its own worktree' },
      'no-sandbox': { kind: 'switch', brief: 'With --items: without a sandbox' },
      json,
    },
    load: async () => (await import('./review.ts')).review,
  },
  {
    name: 'runs',
    group: 'In the morning',
    brief: 'Every run: state, items, cost, when it was last worked on',
    args: [],
    flags: { json },
    load: async () => (await import('./runs.ts')).runs,
  },
  {
    name: 'merge',
    group: 'In the morning',
    brief: 'Merge a run into the branch it came from, gates first',
    details: [
      'The merged tree is made without touching any checkout, and the gates run on it. Only when they are green does the',
      'branch move: forward where that is possible, else by a merge commit. A checkout with changes stays as it is.',
    ],
    args: [{ name: 'run', optional: true }],
    flags: {
      into: { kind: 'text', brief: 'Another branch than the one it came from', placeholder: 'BRANCH' },
      'no-ff': { kind: 'switch', brief: 'Make a merge commit even if a fast-forward is possible' },
      squash: { kind: 'switch', brief: 'Squash all items into one commit' },
      json,
    },
    load: async () => (await import('./merge.ts')).merge,
  },
  {
    name: 'discard',
    group: 'In the morning',
    brief: 'Delete the branch of a run; it can be restored for 30 days',
    args: [{ name: 'run' }],
    flags: {
      undo: { kind: 'switch', brief: 'Restore the branch of a discarded run' },
      json,
    },
    load: async () => (await import('./discard.ts')).discard,
  },
  {
    name: 'revert',
    group: 'In the morning',
    brief: 'Undo the work of an accepted item; it becomes pending again',
    details: [
      'A new commit on the branch of the run undoes what the item changed, and marks it pending in the plan; the next',
      'ralph run does it again. Refused where items that are done build on it, and where later work changed the same',
      'lines. A checkout with changes stays as it is.',
    ],
    args: [{ name: 'item' }],
    flags: {
      'with-dependents': { kind: 'switch', brief: 'Also undo the items that depend on it' },
      json,
      ...ofRun,
    },
    load: async () => (await import('./revert.ts')).revert,
  },
  {
    name: 'pr',
    group: 'In the morning',
    brief: 'Open a pull request for a run; title and body come from its evidence',
    details: [
      'Pushes the branch and asks gh or glab to make the request; where neither is installed, title and body are printed.',
    ],
    args: [{ name: 'run', optional: true }],
    flags: {
      into: { kind: 'text', brief: 'Another branch than the one it came from', placeholder: 'BRANCH' },
      print: { kind: 'switch', brief: 'Only print title and body' },
      json,
    },
    load: async () => (await import('./pr.ts')).pr,
  },
  {
    name: 'sync',
    group: 'In the morning',
    brief: 'Issues as a plan: fetch them again, and send pending updates to the tracker',
    details: [
      'Without a name: every tracker that was used here. Exit codes: 0 · 1 something could not be fetched or sent yet ·',
      '2 no such issues · 4 the tracker cannot be reached, or a run is live (which does all this itself)',
    ],
    args: [{ name: 'tracker', optional: true }],
    flags: { json },
    load: async () => (await import('./sync.ts')).sync,
  },
];

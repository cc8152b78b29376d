/** The commands for what a night has left. */
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
      worktree: { kind: 'switch', brief: 'With --items: in a worktree of its own' },
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
    brief: 'The work of a run into the branch it came from, gates first',
    details: [
      'The merged tree is made without touching any checkout, and the gates run on it. Only when they are green does the',
      'branch move: forward where that is possible, else by a merge commit. A checkout with changes stays as it is.',
    ],
    args: [{ name: 'run', optional: true }],
    flags: {
      into: { kind: 'text', brief: 'Another branch than the one it came from', placeholder: 'BRANCH' },
      'no-ff': { kind: 'switch', brief: 'A merge commit although the branch could move forward' },
      squash: { kind: 'switch', brief: 'One commit for all items' },
      json,
    },
    load: async () => (await import('./merge.ts')).merge,
  },
  {
    name: 'discard',
    group: 'In the morning',
    brief: 'Take the branch of a run away; it can be had back for 30 days',
    args: [{ name: 'run' }],
    flags: {
      undo: { kind: 'switch', brief: 'Bring the branch of a discarded run back' },
      json,
    },
    load: async () => (await import('./discard.ts')).discard,
  },
  {
    name: 'revert',
    group: 'In the morning',
    brief: 'Take back the work of an accepted item; it is pending again',
    details: [
      'A new commit on the branch of the run undoes what the item changed, and marks it pending in the plan; the next',
      'ralph run does it again. Refused where items that are done build on it, and where later work changed the same',
      'lines. A checkout with changes stays as it is.',
    ],
    args: [{ name: 'item' }],
    flags: {
      'with-dependents': { kind: 'switch', brief: 'Take back the items that build on it as well' },
      json,
      ...ofRun,
    },
    load: async () => (await import('./revert.ts')).revert,
  },
  {
    name: 'pr',
    group: 'In the morning',
    brief: 'A pull request for the branch of a run, its words made from evidence',
    details: [
      'Pushes the branch and asks gh or glab to make the request; where neither is installed, the words are printed.',
    ],
    args: [{ name: 'run', optional: true }],
    flags: {
      into: { kind: 'text', brief: 'Another branch than the one it came from', placeholder: 'BRANCH' },
      print: { kind: 'switch', brief: 'Only print the words' },
      json,
    },
    load: async () => (await import('./pr.ts')).pr,
  },
  {
    name: 'sync',
    group: 'In the morning',
    brief: 'Issues as a plan: fetch them again, and tell their tracker what waits',
    details: [
      'Without a name: every tracker that was used here. Exit codes: 0 · 1 something could not be fetched or sent yet ·',
      '2 no such issues · 4 the tracker cannot be reached, or a run is going on (which does all this itself)',
    ],
    args: [{ name: 'tracker', optional: true }],
    flags: { json },
    load: async () => (await import('./sync.ts')).sync,
  },
];

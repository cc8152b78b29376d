import { describe, expect, test } from 'vitest';
import { summaryText } from '../../src/report/summary.ts';
import { fold } from '../../src/state.ts';
import { asked, items, journalOf, scenario, type Told } from './scenario.ts';

describe('the closing summary', () => {
  test('says what there is, what needs a person and what to look at next', () => {
    const state = fold(journalOf(scenario));
    expect(summaryText({ state, items, color: false, mergeInto: 'main' })).toBe(
      `
A person is needed: nothing is left but blocked items (US-002 waits for a person).

  items     2 of 3 done · 1 blocked
  branch    ralph/payments
  commits   2 (aaaaaaa..decade7)
  final     not green: e2e
  time      14m 06s, 4 iterations
  tokens    36.9k in, 6.3k out, 27.0k cached
  cost      $0.42

Needs a person
  US-002 Send the invoice: needs the mail key

Next
  git log --oneline aaaaaaa..ralph/payments  # the commits
  ralph report                               # every attempt with its evidence
  ralph unblock US-002                       # once it is solved
  ralph retry US-002 --with "..."            # or with a hint for its next brief
  ralph run                                  # go on
`.slice(1),
    );
  });

  test('a complete run needs no going on, and one without commits nothing to merge', () => {
    const told: readonly Told[] = [...scenario.slice(0, 2), [1, { type: 'run.finished', reason: 'complete', why: '' }]];
    const done = items.map(item => ({ ...item, status: 'done' as const }));
    const text = summaryText({ state: fold(journalOf(told)), items: done, color: false, mergeInto: 'main' });
    expect(text).toMatch(/^Complete: .*\n\n {2}items {5}3 of 3 done\n/);
    expect(text).toContain('commits   none');
    expect(text).not.toMatch(/ralph run|ralph merge|git log|Needs a person|cost|tokens/);
  });

  test('a branch name cannot become another command', () => {
    const finished = { reason: 'complete' as const, why: '', at: 0 };
    const state = { ...fold(journalOf(scenario)), branch: "x';rm -rf ~", finished };
    const text = summaryText({ state, items, color: false, mergeInto: '$(id)' });
    expect(text).toContain("--into '$(id)'");
    expect(text).toMatch(/^ {2}git log --oneline .*'x'\\'';rm -rf ~'/m);
  });

  test('says where the work and the archive are, and what was learned', () => {
    const finished = { reason: 'complete' as const, why: '', at: 0 };
    const state = { ...fold(journalOf(scenario)), finished, workspace: '.ralph/worktrees/x' };
    const learned = ['One.', 'Two.', 'Three.', 'Four.'];
    const text = summaryText({
      state,
      items,
      color: false,
      mergeInto: 'main',
      archive: { folder: 'archives/x', learned },
    });
    expect(text).toContain('  worktree  .ralph/worktrees/x (the work is there, not in your checkout)\n');
    expect(text).toContain('  archive   archives/x (plan, log and lessons for later runs; git ignores it)\n');
    expect(text).toContain(
      '  learned   One.\n            Two.\n            Three.\n            and 1 more: ralph lessons\n',
    );
    expect(text).toMatch(/ralph merge 2026-01-08-payments --into main +# take the work into main, gates first\n$/);
  });

  test('questions and other blocked items each have their next step', () => {
    const state = fold(
      journalOf([
        ...scenario.slice(0, 2),
        [1, { type: 'item.marked', item: 'US-001', to: 'blocked', by: 'runner', why: 'a gate is red' }],
        ...asked('US-002'),
      ]),
    );
    const next = summaryText({ state, items: items.map(item => ({ ...item, status: 'pending' })), color: false });
    expect(next.slice(next.indexOf('Next'))).toMatch(
      /ralph answer US-002 "..." .*\n {2}ralph unblock US-001 .*\n {2}ralph retry US-001 --with "..." .*\n {2}ralph run /,
    );
  });

  test('the plan says why an item is blocked when the run does not', () => {
    const state = fold(journalOf(scenario.slice(0, 2)));
    const blocked = [{ id: 'A', title: 'T', status: 'blocked' as const, note: 'no key yet' }];
    expect(summaryText({ state, items: blocked, color: false })).toContain('\n  A T: no key yet\n');
  });
});

/** A person means a run by its id, its branch, or its plan: by name, file or folder. */
import { expect, test } from 'vitest';
import { isCalled, isNearlyCalled } from '../../src/start/run-names.ts';

const run = {
  run: '2026-11-19-login',
  plan: { name: 'Login', path: 'sprints/login/PROGRESS.md' },
  branch: 'ralph/login',
};

test.each([
  '2026-11-19-login',
  'Login',
  'ralph/login',
  'sprints/login/PROGRESS.md',
  './sprints/login/PROGRESS.md',
  'sprints/login',
  'sprints/login/',
])('%s is the run', name => expect(isCalled(run, name)).toBe(true));

test.each(['', '.', 'sprints', 'login', 'main'])('"%s" is not', name => expect(isCalled(run, name)).toBe(false));

test('the words of the plan in another spelling are nearly its name, and nothing is not', () => {
  expect(isNearlyCalled(run, 'login')).toBe(true);
  expect(isNearlyCalled({ ...run, plan: { ...run.plan, name: '' } }, '')).toBe(false);
});

import { expect, test } from 'vitest';
import { refusedProgram } from '../../src/util/system-error.ts';

test('what the system refused a program is said in words, with what to do; anything else is left to the program', () => {
  const full = refusedProgram('git add failed: fatal: unable to write loose object file: No space left on device');
  expect(full).toMatchObject({
    reason: 'system',
    message: expect.stringMatching(/^the disk is full \(git add failed/),
  });
  expect(full?.hint).toBe('Free some space, then start this command again.');
  expect(refusedProgram('error: Read-only file system')?.message).toContain('the file system is read-only');
  expect(refusedProgram('git merge failed: fatal: refusing to merge unrelated histories')).toBeUndefined();
});

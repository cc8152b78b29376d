/** Minimal rules and a minimal item; a test adds what it is about. */
import type { GuardRules, Item } from '../../src/protocol.ts';

export const plainRules: GuardRules = {
  allow: [],
  forbid: [],
  writeOnce: [],
  files: 60,
  lines: 5000,
  warnFiles: 10,
  warnLines: 500,
};

export const plainItem = (more: Partial<Item> = {}): Item => ({
  id: 'x',
  title: 'x',
  status: 'pending',
  dependsOn: [],
  line: 1,
  body: '',
  criteria: [],
  verify: [],
  changeOptional: false,
  ...more,
});

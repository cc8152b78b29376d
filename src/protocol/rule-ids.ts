/** The ids of all rules. Old configs, plans and reports contain them, so an id never changes. */

/** Rules that check the diff itself. */
export const guardIds = [
  'allowed-paths',
  'forbidden-paths',
  'write-once',
  'inside-only',
  'size',
  'unread',
  'binary',
  'mode-change',
  'private-file',
  'secret',
  'test-skip',
  'test-skip-conditional',
  'test-focus',
  'test-removed',
  'test-emptied',
  'test-weakened',
  'test-expectation',
  'test-tautology',
  'test-swallow',
  'test-mocks-subject',
  'test-exit',
  'test-retry',
  'test-timeout',
  'test-runner',
  'snapshot',
  'snapshot-only',
  'equality-override',
  'threshold',
  'config-relaxed',
  'suppression',
  'suppression-blanket',
  'gate-softened',
  'gate-removed',
  'gate-ground',
  'ci-edited',
  'agent-control',
  'agent-notes',
  'manifest',
  'manifest-lock',
  'install-script',
  'env-sniff',
  'hard-coded',
  'stub',
  'swallow',
  'todo',
  'docs-only',
] as const;

/** Rules about results of tests on other trees than the one that is judged. */
const proofRuleIds = [
  'tests-fewer',
  'old-tests',
  'test-first',
  'test-vacuous',
  'mutation',
  'evidence-incomplete',
] as const;

/** All rules. */
export const ruleIds = [...guardIds, 'tools-changed', 'changed-under-gates', ...proofRuleIds] as const;

export type GuardId = (typeof guardIds)[number];
export type ProofRuleId = (typeof proofRuleIds)[number];
export type RuleId = (typeof ruleIds)[number];

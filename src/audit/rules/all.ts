/** All guards, and running them together. */
import type { Finding, GuardId, GuardInput, Level } from '../../protocol.ts';
import { type Look, lookAt } from '../look.ts';
import { agentControl, agentNotes, ciEdited } from './ci-and-agent-files.ts';
import { configRelaxed } from './config-relaxed.ts';
import { envSniff } from './env-sniff.ts';
import { equalityOverride } from './equality-override.ts';
import { gateGround } from './gate-ground.ts';
import { gateRemoved } from './gate-removed.ts';
import { gateSoftened } from './gate-softened.ts';
import { hardCoded } from './hard-coded.ts';
import { insideOnly } from './inside-only.ts';
import { liftedBy } from './lifted.ts';
import { installScript, manifest, manifestLock } from './manifest.ts';
import { allowedPaths, forbiddenPaths, writeOnce } from './paths.ts';
import { privateFile } from './private-file.ts';
import type { Found, Rule } from './rule.ts';
import { secret } from './secret.ts';
import { size } from './size.ts';
import { snapshot, snapshotOnly } from './snapshot.ts';
import { stub } from './stub.ts';
import { suppression, suppressionBlanket } from './suppression.ts';
import { docsOnly, swallow, todo } from './swallow-todo-docs.ts';
import { testEmptied } from './test-emptied.ts';
import { testExit, testRunner } from './test-exit.ts';
import { testExpectation } from './test-expectation.ts';
import { testMocksSubject } from './test-mocks-subject.ts';
import { testRemoved } from './test-removed.ts';
import { testRetry, testTimeout } from './test-retry-timeout.ts';
import { testFocus, testSkip, testSkipConditional } from './test-skip.ts';
import { testSwallow } from './test-swallow.ts';
import { testTautology } from './test-tautology.ts';
import { testWeakened } from './test-weakened.ts';
import { threshold } from './threshold.ts';
import { binary, modeChange, unread } from './unreadable-files.ts';

/** The guards by id; the compiler checks that none is missing. */
export const guards: Readonly<Record<GuardId, Rule>> = {
  'allowed-paths': allowedPaths,
  'forbidden-paths': forbiddenPaths,
  'write-once': writeOnce,
  'inside-only': insideOnly,
  size,
  unread,
  binary,
  'mode-change': modeChange,
  'private-file': privateFile,
  secret,
  'test-skip': testSkip,
  'test-skip-conditional': testSkipConditional,
  'test-focus': testFocus,
  'test-removed': testRemoved,
  'test-emptied': testEmptied,
  'test-weakened': testWeakened,
  'test-expectation': testExpectation,
  'test-tautology': testTautology,
  'test-swallow': testSwallow,
  'test-mocks-subject': testMocksSubject,
  'test-exit': testExit,
  'test-retry': testRetry,
  'test-timeout': testTimeout,
  'test-runner': testRunner,
  snapshot,
  'snapshot-only': snapshotOnly,
  'equality-override': equalityOverride,
  threshold,
  'config-relaxed': configRelaxed,
  suppression,
  'suppression-blanket': suppressionBlanket,
  'gate-softened': gateSoftened,
  'gate-removed': gateRemoved,
  'gate-ground': gateGround,
  'ci-edited': ciEdited,
  'agent-control': agentControl,
  'agent-notes': agentNotes,
  manifest,
  'manifest-lock': manifestLock,
  'install-script': installScript,
  'env-sniff': envSniff,
  'hard-coded': hardCoded,
  stub,
  swallow,
  todo,
  'docs-only': docsOnly,
};

/** At most this many findings per rule; the last one says how many more there are. */
const PER_RULE = 20;

export function checkGuards(input: GuardInput): readonly Finding[] {
  const look = lookAt(input);
  return Object.values(guards).flatMap(rule => findingsOf(rule, look));
}

function findingsOf(rule: Rule, look: Look): readonly Finding[] {
  const { rules, item } = look.input;
  const chosen = rules.levels?.[rule.id];
  if (chosen === 'off' || (rule.protects === 'tests' && rules.tests === 'free')) return [];
  const isLifted = liftedBy(item.allow ?? [], rule.id);
  const found = rule.check(look).filter(({ path }) => !isLifted(path));
  const all = found.map((one): Finding => ({ rule: rule.id, level: levelOf(rule, one, look, chosen), ...placed(one) }));
  if (all.length <= PER_RULE) return all;
  const rest = all.length - PER_RULE;
  const worst = all.toSorted((a, b) => rank(b.level) - rank(a.level)).slice(0, PER_RULE);
  const last = worst.at(-1);
  return last ? [...worst.slice(0, -1), { ...last, message: `${last.message} (and ${rest} more like this)` }] : worst;
}

const placed = ({ message, path, line }: Found): Pick<Finding, 'message' | 'path' | 'line'> => ({
  message,
  ...(path !== undefined && { path }),
  ...(line !== undefined && { line }),
});

const rank = (level: Level): number => ['note', 'warn', 'block'].indexOf(level);

/** The level that the user chose applies to the rule; a case that the rule itself rates lower stays lower. */
function levelOf(rule: Rule, { level }: Found, { scope }: Look, chosen: Level | undefined): Level {
  const own = scope === 'range' ? (rule.inRange ?? rule.level) : rule.level;
  const wanted = chosen ?? own;
  if (level === undefined) return wanted;
  if (chosen !== undefined && rank(chosen) > rank(own)) return chosen;
  return rank(level) < rank(wanted) ? level : wanted;
}

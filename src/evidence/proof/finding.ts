/** Findings of a proof, subject to the levels and exceptions that people can choose, as for every guard. */

import { liftedBy } from '../../audit/index.ts';
import type { Finding, GuardRules, Item, Level, ProofRuleId } from '../../protocol.ts';

export interface ProofFound {
  readonly rule: ProofRuleId;
  readonly level: Level;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
}

export interface Choices {
  readonly item: Pick<Item, 'allow'>;
  readonly rules: Pick<GuardRules, 'levels' | 'tests'>;
}

/** Whether the rule has to be checked at all. */
export function isOn(rule: ProofRuleId, { item, rules }: Choices): boolean {
  if (rules.levels?.[rule] === 'off') return false;
  if (rules.tests === 'free' && (rule === 'tests-fewer' || rule === 'old-tests')) return false;
  return !(item.allow ?? []).includes(rule);
}

/** Drops findings that a person lifted or turned off; a configured level replaces the rule's own. */
export function findingsFrom(found: readonly ProofFound[], choices: Choices): readonly Finding[] {
  return found.flatMap((one): readonly Finding[] => {
    if (!isOn(one.rule, choices) || liftedBy(choices.item.allow ?? [], one.rule)(one.path)) return [];
    const chosen = choices.rules.levels?.[one.rule];
    return [{ ...one, level: chosen === undefined || chosen === 'off' ? one.level : chosen }];
  });
}

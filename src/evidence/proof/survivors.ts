/** Judges mutants that no test noticed. */

import { some } from '../../audit/index.ts';
import type { Mutant } from '../../protocol.ts';
import type { ProofFound } from './finding.ts';
import type { Mutation } from './mutants.ts';

/** From this many surviving mutants in one hunk, chance is ruled out. */
const CANNOT_BE_CHANCE = 3;

export interface Tried {
  readonly mutation: Mutation;
  readonly noticed: boolean;
}

export const mutantsOf = (tried: readonly Tried[]): readonly Mutant[] =>
  tried.map(({ mutation: { path, line, change }, noticed }) => ({ path, line, change, noticed }));

export function judgeMutants(tried: readonly Tried[], mode: 'warn' | 'enforce'): readonly ProofFound[] {
  const hunks = byHunk(tried);
  return [...hunks.values()].flatMap((all): readonly ProofFound[] => {
    const alive = all.filter(({ noticed }) => !noticed);
    const [first] = alive;
    if (!first) return [];
    const { path, line } = first.mutation;
    const what = some(alive.map(({ mutation }) => `line ${mutation.line}: ${mutation.change}`));
    // A surviving mutant may be equivalent to the original. A removed new function is noticed by any code that calls it.
    const changes = all.filter(({ mutation }) => !mutation.reverts);
    const untested =
      alive.some(({ mutation }) => mutation.reverts) ||
      (changes.length >= CANNOT_BE_CHANCE && changes.every(({ noticed }) => !noticed));
    const message = untested
      ? `no test notices when this code is changed (${what}); write one that does`
      : `no test noticed ${alive.length} of ${all.length} small changes to this code (${what})`;
    return [{ rule: 'mutation', level: untested && mode === 'enforce' ? 'block' : 'warn', message, path, line }];
  });
}

function byHunk(tried: readonly Tried[]): ReadonlyMap<string, readonly Tried[]> {
  const groups = new Map<string, Tried[]>();
  for (const one of tried) groups.set(one.mutation.hunk, [...(groups.get(one.mutation.hunk) ?? []), one]);
  return groups;
}

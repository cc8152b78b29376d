/** Which ways to lose a failing assertion a file of tests can have at all: asked once, not once for each of its tests. */
import type { LookFile } from '../look.ts';

export interface SwallowWays {
  readonly exits: boolean;
  readonly caught: boolean;
}

const CONDITION = /\b(?:if|unless)\b|&&|\?/;
const EXIT = /\b(?:return|continue|break|next)\b|done\(\)/;
/** Without one of these words nothing is caught. */
export const CATCHES =
  /try|except|suppress|rescue|[cC]atch|err != nil|recover|Try\b|Record\.Exception|finally|allSettled/;

const memo = new WeakMap<LookFile, SwallowWays>();

export function swallowWays(file: LookFile): SwallowWays {
  const known = memo.get(file) ?? waysIn(file);
  memo.set(file, known);
  return known;
}

const waysIn = ({ after: { bare, code } }: LookFile): SwallowWays => ({
  exits: EXIT.test(code) && (CONDITION.test(code) || /\belse\b/.test(code)),
  caught: CATCHES.test(bare),
});

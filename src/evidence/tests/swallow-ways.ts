/** Which ways to lose a failing assertion a file of tests can have at all: asked once, not once for each of its tests. */
import type { LookFile } from '../look.ts';
import { MAY_CALL_BACK, MAY_THREAD } from './left-inside.ts';
import { GOES_THROUGH } from './maybe-empty.ts';
import { mayBeOnlyIfThere } from './present-only.ts';
import { MAY_BE_LEFT } from './unheard.ts';

export interface SwallowWays {
  readonly conditions: boolean;
  readonly exits: boolean;
  readonly handlers: boolean;
  readonly inside: boolean;
  readonly loops: boolean;
  readonly present: boolean;
  readonly caught: boolean;
}

const CONDITION = /\b(?:if|unless)\b|&&|\?/;
const EXIT = /\b(?:return|continue|break|next)\b|done\(\)/;
const HANDLER = /\b(?:catch|except|rescue)\b/;
/** A function inside of a test; in Python what is not indented is the test itself. */
const FUNCTION = /\bfunction\s+\w|\b(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>\s*\{/;
const DEF = /\bdef\s/;
const INNER_DEF = /^[ \t]+(?:async\s+)?def\s/m;
/** Without one of these words nothing is caught. */
export const CATCHES =
  /try|except|suppress|rescue|[cC]atch|err != nil|recover|Try\b|Record\.Exception|finally|allSettled/;

const memo = new WeakMap<LookFile, SwallowWays>();

export function swallowWays(file: LookFile): SwallowWays {
  const known = memo.get(file) ?? waysIn(file);
  memo.set(file, known);
  return known;
}

function waysIn({ after: { bare, code }, language }: LookFile): SwallowWays {
  const defined = FUNCTION.test(bare) || (language === 'python' ? INNER_DEF : DEF).test(bare);
  return {
    conditions: CONDITION.test(bare),
    exits: EXIT.test(code) && (CONDITION.test(code) || /\belse\b/.test(code)),
    handlers: HANDLER.test(bare),
    inside: defined || MAY_CALL_BACK.test(bare) || MAY_THREAD.test(bare),
    loops: GOES_THROUGH.test(code),
    present: language !== 'js' && language !== 'python' && mayBeOnlyIfThere(bare),
    caught: MAY_BE_LEFT.test(bare) || CATCHES.test(bare),
  };
}

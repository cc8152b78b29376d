/** Equality that became coarser on both sides at once, or that asks of one side only. */
import type { Assertion } from './assertions.ts';

/** What makes two things alike that are not. */
const COARSE =
  /\b(?:Math\.)?(?:round|floor|ceil|trunc)\(|(?<![\w.])int\(|\.(?:round|floor|ceil|trunc)\b|\.(?:toLowerCase|toUpperCase|lower|upper|to_lowercase|to_uppercase|strip|trim|toFixed|casefold)\(|\.(?:downcase|upcase|strip|to_i)\b|\bstrings\.(?:ToLower|ToUpper|TrimSpace)\(/g;
/** Each of these is in those, whichever are missing. */
const EVERY_IN =
  /\ball\([^()]*\bin [\w.]+ for |\.every\(.*\.(?:includes|has)\(|\.all\?? ?\{.*\.include\?|\.all\(\|.*\.contains\(|\.issubset\(|\bset\([^()]*\) ?<=|\ballMatch\(.*[cC]ontains|\bcontainsAll\(|\bisSubsetOf\(/;

const RAISED = /\braises\(|assertRaises|raise_error|assert_raises?\b|assertThrows|toThrow|\.throws?\(/;
/** Others are made from these. */
const BASE =
  /\b(?:RuntimeError|ValueError|TypeError|OSError|IOError|LookupError|ArithmeticError|StandardError|ArgumentError|Error|RuntimeException|IllegalArgumentException|IllegalStateException|IOException)\b/;
const LITERAL = /'[^']/;

/** `job.priority()` where the whole `job` was asked for, on whichever side it stood. */
function isFieldOf(subject: string, { subject: whole, text }: Assertion): boolean {
  const root = /^([\w.]+)\.\w+(?:\(\))?$/.exec(subject)?.[1];
  return root !== undefined && (root === whole || text.endsWith(`,${root})`));
}

export function coarser(old: Assertion, now: Assertion): string | undefined {
  const lost = old.literals.filter(literal => !now.literals.includes(literal));
  const isLess = lost.length > 0 && now.literals.every(literal => old.literals.includes(literal));
  if (isLess && RAISED.test(old.text) && RAISED.test(now.text) && !LITERAL.test(now.text))
    return BASE.test(now.text) && !BASE.test(old.text) ? 'takes errors of more kinds, whatever they say' : undefined;
  if (old.strength < 5) return undefined;
  if (isLess && old.literals.length > 1 && isFieldOf(now.subject, old)) return 'asks for one part only, which is less';
  const count = (text: string) => text.match(COARSE)?.length ?? 0;
  if (count(now.text) >= 2 && count(now.text) - count(old.text) >= 2) return 'compares less of both sides';
  return EVERY_IN.test(now.text) && !EVERY_IN.test(old.text) && /\ball|every|subset|<=/i.test(now.text)
    ? 'lets what is missing pass, which is less'
    : undefined;
}

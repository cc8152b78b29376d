/** Places where a test leaves, or goes on to its next case, without a word if something does not hold. */
import type { TestCase } from './test-case.ts';

export interface QuietExit {
  readonly condition: string;
  /** Counted in the test's own body, from 0. */
  readonly at: number;
  readonly kind: 'skip' | 'return';
}

const SKIP =
  /^(?:await\s+|return\s+|throw\s+|raise\s+)?(?:(?:t|tb|b|s|ctx|context|this|test|self|pytest|unittest|Assert|\$this->|self::|\w+)\s*(?:\.|->|::)?\s*)?(?:[sS]kip\w*|markTestSkipped|markTestIncomplete|pending|Ignore|Inconclusive|XCTSkip|SkipTest|SkipException|TestAbortedException)\b/;
const LEAVE =
  /^(?:return|continue|break|next|done\(\)|return\s+(?:done\(\)|true|null|nil|None|undefined|Ok\(\(\)\)))\s*;?$/;
const TALK =
  /^(?:console|logger?|log|fmt\.Print|t\.Log|System\.(?:out|err)|Rails\.logger|Console|std::cout)\w*\b.*\(.*\)?;?$|^(?:print(?:ln|f)?!?|eprintln!|puts|warn|pp?|echo)\b.*$/i;

/** `if (x) {`, `if x:`, `if x`, `unless x`; the group is what is asked. */
const IF = /^(?:\}\s*)?(?:else\s+)?(?:if|unless)\b\s*(.+?)\s*(?:\{|:|\bthen)?$/;
const ONE_LINE =
  /^(?:else\s+)?if\b\s*(?:\((.+)\)|(.+?):)\s*\{?\s*((?:return|continue|break|pytest|self|t|ctx|this|test|throw|raise|await|\$this|Assert|Assume|Assumptions)\b[^{}]*?)\s*\}?$/;
const GO_LINE = /^if\s+(.+?)\s*\{\s*((?:return|continue|break|t\.Skip)\b[^{}]*?)\s*\}$/;
const AFTER = /^((?:return|next|break|skip|pending)\b.*?)\s+(?:if|unless)\s+(.+)$/;
const ASSUME =
  /^(?:\w+\.)*(?:assum(?:e|ing)(?:True|False|That|Not\w+)?|Assume\.\w+|Skip\.(?:If|IfNot|Unless|When)|XCTSkip(?:If|Unless)|test\.skip|precondition)\s*\(\s*(.+)$/;
const OR_LEAVE =
  /^(?:val|var|let|const)\s+(.*?=\s*.+?)\s*(?:\?:\s*return\b.*|else\s*\{\s*(?:return(?:\s+Ok\(\(\)\))?|continue)\s*;?\s*\};?)$/;

function quietExits({ code }: Pick<TestCase, 'code'>): readonly QuietExit[] {
  if (
    !/\b(?:return|continue|break|next|[sS]kip\w*|assum\w+|Assum\w+|markTest\w+|pending|XCTSkip\w*|Ignore|Inconclusive)\b/.test(
      code,
    )
  )
    return [];
  const lines = code.split('\n').map(line => line.trim());
  return lines.flatMap((line, at): readonly QuietExit[] => {
    const found = exitAt(lines, line, at);
    return found ? [{ ...found, at }] : [];
  });
}

function exitAt(lines: readonly string[], line: string, at: number): Omit<QuietExit, 'at'> | undefined {
  const assumed = ASSUME.exec(line)?.[1];
  // `test.skip('name', () => …)` is a test.
  if (assumed !== undefined && !/^['"`]|^\w*\s*=>|^true\b|^false\b/.test(withoutMessage(assumed)))
    return { condition: withoutMessage(assumed), kind: 'skip' };
  const left = OR_LEAVE.exec(line)?.[1];
  if (left !== undefined) return { condition: left, kind: 'return' };
  const after = AFTER.exec(line);
  if (after && (LEAVE.test(after[1] ?? '') || SKIP.test(after[1] ?? ''))) return made(after[2] ?? '', after[1] ?? '');
  const one = GO_LINE.exec(line);
  if (one) return made(one[1] ?? '', one[2] ?? '');
  const short = ONE_LINE.exec(line);
  if (short && isExit(short[3] ?? '')) return made(short[1] ?? short[2] ?? '', short[3] ?? '');
  const condition = IF.exec(line)?.[1];
  if (condition === undefined) return undefined;
  // Nothing but talk before it leaves.
  for (let next = at + 1; next < Math.min(lines.length, at + 5); next++) {
    const own = lines[next] ?? '';
    if (own === '' || own === '{' || (TALK.test(own) && !SKIP.test(own))) continue;
    return isExit(own) ? made(condition, own) : undefined;
  }
  return undefined;
}

/** What an assumption says where it does not hold is no part of it. */
const withoutMessage = (assumed: string): string =>
  assumed.replace(/^"(?:\\.|[^"\\])*"\s*,\s*/, '').replace(/,\s*"(?:\\.|[^"\\])*"\s*\)+;?$/, '');

const isExit = (statement: string): boolean => LEAVE.test(statement) || SKIP.test(statement);

const made = (condition: string, statement: string): Omit<QuietExit, 'at'> => ({
  condition: condition.replace(/^\((.*)\)$/, '$1').trim(),
  kind: SKIP.test(statement) ? 'skip' : 'return',
});

/** What a machine, a setting or an installation decides. */
const SURROUNDINGS =
  /process\.|\bos\.|\bsys\.|runtime\.|testing\.Short|getenv|environ|\bENV\b|\benv\b|\bCI\b|LookPath|which\(|find_spec|importlib|platform|windows|linux|darwin|macos|isWin|version|VERSION|Version|docker|network|offline|avail|support|capab|RUBY_|PHP_|extension_loaded|function_exists|typeof|Deno\.|Bun\.|getuid|geteuid|isTTY|hasattr|respond_to|cfg!|nodeMajor|semver|browserName|isMobile|project\.name|\.exists\(|existsSync|short\b/i;

/** Exits of `after` that `before` did not have and that hang on what the test works out itself. */
export function newQuietExits(before: Pick<TestCase, 'code'>, after: Pick<TestCase, 'code'>): readonly QuietExit[] {
  const now = quietExits(after);
  if (now.length === 0) return [];
  const old = new Set(quietExits(before).map(({ condition }) => condition));
  return now.filter(({ condition }) => !old.has(condition) && !SURROUNDINGS.test(condition));
}

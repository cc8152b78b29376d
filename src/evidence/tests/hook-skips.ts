/** Set-up that skips: whatever runs after it is skipped with it. */
import { indentOf } from '../../util/text.ts';
import type { Line, LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';

const SKIP =
  /^\s*(?:return\s+|await\s+|raise\s+)?(?:(?:this|t|ctx|context|test|testInfo|info)\s*\.\s*(?:skip|fixme)\s*\(\s*(?:\)|true\b|['"`])|(?:pytest|self)\.(?:skip|skipTest|xfail)\s*\(|(?:unittest\.|pytest\.)?(?:SkipTest|skip\.Exception)\b|(?:skip|pending)\b(?!\s*[=.:])[^\n]*$)/;
const HOOK =
  /^\s*(?:(?:test|config|mocha|cy)\s*\.\s*)?(?:before|beforeEach|beforeAll|setup|setUp|around|prepend_before|suiteSetup)\b\s*(?:\([^\n]*|do\b.*|\{.*)?$|^\s*(?:async\s+)?def\s+(?:setUp(?:Class|Module)?|asyncSetUp|setup(?:_\w+)?)\b/;
const ONE_LINE =
  /^\s*(?:config\.)?(?:before|setup|prepend_before)\b(?:\s*\([^)]*\))?\s*\{\s*(?:\|[^|]*\|)?\s*(?:skip|pending)\b(?![^}]*\b(?:if|unless)\b)[^}]*\}/;
const FIXTURE = /^\s*@(?:pytest\.)?fixture\b/;

/** Asks which test it is. */
const BY_NAME =
  /\brequest\.(?:node|function)\b|\.nodeid\b|\bitem\.name\b|_testMethodName|\.currentTest\b|\btestInfo\.title|\btask\.name\b|getDisplayName\(|getMethodName\(|\bexample\.(?:description|full_description|metadata)|\bcurrentTestName\b/;

/** Lines that are new, stand in set-up and skip in any case, or that skip a test by its name. */
export function hookSkips(file: LookFile): readonly Line[] {
  if (file.before.text === '' || codeOf(file.added).search(/skip|pending|fixme|SkipTest|xfail/) < 0) return [];
  return file.added.filter(line => {
    if (ONE_LINE.test(line.code)) return true;
    if (!SKIP.test(line.code)) return false;
    if (/\b(?:if|unless)\b/.test(line.bare)) return BY_NAME.test(line.code);
    const { codeLines } = file.after;
    const head = headOf(codeLines, line.number - 1);
    if (head === undefined) return false;
    const text = codeLines[head] ?? '';
    if (/^\s*(?:if|unless|elif)\b/.test(text) && BY_NAME.test(text)) return true;
    return HOOK.test(text) || (/^\s*(?:async\s+)?def\s/.test(text) && isFixture(codeLines, head));
  });
}

/** The line that the block around this one begins with. */
function headOf(lines: readonly string[], at: number): number | undefined {
  const indent = indentOf(lines[at] ?? '');
  for (let above = at - 1; above >= Math.max(0, at - 60); above--) {
    const line = lines[above] ?? '';
    if (line.trim() !== '' && indentOf(line) < indent) return above;
  }
  return undefined;
}

function isFixture(lines: readonly string[], at: number): boolean {
  for (let above = at - 1; above >= Math.max(0, at - 6); above--) {
    const line = lines[above] ?? '';
    if (FIXTURE.test(line)) return true;
    if (line.trim() === '') return false;
  }
  return false;
}

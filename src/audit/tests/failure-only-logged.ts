/** Differences that a test found and failed on, and that it only talks about now. */
import { indentOf } from '../../util/text.ts';
import type { Assertion, TestCase } from './test-case.ts';

/** A test that comes here has failed. */
const FAILS =
  /\b(?:t|tb|b|c|s\.T\(\))\.(?:Error|Fatal|Fail)\w*\s*\(|\b(?:pytest\.|self\.|this\.|assert\.|expect\.|Assert\.|Assertions\.|\$this->|self::|t\.|XCT)?[fF]ail(?:Now|Test)?\s*\(|\b(?:raise|throw)\b|\bflunk\b|\bpanic!?\s*\(|\b(?:unreachable|bail)!\s*\(|\bassert|\bexpect\b|\breturn\s+(?:Err\(|errors?\.|fmt\.Errorf)|\bexit\s*\(\s*1/i;
/** Words, and nothing else. */
const SAYS =
  /^(?:(?:t|tb|b)\.Log\w*|console\.\w+|warnings\.warn|(?:self\.)?_?(?:log(?:ger|ging)?|LOG(?:GER)?|slog|log4j)\.\w+|print(?:ln|f)?!?|e?print(?:ln)?!|fmt\.(?:Print|Fprint)\w*|System\.(?:out|err)\.\w+|puts|pp?|warn|Rails\.logger\.\w+|echo|error_log|var_dump|Console\.\w+|Debug\.\w+|std::c(?:err|out)|NSLog|dbg!|tracing::\w+!|(?:warn|info|debug|error|trace)!|sys\.std(?:err|out)\.write|process\.std(?:err|out)\.write|fwrite|reporter\.\w+|allure\.\w+)\s*[\s(<]/i;
const IF = /^(?:\}\s*)?(?:else\s+)?(?:if|unless|elif)\b\s*(.+?)\s*(?:\{|:|\bthen)?$/;
/** `if (a !== b) console.warn(…)`, `if a != b { t.Logf(…) }`, `if a != b: print(…)`. */
const ONE_LINE = /^(?:if|unless)\b\s*(?:\((.+?)\)|(.+?)(?:\s*\{|:))\s*([a-zA-Z$][\w.$:!]*\s*[( ].*)$/;
const AFTER = /^(.+?)\s+(?:if|unless)\s+(.+)$/;

const MAY_SAY =
  /\b(?:Logf?|console|warn|log|logger|logging|print\w*|puts|echo|System\.|Console|NSLog|stderr|stdout|LOG)\b/;

interface Branch {
  readonly condition: string;
  /** In the body, from 0. */
  readonly at: number;
  readonly body: readonly string[];
}

function branchesIn(code: string): readonly Branch[] {
  const lines = code.split('\n');
  return lines.flatMap((line, at): readonly Branch[] => {
    const text = line.trim();
    if (!/\b(?:if|unless|elif)\b/.test(text)) return [];
    const short = ONE_LINE.exec(text);
    if (short && !/^(?:and|or|in|is|not)\b/.test(short[3] ?? ''))
      return [{ condition: flat(short[1] ?? short[2] ?? ''), at, body: [(short[3] ?? '').replace(/\s*\}$/, '')] }];
    const after = SAYS.test(text) ? AFTER.exec(text) : null;
    if (after) return [{ condition: flat(after[2] ?? ''), at, body: [after[1] ?? ''] }];
    const found = IF.exec(text);
    if (!found) return [];
    const indent = indentOf(line);
    let end = at + 1;
    while (end < lines.length && ((lines[end] ?? '').trim() === '' || indentOf(lines[end] ?? '') > indent)) end += 1;
    const body = lines.slice(at + 1, end).map(own => own.trim());
    return [{ condition: flat(found[1] ?? ''), at, body: body.filter(own => /\w/.test(own) && own !== 'end') }];
  });
}

const flat = (condition: string): string =>
  condition
    .replace(/^\((.*)\)$/, '$1')
    .replace(/["`]/g, "'")
    .replace(/\s+/g, '');
/** A call may go on over several lines; what stands inside its brackets is still said. */
const isOnlySaid = (body: readonly string[]): boolean =>
  body.length > 0 && SAYS.test(body[0] ?? '') && !body.some(line => FAILS.test(withoutWords(line)));
const withoutWords = (line: string): string => line.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`/g, "''");

/** The line that talks, and the condition it stands under. */
export function onlySaid(
  before: TestCase,
  after: TestCase,
  { gone, fresh }: { readonly gone: readonly Assertion[]; readonly fresh: readonly Assertion[] },
): { readonly condition: string; readonly line: number } | undefined {
  if (!MAY_SAY.test(after.bare)) return undefined;
  const said = branchesIn(after.code).filter(({ body }) => isOnlySaid(body));
  if (said.length === 0) return undefined;
  const old = branchesIn(before.code);
  const found = said.find(({ condition }) => {
    const parts = partsOf(condition);
    // Somebody asks it in another way.
    if (parts.length === 0 || fresh.some(({ text }) => parts.every(part => flat(text).includes(part)))) return false;
    const was = old.filter(branch => branch.condition === condition);
    if (was.length > 0) return was.some(({ body }) => body.some(line => FAILS.test(withoutWords(line))));
    return gone.some(
      ({ subject, text, strength }) =>
        strength >= 3 && !text.startsWith('if ') && subject.length >= 2 && condition.includes(flat(subject)),
    );
  });
  return found && { condition: found.condition, line: after.bodyLine + found.at };
}

/** What is compared with what, or the names in it. */
function partsOf(condition: string): readonly string[] {
  const sides = condition.split(/!==?|===?|<=?|>=?/).filter(Boolean);
  if (sides.length === 2) return sides;
  const names = condition.replace(/'[^']*'/g, '').match(/[A-Za-z_]\w*/g) ?? [];
  return names.filter(name => !/^(?:not|and|or|is|in|nil|null|None)$/.test(name));
}

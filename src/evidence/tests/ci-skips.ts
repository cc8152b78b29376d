/** Skips that hold wherever the tests count: on the machines that run them for everybody. */
import { indentOf } from '../../util/text.ts';
import type { Line, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';

/** A variable that every pipeline sets, or a name that stands for it. */
const CI =
  /(?:\b(?:env|environ|ENV|getenv|Cypress\.env|getEnv)\b[^\n]{0,12}?['"\].[( ]\s*|['"]|\benv\.)(?:CI|GITHUB_ACTIONS|GITLAB_CI|CIRCLECI|TRAVIS|BUILDKITE|JENKINS_URL|TF_BUILD|CONTINUOUS_INTEGRATION)\b|(?<![\w.])(?:is_?ci|in_?ci|on_?ci|running_?(?:in|on)_?ci|IS_CI|ON_CI)\b(?!\s*=[^=])/i;
/** A word of each of them. */
const MAY_BE_CI = /ci\b|TRAVIS|GITHUB_ACTIONS|BUILDKITE|JENKINS|TF_BUILD|CONTINUOUS/gi;
const NO_CI = new RegExp(
  String.raw`(?:(?<![!])!(?![!=])\s*\(?\s*|\bnot\s+\(?\s*(?:bool\(\s*)?|\bunless\s+)[\w.\s[(]{0,24}?(?:${CI.source})|(?:${CI.source})[^\n]{0,8}?(?:\s+not in\b|\)?\s*(?:={2,3}|is)\s*(?:undefined|null|None|nil|['"]{2}|['"]?false)|\.nil\?)`,
  'i',
);
const SKIPS =
  /\bskip(?:If|if|Test|s|ped)?\b|\bSkipTest\b|\bpending\b|\bfixme\b|\bxfail\b|\bunless:|\btodo(?:If)?\b|\bignore\s*:|\b(?:xit|xdescribe|xtest)\b/;
/** Runs where it holds. */
const RUNS = /\brunIf\s*\(|\bskipUnless\s*\(|(?<![\w.])if:\s|\.if\s*\(/;
const LEAVES = /(?<![\w.])(?:return|next)\b(?!\s*[\w'"{[(])|\breturn\s+(?:done\(\)|this\.skip|t\.skip|pytest\.skip)/;
const IF = /^\s*(?:\}\s*else\s+)?(?:if|unless)\b/;
const TEST =
  /^\s*(?:async\s+)?(?:(?:it|test|describe|context|suite|specify|scenario)(?:\.\w+)*\s*[( ]|def\s+test|class\s+\w*Test)/;

/** Lines that are new and keep a test from running in a pipeline. */
export function ciSkips(file: LookFile): readonly Line[] {
  if (file.before.text === '') return [];
  return linesWith(file.added, MAY_BE_CI).filter(line => CI.test(line.code) && skipsThere(file.after.codeLines, line));
}

function skipsThere(lines: readonly string[], { code, number }: Line): boolean {
  const without = NO_CI.test(code);
  const choice = /\?\s*([^:?]+?)\s*:\s*(.+)$/.exec(code);
  if (choice && /\b(?:it|test|describe|context|suite)\b/.test(choice[0]) && SKIPS.test(choice[0]))
    return SKIPS.test(choice[1] ?? '') !== without && SKIPS.test(choice[1] ?? '') !== SKIPS.test(choice[2] ?? '');
  // A call may begin on the lines above; what a branch does stands below.
  const above = lines.slice(Math.max(0, number - 3), number - 1).filter(line => /[({]\s*$/.test(line));
  const around = [...above, code].join('\n');
  if (RUNS.test(around)) return without;
  if (IF.test(code)) {
    const below = lines.slice(number, number + 3);
    if (TEST.test(below.find(line => line.trim() !== '') ?? '')) return without;
    const inside = below.filter(line => indentOf(line) > indentOf(code));
    return !without && [code, ...inside].some(line => SKIPS.test(line) || LEAVES.test(line));
  }
  return !without && (SKIPS.test(around) || /(?<![\w.])(?:next|return)\s+if\b/.test(code));
}

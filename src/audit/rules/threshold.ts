/**
 * Required numbers: coverage, mutation score, allowed warnings.
 *
 *     - coverageThreshold: {global: {lines: 90}}
 *     + coverageThreshold: {global: {lines: 40}}
 */
import { settingsOf } from '../config-values.ts';
import type { Line } from '../line.ts';
import type { Look, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { isCi, isGateFile, isToolConfig } from '../roles.ts';
import { type Found, quote, type Rule } from './rule.ts';

interface Bound {
  readonly id: string;
  readonly value: number;
  readonly line: number;
  /** The direction in which the bound becomes weaker. */
  readonly looser: 'lower' | 'higher';
}

export const threshold: Rule = {
  id: 'threshold',
  level: 'block',
  about: 'A threshold was lowered or removed.',
  check: look =>
    look.files.flatMap((file): readonly Found[] => {
      if (file.before.text === '' || (file.added.length === 0 && file.removed.length === 0)) return [];
      const bounds = concerns(file.path) ? looserBounds(look, file) : [];
      const told = new Set(bounds.map(({ line }) => line));
      const others = isCommands(file) ? looserArguments(file) : [];
      return [...bounds, ...others.filter(({ line }) => !told.has(line))];
    }),
};

const isCommands = ({ path, language }: LookFile): boolean => isGateFile(path) || language === 'shell';

function looserBounds(look: Look, file: LookFile): readonly Found[] {
  const now = boundsOf(file, 'after');
  return boundsOf(file, 'before').flatMap((old): readonly Found[] => {
    const same = now.filter(bound => bound.id === old.id);
    const where = { path: file.path };
    const next = same.find(bound => bound.value === old.value) ?? same[0];
    if (!next) {
      if (livesElsewhere(look, old) || (/codecov/.test(file.path) && /\btarget:\s*auto\b/.test(file.after.text)))
        return [];
      return [{ message: `the threshold ${old.id} (${old.value}) was removed`, ...where, line: old.line }];
    }
    const looser = old.looser === 'lower' ? next.value < old.value : next.value > old.value;
    if (!looser) return [];
    return [{ message: `the threshold ${old.id} went from ${old.value} to ${next.value}`, ...where, line: next.line }];
  });
}

const concerns = (path: string): boolean =>
  isToolConfig(path) ||
  isGateFile(path) ||
  isCi(path) ||
  /\.(?:xml|gradle|kts)$|(^|\/)\.?\w*(?:cov|nyc|c8|stryker|sonar)\w*[^/]*$/i.test(path);

/** Whether another file now has the same bound and did not have it before. */
function livesElsewhere({ files }: Look, old: Bound): boolean {
  return files.some(file => {
    if (!concerns(file.path)) return false;
    const known = new Set(boundsOf(file, 'before').map(bound => `${bound.id}=${bound.value}`));
    return boundsOf(file, 'after').some(bound => {
      const alike = bound.id === old.id || lastPart(bound.id) === lastPart(old.id);
      const enough = old.looser === 'lower' ? bound.value >= old.value : bound.value <= old.value;
      return alike && bound.looser === old.looser && enough && !known.has(`${bound.id}=${bound.value}`);
    });
  });
}

const lastPart = (id: string): string =>
  id
    .slice(id.lastIndexOf('.') + 1)
    .replace(/[-_]/g, '')
    .toLowerCase();

const COVERAGE_KEY =
  /^(?:lines?|branch(?:es)?|functions?|statements?|regions?|methods?|classes|global|perFile|each|all|project|patch|total|file|package|high|low)$/i;
const COVERAGE_SECTION = /thresholds?|coverageThreshold|check-?coverage|nyc|c8|minimum_coverage|watermarks/i;
const LOWER_KEY =
  /^(?:fail[_-]?under|min(?:imum)?[_-]?coverage|coverage[_-]?(?:min(?:imum)?|threshold|fail[_-]?under)|cov[_-]?fail[_-]?under|minimum|min[_-]?score|minScore|min_line_coverage|covered_ratio|coveredRatio|break|mutation_score|minimum_mutation_score|mutationThreshold|coverageThreshold|line_coverage|branch_coverage|MIN_COVERAGE|COVERAGE_THRESHOLD|COV_MIN|qualitygate|minimumCoverage|lineCoverage|required_coverage|threshold[_-](?:total|file|package)|test-coverage-.*)$/i;
const HIGHER_KEY =
  /^(?:max[_-]?warnings|maxWarnings|max[_-]?complexity|complexity|max[_-]?lines(?:-per-function)?|max[_-]?depth|max[_-]?params|max[_-]?statements|max[_-]?nested-callbacks|cyclomatic[_-]?complexity|cognitive[_-]?complexity|gocyclo|gocognit|min-complexity|cyclop|maxAllowedViolations|max-issues-per-linter|max-same-issues|maxErrors|maxIssues|allowed_warnings|max-args|max-locals|max-branches|max-returns|max-attributes|too-many-lines-threshold|cognitive-complexity-threshold|type-complexity-threshold|max-allowed-duplication)$/i;

function boundsOf(file: LookFile, side: 'before' | 'after'): readonly Bound[] {
  const { text } = file[side];
  if (text === '') return [];
  const bounds: Bound[] = [];
  const add = (id: string, value: string, line: number, looser: Bound['looser']) => {
    const number = Number(value.replace(/%$/, ''));
    if (Number.isFinite(number)) bounds.push({ id, value: number, line, looser });
  };
  const isCoverageFile = /(^|\/)\.?(?:nycrc|c8rc|coveragerc)/.test(file.path);
  for (const { path, key, value, line } of settingsOf(text, file.language)) {
    if (COVERAGE_KEY.test(key) && (COVERAGE_SECTION.test(path.slice(0, -key.length)) || isCoverageFile))
      add(path, value, line, 'lower');
    else if (key === 'target' && /codecov|coverage/.test(`${file.path}${path}`)) add(path, value, line, 'lower');
    else if (key === 'threshold' && /codecov/.test(file.path)) add(path, value, line, 'higher');
    else if (key === 'threshold' && /detekt/.test(file.path)) add(path, value, line, 'higher');
    else if (/-threshold$/.test(key) && /clippy/.test(file.path)) add(path, value, line, 'higher');
    else if (key === 'max' && /checkstyle|pmd/.test(file.path)) add(path, value, line, 'higher');
    else if (/^(?:\w+_)?(?:THRESHOLD|LIMIT|MIN)$/.test(key) && /cover/i.test(file.path + text))
      add(path, value, line, 'lower');
    else if (LOWER_KEY.test(key) && !/codecov/.test(file.path)) add(path, value, line, 'lower');
    else if (HIGHER_KEY.test(key) || (key === 'Max' && /rubocop/.test(file.path))) add(path, value, line, 'higher');
    else if (/^check[_-]?coverage$/i.test(key) && /^true$/i.test(value))
      bounds.push({ id: path, value: 1, line, looser: 'lower' });
    else if (/^check[_-]?coverage$/i.test(key)) bounds.push({ id: path, value: 0, line, looser: 'lower' });
  }
  for (const [index, line] of text.split('\n').entries()) scanLine(line, index + 1, add);
  return bounds;
}

const FLAGS: readonly (readonly [RegExp, string, Bound['looser']])[] = [
  [/--(?:cov-)?fail[-_]under[= ]"?(\d[\d.]*)/g, '--fail-under', 'lower'],
  [/\bjscpd\b[^|&;]*--threshold[= ]"?(\d[\d.]*)/g, 'duplication', 'higher'],
  [
    /(?<!jscpd\b[^|&;]*)--(?:min|min-coverage|coverage-threshold|threshold|minimum-coverage|fail-under-lines|fail-under-functions|fail-under-regions)[= ]"?(\d[\d.]*)/g,
    '--min-coverage',
    'lower',
  ],
  [/--(lines|branches|functions|statements)[= ]"?(\d[\d.]*)/g, '--coverage', 'lower'],
  [/--max-warnings[= ]"?(-?\d+)/g, '--max-warnings', 'higher'],
  [/<minimum>\s*(\d[\d.]*)\s*<\/minimum>/g, '<minimum>', 'lower'],
  [
    /<(?:lineRate|branchRate|totalLineRate|coverageThreshold|mutationThreshold|minimumCoverage|haltOnFailure)>\s*(\d[\d.]*)\s*</g,
    '<rate>',
    'lower',
  ],
  [/<maxAllowedViolations>\s*(\d+)\s*</g, '<maxAllowedViolations>', 'higher'],
  [/\bminimum_coverage(?:_by_file)?[ (]+(?:\{?\s*(?:line|branch):\s*)?(\d[\d.]*)/g, 'minimum_coverage', 'lower'],
  [/\bminimum\s*=\s*["']?(\d[\d.]*)["']?(?:\.toBigDecimal\(\))?/g, 'minimum', 'lower'],
  [/\["error",\s*(\d+)\]|\[\s*['"]error['"]\s*,\s*(?:\{\s*["']?max["']?\s*:\s*)?(\d+)/g, 'rule limit', 'higher'],
  [/\bminimum_coverage\b[^\n]*\bbranch:\s*(\d[\d.]*)/g, 'minimum_coverage branch', 'lower'],
  [/\bmin(?:Bound|Value|imum)?\s*(?:\.set)?\(\s*(\d[\d.]*)/g, 'minBound', 'lower'],
  [/-max-issues[= ](\d+)/g, '-max-issues', 'higher'],
  [/--benchmark-compare-fail[= ]\S*?:(\d+)/g, '--benchmark-compare-fail', 'higher'],
  [/\b(?:alert|fail)-threshold["']?\s*[:=]\s*["']?(\d+)%/g, 'alert-threshold', 'higher'],
  [/--min-confidence[= ](\d+)/g, '--min-confidence', 'higher'],
  [/--min-(?:covered-)?msi[= ](\d[\d.]*)/g, '--min-msi', 'lower'],
  [/(?:cov\w*|score|percent\w*|pct|total)\b[^&|;\n]*?\s(?:-lt|-le|<=?)\s*"?(\d[\d.]*)/gi, 'coverage at least', 'lower'],
  [
    /(?:size|bytes|warnings?|errors?|elapsed|duration)\b[^&|;\n]*?\s(?:-gt|-ge|>=?)\s*"?(\d[\d.]*)/gi,
    'at most',
    'higher',
  ],
];

function scanLine(
  line: string,
  number: number,
  add: (id: string, value: string, line: number, looser: Bound['looser']) => void,
): void {
  if (!/\d/.test(line) || line.length > 2000) return;
  for (const [pattern, id, looser] of FLAGS) {
    for (const match of line.matchAll(pattern)) {
      const named = /^[a-z]/i.test(match[1] ?? '') && match[2] !== undefined;
      const rule = id === 'rule limit' ? (/["']?([\w@/-]+)["']?\s*:/.exec(line)?.[1] ?? id) : id;
      add(named ? `--${match[1]}` : rule, named ? (match[2] ?? '') : (match[1] ?? match[2] ?? ''), number, looser);
    }
  }
}

// Bounds in commands.

/** Measures of which more is better. */
const BETTER =
  /(?<!dis|re|un)cover|(?<![a-z])[lg]?cov(?![a-z])|mincov|jacoco|cobertura|tarpaulin|\bnyc\b|mutation|\bmsi\b|score|quality/i;
/** Measures of which less is better. */
const WORSE =
  /size|budget|bytes|complexity|duplicat|latency|max[-_]?(?:warn|err|issue|viol|line)|benchmark|regression/i;
const MEASURES = new RegExp(String.raw`(?:${BETTER.source}|${WORSE.source})[^\n]*\d`, 'gi');

/** A number that is a word by itself. */
const NUMBER = /(?<=[\s="'])(\d+(?:\.\d+)?)(?=%?(?:["'\s;|&)\\,]|$))/g;
/** The option that a number belongs to. */
const OPTION = /(?:^|\s)(-{1,2}[A-Za-z][\w.-]*|\w+)=$|(?:^|\s)(-{1,2}[A-Za-z][\w.-]*)\s+["']?$/;
const BOUND =
  /min|max|thresh|fail|under|over|cov|score|limit|least|most|budget|percent|pct|total|^--?(?:line|branch|function|statement|instruction)s?$|^-[tmlf]$/i;

/** Projects grow, so a little more is normal; beyond this factor it is no limit. */
const GROWTH = 1.25;

function looserArguments(file: LookFile): readonly Found[] {
  const old = linesWith(file.removed, MEASURES);
  if (old.length === 0) return [];
  const now = linesWith(file.added, MEASURES);
  const added = new Map(now.map(line => [shapeOf(line), line]));
  return old.flatMap((line): readonly Found[] => {
    const next = added.get(shapeOf(line));
    if (!next) return [];
    const numbers = boundsIn(next);
    return boundsIn(line).flatMap(({ value, isFloor }, at): readonly Found[] => {
      const to = numbers[at]?.value;
      if (to === undefined || (isFloor ? to >= value : to <= value * GROWTH)) return [];
      const message = `the bound in ${quote(next.text)} went from ${value} to ${to}`;
      return [{ message, path: file.path, line: next.number }];
    });
  });
}

/** The line without its numbers, to find the same command with another bound. */
const shapeOf = ({ code }: Line): string => code.trim().replace(NUMBER, '#');

interface Argument {
  readonly value: number;
  /** A lower value is weaker. */
  readonly isFloor: boolean;
}

/** The numbers after a word for a measure, in the same command. */
function boundsIn({ code }: Line): readonly Argument[] {
  return code.split(/&&|\|\|?|;/).flatMap(part => {
    const [better, worse] = [part.search(BETTER), part.search(WORSE)];
    if (better < 0 && worse < 0) return [];
    return [...part.matchAll(NUMBER)].flatMap((match): readonly Argument[] => {
      const before = part.slice(0, match.index);
      const option = OPTION.exec(before);
      const key = option?.[1] ?? option?.[2];
      if (key === undefined ? /:\s*["']?$/.test(before) : !BOUND.test(key)) return [];
      const isFloor = better >= 0 && better < match.index && !/max/i.test(key ?? '');
      if (!isFloor && (worse < 0 || worse > match.index)) return [];
      const value = Number(match[1]);
      return value === 0 || (isFloor && value > 100) ? [] : [{ value, isFloor }];
    });
  });
}

/** What a command of a gate is told to leave out, in whatever words its tool has for that. */
import { isNoLoss } from '../harmless-exclusions.ts';
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { gateKinds, isProof } from './gate-commands.ts';
import { type Found, quote } from './rule.ts';

/** Each with the part that names what is left out. */
const WAYS: readonly RegExp[] = [
  /\bgrep\s+(?:-\w+\s+)*?(?:-\w*v\w*|--invert-match)((?:\s+(?:-[eE]\s*)?[^\s|)`;&]+)+)/g,
  /\s(?:-not|!)\s+-(?:i?path|i?name|wholename)\s+([^\s|)`;&]+)/g,
  /-path\s+([^\s|)`;&]+)\s+-prune/g,
  /\s--?(?:exclude|ignore|skip|deselect|omit)(?:-(?:glob|pattern|path|dir|file|from|testsuite|group|tags?|dirs|files|paths|codes|task))?s?[= ]([^\s|)`;&]+)/g,
  /\s--(?:extend-ignore|extend-exclude|ignore-path-errors|disable|testPathIgnorePatterns|coveragePathIgnorePatterns|exclude-category)[= ]([^\s|)`;&]+)/g,
  /\s-(?:k|m)\s+(not\s+[^|)`;&]+)/g,
  /\s--filter[= ]\S*?(!(?:~|=)?[\w./@*-]+)/g,
  /\s-D(?:test|it\.test|surefire\.excludes|exclude)=\S*?(!?[^\s|)`;&]+)/g,
  /\s-(?:pl|-projects?)[= ](![^\s|)`;&]+)/g,
  // Of Gradle; for others it means to end with the first failure, or to print what is run.
  /\s-x(?<!\b(?:pytest|py\.test|nosetests|rspec|mocha|(?:ba|z)?sh)\b.*)\s+(:?[\w:-]*(?:test|check|lint|Test)\w*)/g,
  /\s--tag[= ](~\S+)/g,
  /--test_tag_filters=(-\S+)/g,
  /\s-A\s+(clippy::\w+)/g,
  /\bexclude_pattern\s*=\s*([^\s})]+)/g,
];

/** Words of a command, also where they are strings of a call. */
const plain = (code: string): string => code.replace(/["'`]\s*,\s*["'`]/g, ' ').replace(/["'\\]/g, '');

function leftOut(code: string): readonly string[] {
  const line = plain(code);
  if (!/-v|!|-not|-prune|clude|gnore|skip|deselect|omit|\snot\s|disable|-D|-x\s|~|filters|-A\s/.test(line)) return [];
  return WAYS.flatMap(way =>
    [...line.matchAll(way)].flatMap(match => (match[1] ?? '').trim().split(/\s+-e\s*|\s+|,|\|/)),
  )
    .map(entry => entry.replace(/^-[eE]$|^not$|^and$|^or$/, ''))
    .filter(entry => entry !== '' && !/^[{$]|^-\w$/.test(entry));
}

/** What is left out may be called `test-…` without the command running tests. */
const withoutFilters = (code: string): string => WAYS.reduce((line, way) => line.replace(way, ' '), plain(code));

const ASSIGNED = /^\s*(?:export\s+|-\s+)?([A-Za-z_]\w*)\s*(?:[:?+]{0,2}=|:\s)/;

/** Whether a line runs a gate, or names what one looks at. */
function isOfGate(file: LookFile, code: string): boolean {
  if (/-DskipTests|-Dmaven\.test\.skip|--no-run\b/.test(code)) return false;
  if (gateKinds(withoutFilters(code)).some(isProof) || /\baddopts\b|RakeTask/.test(code)) return true;
  const name = ASSIGNED.exec(code)?.[1];
  if (name === undefined || !/\b(?:find|go list|git ls-files|fd|ls|filter-out)\b/.test(code)) return false;
  const used = new RegExp(`\\$[({]?${name}\\b|\\{\\{\\s*${name}\\b`);
  return file.after.codeLines.some(line => used.test(line) && gateKinds(line).some(isProof));
}

export function leavesOut(file: LookFile, line: Line): readonly Found[] {
  if (file.before.text === '') return [];
  const entries = [...leftOut(line.code), ...filteredOut(line.code)].filter(entry => !isNoLoss(entry));
  if (entries.length === 0 || !isOfGate(file, line.code)) return [];
  // A command that is new takes nothing away from one that was there.
  if (
    !file.removed.some(({ code }) => isOfGate(file, code) || ASSIGNED.exec(code)?.[1] === ASSIGNED.exec(line.code)?.[1])
  )
    return [];
  const came = entries.filter(entry => !file.removed.some(({ code }) => leftOut(code).includes(entry)));
  const lost = came.filter(entry => !runsElsewhere(file, line.number, entry));
  const [first] = lost;
  if (first === undefined) return [];
  const message = `${quote(line.text)} leaves out ${quote(lost.join(' '))}; what is generated or vendored may be left out, code of the project may not`;
  return [{ message, path: file.path, line: line.number }];
}

const filteredOut = (code: string): readonly string[] =>
  (/\$\(filter-out\s+([^,)]+),/.exec(code)?.[1] ?? '').split(/\s+/).filter(Boolean);

/** Another gate of the same file looks at just that. */
const runsElsewhere = (file: LookFile, number: number, entry: string): boolean => {
  const word = entry.replace(/^[!~:-]+|[*/]+$|^\.\//g, '').replace(/^.*\*\//, '');
  if (word.length < 3) return false;
  return file.after.codeLines.some(
    (code, at) =>
      at !== number - 1 && code.includes(word) && gateKinds(plain(code)).some(isProof) && leftOut(code).length === 0,
  );
};

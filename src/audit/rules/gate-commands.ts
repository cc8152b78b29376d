import { cached } from '../cached.ts';
/** Gate commands: their kind, and options that make them unable to fail. */

export type GateKind = 'test' | 'lint' | 'types' | 'format' | 'coverage' | 'build' | 'audit';

const RUNNER = String.raw`(?:npm|pnpm|yarn|bun)(?:\s+(?:-\S+|--prefix\s+\S+|-w\s+\S+|--filter\s+\S+|workspace\s+\S+))*(?:\s+run(?:-script)?)?(?:\s+-s)?\s+`;

const KINDS: Readonly<Record<GateKind, RegExp>> = {
  test: new RegExp(
    String.raw`${RUNNER}(?:test|t|tst|e2e|spec|unit|integration)\b|\b(?:jest|vitest|mocha|ava|jasmine|karma|pytest|py\.test|tox|nox|rspec|phpunit|pest|ctest|bats|gotestsum|nextest|playwright test|cypress run|tap|testem|busted|testcafe)\b(?!\.config|-dom|-environment|/|@)|\bnode\b[^|&;]*--test\b|-m\s+(?:unittest|pytest)\b|\b(?:cargo|go|deno|swift|dotnet|mix|rails|zig|flutter|dart|bazel|stack|cabal|rake|bun|sbt|lein)\s+(?:test|spec)\b|\bmvnw?\b[^|&;]*\b(?:test|verify|install)\b|\bgradlew?\b[^|&;]*\b(?:test|check)\w*|\b(?:make|just|task|invoke|mise run|nx|turbo|turbo run|lerna run)\s+(?:\S+\s+)*?[\w:-]*(?:test|check|ci|verify|spec)\b[\w:-]*`,
  ),
  lint: new RegExp(
    String.raw`${RUNNER}lint\b|\b(?:eslint|biome|oxlint|ruff|flake8|pylint|golangci-lint|staticcheck|clippy|rubocop|stylelint|checkstyle|ktlint|detekt|shellcheck|phpstan|psalm|swiftlint|credo|standardrb|hadolint|yamllint|markdownlint|tflint|actionlint|bandit|semgrep|spotbugs|pmd|vulture|knip|depcheck|lint-staged)\b(?!\.config|rc|-plugin|-config|/|@)|\bgo\s+vet\b|\b(?:make|just|task)\s+(?:\S+\s+)*?lint\b|\bpre-commit\s+run\b`,
  ),
  types: new RegExp(
    String.raw`${RUNNER}(?:typecheck|type-check|types|tsc|check:types)\b|\b(?:tsc|vue-tsc|mypy|pyright|basedpyright|pyre|dialyzer|srb tc|svelte-check|flow check|tsgo|ty check|attw)\b(?!\.config|/)|\b(?:make|just|task)\s+(?:\S+\s+)*?(?:typecheck|types|mypy)\b`,
  ),
  format:
    /\bprettier\b[^|&;]*--check|\bblack\b[^|&;]*--check|\bgofmt\s+-l|\bcargo\s+fmt\b[^|&;]*--check|\bruff\s+format\b[^|&;]*--check|format[:-]check|\bisort\b[^|&;]*--check/,
  coverage: /--cov(?:erage)?\b|\bnyc\b|\bc8\b|\bcodecov\b|\bcoverage\s+(?:run|report|xml)/,
  build: new RegExp(String.raw`${RUNNER}build\b|\b(?:cargo|go|dotnet|swift|make)\s+build\b`),
  audit:
    /\b(?:npm|pnpm|yarn|cargo|pip)[- ]audit\b|\bsnyk\b|\btrivy\b|\bgitleaks\b|\bbrakeman\b|\bbundler?[- ]audit\b|\bgosec\b|\bgovulncheck\b|\bcargo[- ](?:deny|vet)\b|\bosv-scanner\b|\bgrype\b|\bcheckov\b|\btfsec\b|\bpip-audit\b|\bsafety (?:check|scan)\b|\bdependency-check\b|\bcodeql\b|\btrufflehog\b|composer audit|dotnet list .*--vulnerable/,
};

/** The kinds of gates that a command line runs. */
export const gateKinds = cached((command: string): readonly GateKind[] => kindsOf(command));

function kindsOf(command: string): readonly GateKind[] {
  // The shell's `test` command, and tools that are only installed or set up, prove nothing.
  const line = (CALLS_BY_NAME.test(command) ? named(command) : command)
    .replace(/\$[({](\w+)[)}]/g, (_, name: string) => name.toLowerCase())
    .replace(/(?:^|[;&|(\s])(?:test|\[)\s+-?[a-z]\s[^;&|]*/g, ' ');
  if (
    /\b(?:npm|pnpm|yarn|pip|uv|poetry|gem|go|cargo|brew|apt(?:-get)?|apk|choco|bundle)\s+(?:\S+\s+){0,2}?(?:i|install|add|get|uninstall|remove|update|upgrade|cache)\b/.test(
      line,
    ) &&
    !/&&|;/.test(line)
  )
    return [];
  return (Object.keys(KINDS) as GateKind[]).filter(kind => KINDS[kind].test(line));
}

const CALLS_BY_NAME = /\bnpm:|\brun-[sp]\b|\bnpm-run-all/;

/** `run-p lint test` and `concurrently npm:lint` call scripts by their names. */
const named = (command: string): string =>
  command
    .replace(/\b(?:npm|pnpm|yarn|bun):(?=[\w*])/g, ' npm run ')
    .replace(/\b(?:run-[sp]|npm-run-all2?)\b((?:\s+[\w:*-]+)+)/g, (_, names: string) =>
      names.replace(/\s+(?!-)(\S+)/g, ' npm run $1 '),
    );

/** Kinds that must not be weakened; weakening the others is only a warning. */
export const isProof = (kind: GateKind): boolean =>
  kind === 'test' || kind === 'lint' || kind === 'types' || kind === 'format';

interface Teeth {
  readonly pattern: RegExp;
  readonly what: string;
}

/** Such an option is harmless beside a gate, but not in its place. */
export const ONLY_TALKS = 'only says something about itself';

/** Options that let a gate pass although it failed or did nothing. */
export const SOFT_FLAGS: readonly Teeth[] = [
  { pattern: /--pass-?[wW]ith-?[nN]o-?[tT]ests/, what: 'passes without any test' },
  {
    pattern: /--exit-zero(?!-even)|--(?:issues-)?exit-code[= ]0\b|--fail-level[= ]?(?:F|fatal|none)\b/,
    what: 'always succeeds',
  },
  // Not `--no-error-summary`, which only prints less.
  { pattern: /--no-(?:fail|errors?)(?:-on-[\w-]+)?(?![\w-])/, what: 'does not fail on errors' },
  {
    pattern:
      /-DskipTests\b|-Dmaven\.test\.skip(?:=true)?\b|-DskipITs\b|--skip-tests?\b|-PskipTests\b|\s-x(?<!\b(?:pytest|py\.test|nosetests|rspec|mocha|(?:ba|z)?sh)\b.*)\s+(?:test|check|lint)\w*/,
    what: 'skips the tests',
  },
  { pattern: /-Dmaven\.test\.failure\.ignore|-fae\b|-fn\b|--fail-never\b/, what: 'ignores failing tests' },
  { pattern: /--no-verify\b/, what: 'skips the hooks' },
  {
    pattern:
      /(?:\s|["'])-u\b(?=.*(?:jest|vitest))|(?:jest|vitest)\b.*\s(?:-u|--update(?:Snapshots?)?)\b|--update-?[sS]napshots?\b|--snapshot-update\b|--approve-snapshots|INSTA_UPDATE=always|UPDATE_SNAPSHOTS?=(?:1|true)/,
    what: 'records snapshots anew instead of comparing them',
  },
  {
    pattern:
      /--test(?:Path|Name)?(?:Ignore)?Patterns?[= ]|--testPathIgnorePatterns|--testNamePattern|--deselect[= ]|-k\s+["'\\]*not\b|-m\s+["'\\]*not\b|--grep\s+\S+.*--invert|--invert\b|-skip[= ]\S+|\s--skip[= ]\S+|--exclude-tag|--tag\s+~/,
    what: 'leaves tests out',
  },
  { pattern: /(?:go test|gotestsum)\b.*\s-run[= ]\S+/, what: 'runs only some tests' },
  { pattern: /\s-short\b/, what: 'leaves out the long tests' },
  { pattern: /--max-warnings[= ](?:-1|\d{2,})|--quiet\b(?=.*eslint)|eslint\b.*--quiet\b/, what: 'lets warnings pass' },
  { pattern: /--no-(?:coverage|cov(?!-on-fail)|strict|lint|typecheck|type-check|check)\b/, what: 'turns a check off' },
  { pattern: /--allow-(?:failures?|empty|no-tests|warnings)\b/, what: 'passes although it failed' },
  { pattern: /--(?:noEmitOnError|strict)[= ]false/, what: 'turns a check off' },
  { pattern: /--bail[= ]0|--no-error-on-unmatched-pattern/, what: 'does not fail on errors' },
  { pattern: /\bmake\s+(?:-\w*[ik]\w*)\b|--ignore-errors\b|--keep-going\b/, what: 'goes on after errors' },
  {
    pattern: /--transpile-?[oO]nly|--isolatedModules\s+--noCheck|--noCheck\b|--skipLibCheck\b/,
    what: 'does not check types',
  },
  {
    pattern: /--success[= ]["']?(?:first|last|!)|\bsuccess_codes\s*=\s*\[[^\]]*[1-9]|--failure-exit-code[= ]0\b/,
    what: 'passes although something failed',
  },
  { pattern: /phpstan\b.*--level[= ][0-4]\b|--generate-baseline\b|--set-baseline\b/, what: 'asks for less' },
  {
    pattern: /\b(?:fail_on_error|failOnError|fail_on_failure|exitOnFailure)\s*=\s*false/,
    what: 'does not fail on errors',
  },
  { pattern: /--no-run\b|--collect-only\b|--listTests\b|--dry-run\b|\s--list\b|--co\b/, what: 'runs nothing' },
  { pattern: /\s--(?:version|help)\b/, what: ONLY_TALKS },
  { pattern: /-A\s+(?:warnings|clippy::all)|--cap-lints\s+allow/, what: 'lets warnings pass' },
];

/** A command that does nothing, where a gate should be. */
export const isNothing = (command: string): boolean =>
  /^(?:\s*(?:echo\b[^|&;]*|printf\b[^|&;]*|true|:|exit\s+0|exit|sleep\s+\d+|node\s+-e\s+["']*(?:process\.exit\(0?\)|console\.log\([^)]*\)|0|true)?;?["']*|\/bin\/true|cd\s+\.|noop|@?true|@?:|@?echo\b[^|&;]*|pwd|date)\s*(?:&&|;|$))+$/.test(
    command.trim(),
  );

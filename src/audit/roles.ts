/** The role of a file, by its path: guards treat tests, code and settings differently. */
import { cached } from './cached.ts';
import { isCode, languageOf } from './language.ts';

export type Role =
  | 'test'
  /** Helpers, set-up and configuration that tests load. */
  | 'test-support'
  | 'fixture'
  | 'snapshot'
  | 'production'
  | 'docs'
  | 'lockfile'
  | 'generated'
  | 'other';

const GENERATED =
  /(^|\/)(?:node_modules|vendor|third_party|bower_components|dist|build|target|coverage|__generated__|generated|\.next|\.nuxt)\/|\.min\.(?:js|css)$|\.(?:bundle|chunk)\.js$|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|\.g\.dart$|\.generated\.\w+$|\.designer\.cs$/i;
const LOCKFILE =
  /(^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|uv\.lock|poetry\.lock|Pipfile\.lock|pdm\.lock|Cargo\.lock|go\.sum|go\.work\.sum|Gemfile\.lock|composer\.lock|gradle\.lockfile|packages\.lock\.json|mix\.lock|Podfile\.lock|Package\.resolved|flake\.lock)$/;
const SNAPSHOT =
  /\.snap$|\.ambr$|(^|\/)__snapshots__\/|\.approved\.\w+$|\.snap\.new$|(^|\/)snapshots?\/|-snapshots\/|\.golden$|(^|\/)golden\/|\.snapshot$/i;
const FIXTURE = /(^|\/)(?:fixtures?|__fixtures__|testdata|test-data|test_data|cassettes|samples)\//i;
const DOCS =
  /\.(?:md|mdx|markdown|rst|adoc|txt|org)$|(^|\/)docs?\/[^/]*$|(^|\/)(?:LICENSE|NOTICE|AUTHORS|CHANGELOG|CONTRIBUTORS|README)[^/]*$/i;

const TEST_NAME = [
  /\.(?:test|tests|spec|specs|cy|e2e|e2e-spec|unit|integration)\.[cm]?[jt]sx?$/i,
  /(^|\/)(?:test_[^/]*|[^/]*_test|[^/]*_tests|tests?)\.py$/,
  /_test\.(?:go|exs|dart|cc|cpp|c|rb|rs|php)$/,
  /_spec\.(?:rb|lua)$/,
  /(^|\/)test_[^/]*\.(?:rb|c|cc|cpp)$/,
  /(?:Test|Tests|IT|ITCase|TestCase|Spec|Specs)\.(?:java|kt|groovy|scala|cs|php|swift)$/,
  /(^|\/)Test[A-Z]\w*\.(?:java|kt|php)$/,
  /\.bats$/,
];
const TEST_FOLDER =
  /(^|\/)(?:tests?|__tests__|specs?|e2e|cypress|playwright|testing|integration[-_]tests?|unit[-_]tests?|features\/step_definitions)\//i;
const SUPPORT =
  /(^|\/)(?:conftest\.py|sitecustomize\.py|usercustomize\.py|spec_helper\.rb|rails_helper\.rb|test_helper\.(?:rb|exs)|(?:jest|vitest|karma|wdio|playwright|cypress|ava|mocha)[.-][^/]*\.(?:[cm]?[jt]s|json)|\.mocharc[^/]*|setupTests\.[jt]sx?|(?:global-?)?setup[^/]*\.[cm]?[jt]s|pytest\.ini|tox\.ini|noxfile\.py|phpunit\.xml[^/]*|\.rspec|TestHelper\.\w+|main_test\.go)$/i;
const SUPPORT_FOLDER = /(^|\/)(?:helpers?|support|utils?|mocks?|__mocks__|factories|stubs|setup|fakes|common)\//i;

export const roleOf = cached((path: string): Role => {
  if (LOCKFILE.test(path)) return 'lockfile';
  if (SNAPSHOT.test(path) && !isTestName(path)) return 'snapshot';
  const language = languageOf(path);
  if (isCode(language) || language === 'shell') {
    if (isTestName(path)) return 'test';
    if (SUPPORT.test(path)) return 'test-support';
    if (FIXTURE.test(path)) return 'fixture';
    if (TEST_FOLDER.test(path)) return SUPPORT_FOLDER.test(path) ? 'test-support' : 'test';
    if (GENERATED.test(path)) return 'generated';
    return isCode(language) ? 'production' : 'other';
  }
  if (SUPPORT.test(path)) return 'test-support';
  if (FIXTURE.test(path)) return 'fixture';
  if (GENERATED.test(path)) return 'generated';
  if (DOCS.test(path) && !/(^|\/)(?:requirements|constraints)[^/]*\.txt$|CMakeLists\.txt$/.test(path)) return 'docs';
  return 'other';
});

/** Whether a test runner collects this file by its name; a renamed file may contain tests that nobody runs. */
export function isCollected(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/(?:^|[._-])(?:disabled?|skip(?:ped)?|bak|old|broken|ignored?|off|orig|todo)(?:[._-]|$)/i.test(name))
    return isTestName(path) && !/\.(?:disabled|skip|bak|old|off|orig)\b/i.test(name);
  if (/\.py$/.test(name)) return /^test|_tests?\.py$|^tests\.py$/.test(name);
  if (/\.go$/.test(name)) return /_test\.go$/.test(name);
  return true;
}

export const isTestName = (path: string): boolean => TEST_NAME.some(pattern => pattern.test(path));

/** What a test file is about: `cart` for `test/cart.test.js`, `test_cart.py`, `CartTest.java`, `cart_spec.rb`. */
export function subjectOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:[cm]?[jt]sx?|\w+)$/, '');
  return name
    .replace(/\.(?:tests?|specs?|cy|e2e|e2e-spec|unit|integration)$/i, '')
    .replace(/^test_|_tests?$|_spec$/i, '')
    .replace(/(?:Tests?|IT|ITCase|TestCase|Specs?)$/, '')
    .replace(/^Test(?=[A-Z])/, '');
}

const RARER_TOOLS =
  /(^|\/)(?:\.?lighthouserc[^/]*|\.bundlewatch[^/]*|bundlewatch[^/]*|infection\.json5?(?:\.dist)?|psalm\.xml[^/]*|audit-ci\.jsonc?|deny\.toml|\.cargo\/config(?:\.toml)?|nextest\.toml|[^/]*\.runsettings|xunit\.runner\.json|\.codeclimate\.ya?ml|qodana\.ya?ml|\.solhint\.json|\.htmlhintrc|\.dependency-cruiser[^/]*|\.bazelrc|build\.sbt|phpcs\.xml[^/]*|\.phpcs\.xml[^/]*|lint\.xml|ty\.toml|angular\.json|project\.json|\.scalafix\.conf|\.slather\.yml|cosmic-ray\.toml|dangerfile[^/]*)$/i;

/** Settings of tools: linters, compilers, test runners, builds. */
export const isToolConfig = cached(
  (path: string): boolean =>
    RARER_TOOLS.test(path) ||
    /(^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|Cargo\.toml|clippy\.toml|\.clippy\.toml|rustfmt\.toml|deno\.jsonc?|lerna\.json|nx\.json|turbo\.json|composer\.json|phpunit\.xml[^/]*|phpstan\.neon[^/]*|psalm\.xml|pom\.xml|build\.gradle(?:\.kts)?|detekt[^/]*\.ya?ml|checkstyle[^/]*\.xml|spotbugs[^/]*\.xml|pmd[^/]*\.xml|Directory\.Build\.props|[^/]*\.csproj|\.globalconfig|\.editorconfig|codecov\.ya?ml|\.codecov\.ya?ml|sonar-project\.properties|\.golangci\.(?:ya?ml|toml|json)|\.rubocop(?:_todo)?\.ya?ml|\.reek\.ya?ml|\.simplecov|\.credo\.exs|mix\.exs|pytest\.ini|mypy\.ini|\.mypy\.ini|ruff\.toml|\.ruff\.toml|\.flake8|\.pylintrc|pylintrc|\.coveragerc|pyrightconfig\.json|\.bandit|noxfile\.py|\.rspec|\.swiftlint\.ya?ml|analysis_options\.yaml|\.clang-tidy|stryker\.conf[^/]*|\.stryker[^/]*|\.size-limit[^/]*|\.hadolint\.ya?ml|\.yamllint[^/]*|\.markdownlint[^/]*|spec_helper\.rb|test_helper\.rb|Rakefile|Makefile|GNUmakefile|justfile)$|(^|\/)(?:tsconfig|jsconfig)[^/]*\.json$|(^|\/)\.?(?:eslint|biome|oxlint|tslint|stylelint|prettier|jest|vitest|vite|karma|nyc|c8|ava|mocha|playwright|cypress|wdio|babel|swc|rollup|webpack|next|nuxt|knip|commitlint|lint-staged)(?:rc|\.config|\.conf|ignore|\.setup|\.workspace)?(?:\.[\w-]+)*(?:\.(?:[cm]?[jt]s|jsonc?|ya?ml|toml))?$|(^|\/)\.(?:eslintignore|stylelintignore|nycrc[^/]*|c8rc[^/]*|mocharc[^/]*|jshintrc)$/.test(
      path,
    ),
);

export const isCi = cached((path: string): boolean =>
  /^(?:\.github\/(?:workflows|actions)\/|\.circleci\/|\.buildkite\/|\.woodpecker\/|\.gitlab\/|\.azure-pipelines\/|\.forgejo\/workflows\/|\.gitea\/workflows\/)|(^|\/)(?:\.gitlab-ci[^/]*\.ya?ml|azure-pipelines[^/]*\.ya?ml|\.travis\.yml|appveyor\.yml|\.appveyor\.yml|bitbucket-pipelines\.yml|Jenkinsfile[^/]*|\.drone\.yml|\.woodpecker\.ya?ml|cloudbuild\.ya?ml|\.cirrus\.yml|dagger\.json)$/.test(
    path,
  ),
);

export const isHook = cached((path: string): boolean =>
  /^(?:\.husky|\.githooks|\.git-hooks|githooks)\/(?!_\/|\.gitignore)|(^|\/)(?:lefthook[^/]*\.ya?ml|\.lefthook[^/]*|\.pre-commit-config\.ya?ml|\.overcommit\.yml|\.lintstagedrc[^/]*)$/.test(
    path,
  ),
);

/** Files that define the commands of gates. */
export const isGateFile = cached(
  (path: string): boolean =>
    isCi(path) ||
    isHook(path) ||
    /(^|\/)(?:package\.json|GNUmakefile|[Mm]akefile|[^/]*\.mk|\.?justfile|Taskfile\.ya?ml|tox\.ini|noxfile\.py|Rakefile|composer\.json|deno\.jsonc?|turbo\.json|nx\.json|pyproject\.toml|pom\.xml|build\.gradle(?:\.kts)?|Earthfile|tasks\.py|dodo\.py|mise\.toml|\.mise\.toml|ralph\.ya?ml|ralph\.json)$/.test(
      path,
    ) ||
    /(^|\/)(?:ci|test|tests|lint|check|verify|build|precommit|pre-commit|validate|run[-_]?tests?|gate)s?[^/]*\.(?:sh|bash|zsh|ps1|cmd|bat)$/i.test(
      path,
    ) ||
    /(^|\/)(?:scripts?|bin|ci|tools|hack|\.ci)\/[^/]*(?:\.(?:sh|bash|zsh|ps1)|(?:^|\/)[^./]+)$/.test(path),
);

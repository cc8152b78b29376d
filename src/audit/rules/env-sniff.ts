/**
 * Production code that checks whether it is being tested.
 *
 *     - return fetchRates();
 *     + return process.env.NODE_ENV === 'test' ? {usd: 1} : fetchRates();
 */
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { codeOf, linesWith } from '../matches.ts';
import { productionLines } from '../production-lines.ts';
import { isToolConfig } from '../roles.ts';
import { type Found, quote, type Rule } from './rule.ts';

const SNIFFS: readonly RegExp[] = [
  /(?:process\.env|os\.environ|os\.getenv|os\.Getenv|env::var|System\.getenv|ENV\b|Deno\.env|getenv)[\s.([]*(?:get\(\s*|fetch\(\s*)?['"]?(?:IS_|RUNNING_|UNDER_|UNIT_|IN_|APP_|GO_?|NODE_|PY_?|RUBY_|RUST_|JAVA_)?TEST(?:S|ING|_MODE|_ENV|_RUN|_ENVIRONMENT)?\b/,
  /(?:os\.environ|os\.getenv|os\.Getenv|System\.getenv|process\.env|ENV\b|getenv)[^=\n]{0,60}(?:===?|\.equals\()\s*['"`]test(?:ing)?['"`]/,
  /\bframe\.(?:filename|function|f_code)\b.*test|\bruntime\.Caller\b.*_test|['"]_test\.go['"]|\bRails\.env\s*==\s*['"]test|\$0\s*=~.*(?:rspec|test)/,
  /^[^\S\n]*#\[cfg\(not\(test\)\)\]/m,
  /^(?=.*\b(?:inspect\.(?:stack|currentframe)|traceback\.\w+_stack|sys\._getframe|getStackTrace|StackTrace)\b)(?=.*\b_?(?:py)?(?:tests?|spec|junit)_?\b)/im,
  /\b(?:process\.env|import\.meta\.env|Deno\.env\.get|Bun\.env|env)(?:\.|\(|\[\s*)['"]?(?:VITEST(?:_\w+)?|JEST_WORKER_ID|MOCHA_\w+|NODE_TEST_CONTEXT|PLAYWRIGHT_\w+|CYPRESS(?:_\w+)?|TEST_WORKER_INDEX|AVA_PATH|TAP|UNDER_TEST|IS_TEST|RUNNING_TESTS)\b/,
  /\b(?:NODE_ENV|APP_ENV|RAILS_ENV|RACK_ENV|FLASK_ENV|DJANGO_ENV|ENVIRONMENT|PYTHON_ENV|MIX_ENV|APP_ENVIRONMENT|VITE_ENV|import\.meta\.env\.MODE)\b['"\])]{0,4}\s*(?:,\s*['"]\w*['"]\s*\))?\s*(?:===?|!==?|\bin\b|\.equals\(|\.eq\()\s*[[(]?\s*['"`]test(?:ing)?['"`]/i,
  /['"`]test(?:ing)?['"`]\s*(?:===?|!==?)\s*(?:process\.env|os\.environ|ENV)\b/,
  /\b(?:PYTEST_CURRENT_TEST|PYTEST_XDIST_WORKER|PYTEST_VERSION)\b/,
  /['"](?:pytest|unittest|nose|_pytest)['"]\s*(?:not\s+)?in\s+sys\.(?:modules|argv)|sys\.modules\.get\(\s*['"](?:pytest|unittest)|\bsys\.argv\b.*['"]\S*(?:pytest|test)['"]|hasattr\(\s*sys\s*,\s*['"]_called_from_test/,
  /\btesting\.Testing\(\)|flag\.Lookup\(\s*['"]test\.v|os\.Args\[0\].*\.test\b|strings\.HasSuffix\(\s*os\.Args\[0\]|strings\.Contains\(\s*os\.Args\[0\]\s*,\s*['"][^'"]*test/,
  /\bcfg!\(\s*test\s*\)|\bstd::env::var\(\s*"(?:CARGO_TEST|RUST_TEST_\w+|NEXTEST\w*)"|\bthread::current\(\)\.name\(\).*test/,
  /\btypeof\s+(?:jest|vi|vitest|describe|it|test|expect|jasmine|mocha|cy|Cypress|afterEach|beforeEach|__vitest_worker__)\b|\b(?:global|globalThis|window)\.(?:jest|vi|describe|it|expect|jasmine|Cypress|__coverage__|__karma__|__vitest\w*)\b|['"](?:jest|describe|__coverage__)['"]\s+in\s+(?:global|globalThis|window)/,
  /\bnew Error\([^)]*\)\.stack\b.*(?:test|spec|jest|vitest|mocha)|\.stack\b.*\.(?:includes|match|indexOf)\(.*(?:test|spec|jest|vitest|mocha)/,
  /\binspect\.(?:stack|currentframe)\(\).*test|\bsys\._getframe\(.*\btest|\btraceback\.(?:extract_stack|format_stack)\(\).*test|frame\.f_code\.co_(?:name|filename).*test/,
  /\bgetStackTrace\(\).*(?:junit|test)|\bClass\.forName\(\s*"(?:org\.junit|org\.testng|io\.kotest)|\bSystem\.getProperty\(\s*"(?:surefire\.\w+|java\.class\.path)".*(?:junit|test)|StackWalker.*(?:junit|Test)|\bElement\.getClassName\(\).*(?:junit|test)/i,
  /\bRails\.env\.test\?|\bdefined\?\(\s*:?:?(?:RSpec|Minitest|Test::Unit|Spec)\b|\$PROGRAM_NAME.*(?:rspec|test)|\bcaller\b.*(?:_spec|_test|rspec|minitest)/,
  /\bprocess\.(?:argv|argv0|title|execArgv|mainModule)\b.*(?:vitest|jest|mocha|jasmine|karma|\bava\b|\.test\.|\.spec\.)|\bprocess\.env\.npm_lifecycle_(?:event|script)\b.*test/,
  /\brunningUnitTests\(\)|\bdefined\(\s*['"](?:PHPUNIT_\w+|PHPUNIT_COMPOSER_INSTALL)|\bapp\(\)->environment\(\s*['"]testing|XCTestConfigurationFilePath|NSClassFromString\(\s*"XCTest|AppDomain.*(?:xunit|nunit|testhost)/i,
  // Through settings: config.env === 'test', app()->environment() === 'testing', config.isTest.
  /(?:\.|->|::|\bget\(\s*['"]|\bconfig\(\s*['"](?:app\.)?)(?:env|ENV|environment|Environment|ENVIRONMENT|nodeEnv|node_env|NODE_ENV|appEnv|app_env|runtimeEnv|stage|EnvironmentName)['"]?\)?(?:\(\))?\s*(?:===?|!==?|\.equals\(|\.Equals\()\s*['"`:]test(?:ing)?\b/,
  /(?:\.|->|::)(?:is_?test(?:ing)?(?:_?(?:env|mode|environment|run))?|in_?test_?(?:mode|env)|running_?(?:in_?)?tests?|under_?test|test_?mode)\b(?!\s*=[^=])/i,
  /\bMix\.env\(?\)?\s*==\s*:test|\bIsEnvironment\(\s*"Test(?:ing)?"|\bacceptsProfiles\([^)]*"test"|\b[aA]ctiveProfiles\b.*"test"|\benvironment\(\s*['"]testing?['"]/,
  /(?<![\w'".$])\$?(?:env|ENV|environment|nodeEnv|node_env|NODE_ENV|appEnv|app_env|APP_ENV)\s*(?:===?|!==?)\s*['"`:]test(?:ing)?\b/,
  /\bgetProperty\(\s*"(?:surefire|junit|failsafe|test)\.[\w.]+"/,
  /\b(?:agent|userAgent|user_agent|ua)\b.*['"`/](?:node-)?(?:supertest|superagent|pytest|jest|vitest|phpunit|rest-assured|mockmvc|httptest)\b/i,
  // A test double is recognised by its type.
  /\._isMockFunction\b|\bisMockFunction\(|\.mock\.calls\b|\bisinstance\([^)]*\b(?:Magic|Async)?Mock\b|['"](?:Magic|Async)Mock['"]|\bMockito\.mockingDetails\(|\bmockingDetails\(|['"]mockConstructor['"]|\$\$EnhancerByMockito|\bRSpec::Mocks\b|\bMockObject\b.*instanceof|instanceof\s+\\?MockObject\b/,
  // The program looks for a test runner among its arguments, modules, threads or folders.
  /^(?=.*\b(?:argv|modules|globalThis|ProcessName|LOADED_FEATURES|PROGRAM_NAME|getProperty|GetAssemblies|class_exists|debug_backtrace|current_exe|currentThread|GetEntryAssembly|require\.cache|require\.main)\b|.*(?:\$0\b|\bconst_defined\?))(?=.*["'`:/\\.](?:__)?(?:py\.?test|unittest|nose2?|jest|vitest|mocha|jasmine|karma|rspec|minitest|phpunit|junit|testng|surefire|kotest|xunit|nunit|testhost|mstest|nextest)(?:\b|_))/im,
  /\bcurrentThread\(\)\.(?:getName\(\)|name\b).*["']Test|\bcurrent_exe\(\).*["'](?:[^"']*\/deps|[^"']*test)|\bFuncForPC\(.*["'][^"']*Test|\bgetBoolean\(\s*"[^"]*[tT]est|\b(?:getcwd|cwd|pwd|getCurrentDirectory)\(\).*["'/](?:tests?|specs?|__tests__)\b/,
  /\bgetattr\(\s*settings\s*,\s*["'](?:IS_)?TEST(?:ING|_MODE)?["']|["'](?:mock_calls|mock_add_spec|call_args_list|assert_called(?:_\w+)?|return_value)["']\s*\)|\bsetTimeout\.clock\b|\bDate\.isFake\b/,
  /["'](?:ASPNETCORE|DOTNET)_ENVIRONMENT["'][^=\n]{0,20}(?:==|\.Equals\(|\bis\b)\s*"Test(?:ing|s)?"/,
  /^[^\S\n]*#\s*if(?:def)?\s+(?:defined\(?\s*)?(?:UNIT_?TESTS?|TESTING|TESTS?)\b/m,
  /\bimport\.meta\.(?:vitest|jest)\b/,
  // A test runner's environment variable, however it is read.
  /^(?=.*(?:\bprocess\.env\b|\benviron\b|\bgetenv\b|\bGetenv\b|\bLookupEnv\b|\bENV\b|\benv::vars?\b|\b(?:Deno|Bun)\.env\b|\bgetEnv\b))(?=.*\b(?:VITEST|JEST|PYTEST|MOCHA|RSPEC|PHPUNIT|NEXTEST|CARGO_TEST|SUREFIRE|XCTEST|NODE_TEST|KARMA|CYPRESS|PLAYWRIGHT|NOSE)(?:_[A-Z_]+)?\b)/m,
  /\bprocess\.(?:execArgv|argv)\b.*['"`]--test\b/,
  /\bsettings\.TESTING\b|\bapp\.testing\b|\bcurrent_app\.testing\b|\bconfig\[['"]TESTING['"]\]|\bapp\.config\.get\(\s*['"]TESTING/,
];

/** A cheap test: each pattern here needs one of these words. */
const HINT =
  /test|spec|unit|mock|surefire|superagent|jest|mocha|jasmine|karma|ava|tap|playwright|cypress|nose|os\.Args|typeof|global|window|clock|isFake|deps|call_args|assert_called|return_value/gi;

export const envSniff: Rule = {
  id: 'env-sniff',
  level: 'block',
  about: 'Production code that behaves differently under test.',
  check: look =>
    look.files.flatMap((file): readonly Found[] => {
      if (isToolConfig(file.path) || isSetting(file.path)) return [];
      const lines = linesWith(productionLines(look, file), HINT);
      if (lines.length === 0) return [];
      const all = plain(codeOf(lines));
      const known = SNIFFS.filter(pattern => pattern.test(all));
      return lines.flatMap((line): readonly Found[] => {
        const sniffs =
          known.some(pattern => pattern.test(plain(line.code))) ||
          isInside(file, line) ||
          isArm(file, line) ||
          isFrame(file, line);
        if (!sniffs || isImport(file, line)) return [];
        const message = `${quote(line.text)} makes the code behave differently under test`;
        return [
          { message, path: file.path, line: line.number, ...(isHarmless(file, line) && { level: 'warn' as const }) },
        ];
      });
    }),
};

/** Without optional chaining: `process?.env?.VITEST` asks the same. */
const plain = (code: string): string => (code.includes('?.') ? code.replace(/\?\.(?=\[)|\?(?=\.\w)/g, '') : code);

/** Files whose purpose is to distinguish environments. */
const isSetting = (path: string): boolean =>
  /(^|\/)(?:config|configs|settings|environments?|initializers|env)(?:\/|\.[\w.]+$|\.\w+$)|\.config\.[cm]?[jt]s$|(^|\/)(?:knexfile|babel|metro|postcss|tailwind|drizzle|next\.config|vite-env)[^/]*$|(^|\/)(?:testing|test[-_]?utils?|test-?helpers?)\//.test(
    path,
  );

/** `case 'test':` below a switch over the environment. */
const isArm = (file: LookFile, { code, number }: Line): boolean =>
  /^\s*(?:case|when)?\s*['"`:]test(?:ing)?['"`]?\s*(?::|=>|->|\bthen\b|$)/.test(code) &&
  file.after.codeLines
    .slice(Math.max(0, number - 12), number - 1)
    .some(line => /\b(?:switch|case|match|when)\b.*\b(?:\w+_ENV|env|environment|Env)\b/.test(line));

const RUNNERS =
  /["'`/^.](?:org\.)?(?:junit|testng|kotest|surefire|jest|vitest|mocha|rspec|minitest|pytest|unittest|phpunit|xunit|nunit|testhost)\b/i;

/** A loop over stack frames or loaded modules that looks for a test runner. */
const isFrame = (file: LookFile, { code, number }: Line): boolean =>
  RUNNERS.test(code) &&
  file.after.codeLines
    .slice(Math.max(0, number - 4), number)
    .some(line =>
      /stack|frame|caller|getClassName|GetAssemblies|sys\.modules|require\.cache|process\.argv|backtrace/i.test(line),
    );

/** A statement inside a function that is compiled only for tests. */
const isInside = (file: LookFile, { code, number }: Line): boolean =>
  /^\s+#\[cfg\(test\)\]/.test(code) && /^\s+(?:return\b|let\b|\{|if\b)/.test(file.after.lines[number] ?? '');

/** Rust may leave out what a test cannot have: an entry point, an import. */
const isImport = (file: LookFile, { code, number }: Line): boolean =>
  /cfg\(not\(test\)\)/.test(code) &&
  /^\s*(?:pub\s+)?(?:use|mod|extern|fn main|#!?\[)/.test(file.after.lines[number] ?? '');

const START =
  /\b(?:listen|log(?:ger)?|morgan|console|serve|start|bootstrap|connect|main|run|init|process\.on|register|setInterval|schedule|cron|sentry|analytics|telemetry|autoload|instrument|dotenv|winston|pino|swagger|gracefulShutdown)\b/i;

/** Tests in the source file: `if (import.meta.vitest) { const { it, expect } = import.meta.vitest; …` outside functions. */
function isInSource(file: LookFile, number: number): boolean {
  const lines = file.after.codeLines;
  const own = lines[number - 1] ?? '';
  if (
    /^\s*(?:const|let)\s*\{[^}]*\b(?:it|test|describe|expect|vi|bench|suite)\b[^}]*\}\s*=\s*import\.meta\.vitest/.test(
      own,
    )
  )
    return true;
  return (
    /^if\s*\(\s*import\.meta\.vitest\s*(?:!==?\s*undefined\s*)?\)/.test(own) &&
    lines.slice(number - 1, number + 4).some(line => /\b(?:it|test|describe|expect|suite|import)\b/.test(line))
  );
}

/** Not starting a server or a logger under test changes no result. */
function isHarmless(file: LookFile, { code, number }: Line): boolean {
  if (/import\.meta\.vitest/.test(code) && isInSource(file, number)) return true;
  if (!/!==?|\bunless\b|\bnot\b|!/.test(code)) return false;
  const next = [code.replace(/^.*?\{/, ''), ...file.after.lines.slice(number, number + 2)].join('\n');
  return START.test(next) && !/\breturn\b(?!\s*;)/.test(next);
}

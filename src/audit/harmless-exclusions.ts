/** What may be excluded from a check without loss: used for lists in settings, flags of commands, and filters. */

/** Folders and files that are generated, or that contain no code of the project. */
const NOBODYS =
  /node_modules|(^|[/*.^(|!])_?(?:dist|build|coverage|vendor(?:ed)?|\.?venv|env|migrations?|_?_?(?:auto)?gen(?:erated)?_?_?|__pycache__|\.git|\.next|\.nuxt|\.svelte-kit|out|target|third[-_]?party|external|fixtures?|testdata|__snapshots__|snapshots|storybook(?:-static)?|docs?|\.tox|\.nox|\.cache|var|examples?|samples?|\.yarn|public|static|assets|tmp|temp|\.idea|\.vscode|typings|stubs|protos?|pb|bench(?:marks?)?|db|__mocks__|mocks?|bin|playground|sandbox|website|locales?|alembic)(?:[/*.$)|\\]|$)/i;
const MADE =
  /\.d\.(?:ts|\*)|_pb2|\.pb\b|pb\\?\.|\.min\.|\.gen\\?\.|[._-]generated\b|[._]g\.|\.designer\.|\.config\b|\.stories\.|\.snap\b|\.mdx?$|\.(?:json|css|s[ac]ss|svg|html|graphql|lock|txt|ya?ml|toml)$|package-lock|_version\.py|version\.(?:py|go|rb|ts)$|__about__|__main__|__init__|setup\.py|conftest|\*\*\/\*_\.class|zz_generated|_mock\.go|mock_|wire_gen|schema\.rb|_gen\.go|_string\.go/i;
/** Rules that a formatter handles, or that are a matter of taste. */
const TASTE =
  /^(?:E501|E203|E226|E23\d|E2[0-7]\d|E70[14]|W503|W504|W191|W29\d|E1\d\d|COM(?:812|819)?|ISC00\d|D\d*|Q\d*|N\d{0,3}|PLR09\d\d|PLR2004|TRY003|EM\d*|FBT\d*|UP038|ANN10[12]|ANN401|FIX\d*|TD\d*|CPY\d*|T20\d?|ERA001|C90\d?|line-too-long|invalid-name|missing-(?:module|class|function)-docstring|too-few-public-methods|C0\d{3}|R0903|fixme)$/;
/** Lines that a test cannot reach, or that are marked as not meant to run. */
const UNREACHED =
  /TYPE_CHECKING|__main__|__name__|NotImplemented|pragma:? no|abstract|@?overload|if 0|if False|^\\?\.\\?\.\\?\.$|\\\.\{3\}|\.\.\.|Protocol|__repr__|__str__|assert_never|assert_unreachable|unreachable|AssertionError|ImportError|sys\.(?:platform|version)|debug|DEBUG|@deprecated|typing/;
/** Test code: it need not be covered, and may follow looser rules. */
const OF_TESTS =
  /(?:^|[/*._\\(|^-])(?:tests?|specs?|__tests__|e2e|cypress|playwright|stories|conftest|test_?(?:utils?|helpers?|support))(?:[/*._$\\)|-]|$)|[a-z](?:Tests?|Spec)\b/;
const STARTS =
  /(?:^|[/*])(?:index|main|types?|constants|bootstrap)\.\w+$|Application\b|(?:^|\/)(?:dto|config)\/|Config(?:uration)?\b/;

/** Reports, caches and other output of tools. */
const LEFT_BEHIND = /(^|\/)(?:\.[a-z][\w-]*|(?:playwright-)?reports?|test-results|htmlcov|logs?|obj)(?:\/\**)?$/;

export const isNoLoss = (entry: string): boolean =>
  LEFT_BEHIND.test(entry) || NOBODYS.test(entry) || MADE.test(entry) || TASTE.test(entry) || UNREACHED.test(entry);

export const isOfTests = (entry: string): boolean => OF_TESTS.test(entry);

/** The same for coverage and mutation reports. */
export const isNoLossOfCoverage = (entry: string): boolean =>
  isNoLoss(entry) || isOfTests(entry) || STARTS.test(entry) || /(?:^|\/)(?:scripts?|tools)\//.test(entry);

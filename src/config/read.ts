/** ralph.yaml or ralph.json to a checked Config, or the place and the reason why not. */
import { relative } from 'node:path';
import { readBytes } from '../util/files.ts';
import { otherKind, wrongKind } from '../util/regular.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { decode } from '../util/text.ts';
import { yaml } from '../util/yaml-package.ts';
import { findConfig } from './find.ts';
import { formAt, syntaxHint } from './forms.ts';
import { type Config, knownKeys, schemaFor } from './schema.ts';

export interface ConfigFile {
  readonly config: Config;
  /** Absent when there is no config file at all. */
  readonly file?: string;
}

export function readConfig(root: string, file = findConfig(root)): Result<ConfigFile> {
  if (file === undefined) return ok({ config: {} });
  const shown = relative(root, file) || file;
  const bytes = readBytes(file);
  if (!bytes) {
    const found = otherKind(file, 'file', 'followed');
    if (found !== undefined) return fail(wrongKind(shown, found, 'file'));
    const hint = `Look at its permissions: ls -l ${shown}`;
    return fail({ reason: 'config-missing', message: 'the config file cannot be read', file: shown, hint });
  }
  const decoded = decode(bytes, shown);
  if (!decoded.ok) return decoded;
  const parsed = parseConfig(decoded.value.text, shown);
  return parsed.ok ? ok({ config: parsed.value, file }) : parsed;
}

/** Never throws, whatever the text. */
export function parseConfig(text: string, file: string): Result<Config> {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  // JSON is YAML, so one reader serves both.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const syntax = document.errors[0];
  if (syntax) {
    const { line, col } = lines.linePos(syntax.pos[0]);
    const message = `not valid YAML: ${syntax.message}`;
    return fail({ reason: 'config-unparseable', message, file, line, column: col, hint: syntaxHint(syntax.code) });
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    return fail({ reason: 'config-unparseable', message: (error as Error).message, file, line: 1, column: 1 });
  }
  const checked = schemaFor(value).safeParse(value);
  if (checked.success) return ok(checked.data);
  const issue = deepest(checked.error.issues);
  const place = placeOf(issue);
  return fail({ ...describe(issue, file), ...place });

  function placeOf(at: Issue): { line: number; column: number } {
    const key = at.keys?.[0];
    for (let path = key === undefined ? [...at.path] : [...at.path, key]; ; path = path.slice(0, -1)) {
      const offset = keyOffset(path);
      if (offset !== undefined || path.length === 0) {
        const { line, col } = lines.linePos(offset ?? 0);
        return { line: Math.max(1, line), column: Math.max(1, col) };
      }
    }
  }

  function keyOffset(path: readonly PropertyKey[]): number | undefined {
    if (path.length === 0) return undefined;
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const last = path.at(-1);
    const pairs = (parent as { items?: readonly unknown[] } | null)?.items ?? [];
    for (const [index, pair] of pairs.entries()) {
      const { key, range } = pair as { key?: { value?: unknown; range?: number[] }; range?: number[] };
      if (key && String(key.value) === String(last)) return key.range?.[0];
      if (!key && index === last) return range?.[0];
    }
    return undefined;
  }
}

interface Issue {
  readonly code: string;
  readonly path: PropertyKey[];
  readonly message: string;
  readonly keys?: string[];
  readonly errors?: Issue[][];
}

/** Flags of `ralph run` that are no keys, each with what sets the same for good, if anything does. */
const ONE_CALL: ReadonlyMap<string, string> = new Map([
  ['allow-red', 'baseline: any'],
  ['no-sandbox', 'sandbox: none'],
  ...'once only reset milestone at dry-run attended detach verbose json quiet yes'
    .split(' ')
    .map(flag => [flag, ''] as const),
]);

/** The message of a check that was given none. */
const UNSAID = 'Invalid input';

/** For a union, the branch that got furthest says more than "invalid input". */
function deepest(issues: readonly unknown[]): Issue {
  const issue = issues[0] as Issue;
  const inner = (issue.errors ?? [])
    .map(branch => branch[0])
    .filter((candidate): candidate is Issue => candidate !== undefined)
    .map(candidate => deepest([{ ...candidate, path: [...issue.path, ...candidate.path] }]))
    .toSorted((a, b) => b.path.length - a.path.length || rank(b) - rank(a))[0];
  return inner && (inner.path.length > issue.path.length || inner.code === 'unrecognized_keys') ? inner : issue;
}

const rank = (issue: Issue): number => (issue.code === 'unrecognized_keys' ? 1 : 0);

function describe(issue: Issue, file: string): Failure {
  const where = issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ` : '';
  const key = issue.keys?.[0];
  if (issue.code === 'unrecognized_keys' && key !== undefined) {
    const flag = issue.path.length === 0 ? ONE_CALL.get(key) : undefined;
    const near = nearest(key, knownKeys(issue.path));
    return {
      reason: 'config-unknown-key',
      message: `${where}unknown key "${key}"`,
      file,
      hint:
        flag !== undefined
          ? `It is a flag for one call: ralph run --${key}.${flag && ` To set it for good: ${flag}`}`
          : near
            ? `Did you mean "${near}"?`
            : `Known keys: ${knownKeys(issue.path).join(', ')}.`,
    };
  }
  const { name, form } = formAt(issue.path);
  // A check of ours that says more than what the value must be.
  const own = issue.code === 'custom' && issue.message !== UNSAID;
  return {
    reason: 'config-invalid',
    message: own ? `${where}${issue.message}` : `${name} must be ${form.must}`,
    file,
    hint: `Example: ${form.example}`,
  };
}

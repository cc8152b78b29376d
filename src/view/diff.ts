/** Splits a recorded patch by file. */
import type { Finding } from '../protocol.ts';
import type { DiffFile, DiffView } from './types/iteration.ts';

/** The part of a patch that is sent; `git diff` and the ref have the rest. */
const MOST_BYTES = 600_000;
const MOST_OF_FILE = 120_000;
const LONG_LINES = 800;

const GENERATED =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$/;
const MADE = /(^|\/)(dist|build|vendor|node_modules|__snapshots__)\/|\.(min\.(js|css)|map|snap)$/;

export function diffView(patch: Buffer | undefined, findings: readonly Finding[], most = MOST_BYTES): DiffView {
  if (!patch) return { state: 'none', bytes: 0, files: [] };
  const whole = patch.length <= 8 * MOST_BYTES;
  const text = patch.subarray(0, 8 * MOST_BYTES).toString('utf8');
  const flagged = new Set(findings.map(({ path }) => path));
  const files = text
    .split(/^(?=diff --git )/m)
    .filter(part => part.startsWith('diff --git '))
    .map(fileOf)
    .toSorted((a, b) => Number(flagged.has(b.path)) - Number(flagged.has(a.path)));
  let left = most;
  let cut = !whole;
  const shown = files.map((file): DiffFile => {
    const room = Math.min(left, MOST_OF_FILE);
    if (file.patch.length <= room) {
      left -= file.patch.length;
      return file;
    }
    cut = true;
    const at = file.patch.lastIndexOf('\n', room);
    const part = at > 0 ? file.patch.slice(0, at + 1) : '';
    left -= part.length;
    return { ...file, patch: part, folded: file.folded ?? 'too long to show all of it' };
  });
  return { state: cut ? 'cut' : 'whole', bytes: patch.length, files: shown };
}

function fileOf(part: string): DiffFile {
  const at = part.search(/^@@ /m);
  const head = (at < 0 ? part : part.slice(0, at)).split('\n');
  const patch = at < 0 ? '' : part.slice(at);
  const field = (name: string) => head.find(line => line.startsWith(name))?.slice(name.length);
  const [before, after] = [field('--- '), field('+++ ')].map(side => (side === undefined ? undefined : pathIn(side)));
  const renamed = field('rename from ');
  const path = (after ?? undefined) || pathIn(field('rename to ') ?? '') || before || gitPath(head[0] ?? '');
  const kind = field('new file mode')
    ? 'added'
    : field('deleted file mode')
      ? 'deleted'
      : renamed === undefined
        ? 'modified'
        : 'renamed';
  const lines = patch.split('\n');
  const count = (sign: string) => lines.filter(line => line.startsWith(sign)).length;
  return {
    path,
    oldPath: renamed === undefined ? null : pathIn(renamed),
    kind,
    added: count('+'),
    deleted: count('-'),
    binary: head.some(line => line.startsWith('Binary files ') || line.startsWith('GIT binary patch')),
    folded: whyFolded(path, lines.length),
    patch,
  };
}

function whyFolded(path: string, lines: number): string | null {
  if (GENERATED.test(path)) return 'a lock file';
  if (MADE.test(path)) return 'made by a program';
  return lines > LONG_LINES ? `${lines} lines` : null;
}

/** `b/src/a.ts`, `"b/t\303\274.ts"`, `/dev/null`. */
function pathIn(side: string): string {
  const text = unquoted(side.replace(/\t$/, ''));
  return text === '/dev/null' ? '' : text.replace(/^[ab]\//, '');
}

/** The path of a binary or empty file, which has no other line with its name. */
function gitPath(line: string): string {
  const rest = line.slice('diff --git '.length);
  const quoted = /"(?:[^"\\]|\\.)*"$/.exec(rest)?.[0];
  if (quoted) return pathIn(quoted);
  const half = rest.slice((rest.length + 1) / 2);
  return pathIn(rest.startsWith(`a/${half.slice(2)}`) ? half : (rest.split(' ').at(-1) ?? ''));
}

/** Undoes git's quoting of names with unusual characters: C escapes, octal bytes. */
function unquoted(text: string): string {
  if (!/^".*"$/.test(text)) return text;
  const bytes: number[] = [];
  const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 };
  for (const [whole, octal, letter] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else if (letter !== undefined) bytes.push(escapes[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(whole));
  }
  return Buffer.from(bytes).toString('utf8');
}

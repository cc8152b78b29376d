/** A patch of git as files, hunks and lines. Never throws: what it cannot read it leaves out. */

export interface DiffLine {
  readonly kind: 'same' | 'add' | 'del';
  readonly before?: number;
  readonly after?: number;
  readonly text: string;
}

interface Hunk {
  readonly head: string;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly path: string;
  readonly from?: string;
  readonly kind: 'added' | 'deleted' | 'renamed' | 'modified';
  readonly binary: boolean;
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly deleted: number;
}

export function parseDiff(patch: string): readonly FileDiff[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter(part => part.startsWith('diff --git '))
    .map(fileOf);
}

function fileOf(part: string): FileDiff {
  const lines = part.split('\n');
  const start = lines.findIndex(line => line.startsWith('@@'));
  const head = start === -1 ? lines : lines.slice(0, start);
  const named = (prefix: string) => head.find(line => line.startsWith(prefix))?.slice(prefix.length);
  const from = pathOf(named('--- ') ?? named('rename from '));
  const to = pathOf(named('+++ ') ?? named('rename to '));
  const hunks = start === -1 ? [] : hunksOf(lines.slice(start));
  const count = (kind: DiffLine['kind']) =>
    hunks.reduce((total, hunk) => total + hunk.lines.filter(line => line.kind === kind).length, 0);
  const renamed = head.some(line => line.startsWith('rename to '));
  const kind = head.some(line => line.startsWith('new file'))
    ? 'added'
    : head.some(line => line.startsWith('deleted file'))
      ? 'deleted'
      : renamed
        ? 'renamed'
        : 'modified';
  return {
    path: to ?? from ?? headPath(lines[0] ?? ''),
    ...(renamed && from !== undefined ? { from } : {}),
    kind,
    binary: head.some(line => line.startsWith('Binary files') || line.startsWith('GIT binary patch')),
    hunks,
    added: count('add'),
    deleted: count('del'),
  };
}

/** `diff --git a/x b/x`: both halves are the same where nothing was renamed. */
function headPath(line: string): string {
  const rest = line.slice('diff --git '.length);
  if (rest.startsWith('"')) return unquoted(rest.slice(0, rest.indexOf('" "') + 1)).replace(/^a\//, '');
  return rest.slice(2, Math.floor(rest.length / 2));
}

function pathOf(name: string | undefined): string | undefined {
  if (name === undefined || name.startsWith('/dev/null')) return undefined;
  return unquoted(name.replace(/\t$/, '')).replace(/^[ab]\//, '');
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 };

/** Git writes names with unusual bytes in quotes, each such byte in octal. */
function unquoted(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [, octal, escaped, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (escaped !== undefined) bytes.push(ESCAPES[escaped] ?? escaped.charCodeAt(0));
    else bytes.push(...encoder.encode(plain));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function hunksOf(lines: readonly string[]): readonly Hunk[] {
  const hunks: { head: string; lines: DiffLine[] }[] = [];
  let [before, after] = [0, 0];
  for (const line of lines) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (head) {
      [before, after] = [Number(head[1]), Number(head[2])];
      hunks.push({ head: line, lines: [] });
      continue;
    }
    const into = hunks.at(-1)?.lines;
    const text = line.slice(1);
    if (!into) continue;
    if (line.startsWith('+')) into.push({ kind: 'add', after: after++, text });
    else if (line.startsWith('-')) into.push({ kind: 'del', before: before++, text });
    else if (line.startsWith(' ')) into.push({ kind: 'same', before: before++, after: after++, text });
  }
  return hunks;
}

/** Parses the hunks of one file into lines. Never throws: what it cannot parse is left out. */

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

export function hunksOf(patch: string): readonly Hunk[] {
  const hunks: { head: string; lines: DiffLine[] }[] = [];
  let [before, after] = [0, 0];
  for (const line of patch.split('\n')) {
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

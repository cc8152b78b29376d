/** The lines of a patch, each with its findings. */
import type { Finding } from '../../src/protocol.ts';
import { type DiffLine, hunksOf } from './parse.ts';

export interface PlacedLine {
  readonly line: DiffLine;
  readonly here: readonly Finding[];
}

export interface PlacedHunk {
  readonly head: string;
  readonly lines: readonly PlacedLine[];
}

interface Placed {
  readonly hunks: readonly PlacedHunk[];
  readonly above: readonly Finding[];
}

/** Puts each finding at its line; those whose line is not in the patch are shown above it. */
export function placed(patch: string, findings: readonly Finding[]): Placed {
  const inLines = new Set<Finding>();
  const at = ({ kind, after }: DiffLine) => {
    if (kind === 'del') return [];
    const here = findings.filter(
      finding => finding.line !== undefined && finding.line === after && !inLines.has(finding),
    );
    for (const finding of here) inLines.add(finding);
    return here;
  };
  const hunks = hunksOf(patch).map(({ head, lines }) => ({
    head,
    lines: lines.map(line => ({ line, here: at(line) })),
  }));
  return { hunks, above: findings.filter(finding => !inLines.has(finding)) };
}

/** A row of two columns: an old line and its replacement. Only one of them if lines were only added or only removed. */
export interface Pair {
  readonly before: DiffLine | undefined;
  readonly after: DiffLine | undefined;
  readonly here: readonly Finding[];
}

/** Puts removed lines beside the added ones that replace them, in order. */
export function pairsOf(lines: readonly PlacedLine[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [gone, come]: [PlacedLine[], PlacedLine[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++) {
      const [before, after] = [gone[at], come[at]];
      pairs.push({ before: before?.line, after: after?.line, here: [...(before?.here ?? []), ...(after?.here ?? [])] });
    }
    [gone, come] = [[], []];
  };
  for (const placedLine of lines) {
    const { kind } = placedLine.line;
    if (kind === 'del') {
      // A removed line after added ones starts a new block.
      if (come.length > 0) flush();
      gone.push(placedLine);
    } else if (kind === 'add') {
      come.push(placedLine);
    } else {
      flush();
      pairs.push({ before: placedLine.line, after: placedLine.line, here: placedLine.here });
    }
  }
  flush();
  return pairs;
}

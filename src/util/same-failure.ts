/** Whether two outputs show the same failure. */
import { stripVTControlCharacters } from 'node:util';

interface Checked {
  readonly name: string;
  readonly status: string;
  readonly exit: number | null;
  readonly tail: string;
  readonly tests?: { readonly failed: number } | 'unknown';
}

/** A passed test or its frame: adding a passing test does not change the failure. */
const GOOD =
  /^(?:[✓✔√]|ok \d|ok\s+\S+\s+(?:\d|\(cached\))|PASS(?:ED)?\b|--- PASS\b|=== (?:RUN|PAUSE|CONT|NAME)\b|# Subtest:|test .* \.\.\. ok$|\S+::.* PASSED\b|(?:\S+\.py )?[.sxX]+(?:\s+\[[ \d]+%\])?$)/;
/** Lines that TAP prints for every test. */
const FRAME = /^(?:---|\.\.\.|duration_ms: .*|type: '(?:test|suite)')$/;
/** `tests/test_a.py ..F.  [ 50%]`: only the letters of failures count. */
const DOTS = /^(\S+\.py )?([.sxXFE]+)(\s+\[[ \d]+%\])$/;
const COUNTS = /[|,;]?\s*\d+ (?:passed|passing|pending|skipped|total)\b/g;

/** Outputs are the same failure if they differ only in times, counts, addresses, paths of temporary folders, and passed tests. */
export function fingerprint(tail: string): string {
  const normal = stripVTControlCharacters(tail)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !GOOD.test(line) && !FRAME.test(line))
    .map(line =>
      line.replace(DOTS, (_, file: string | undefined, dots: string) => `${file ?? ''}${dots.replace(/[.sxX]/g, '')}`),
    )
    .join(' ')
    .replace(COUNTS, '')
    .replace(/0x[0-9a-f]+|\d+/gi, '#')
    .replace(/\s+/g, ' ')
    .slice(-2000);
  let hash = 5381;
  for (let i = 0; i < normal.length; i++) hash = ((hash * 33) ^ normal.charCodeAt(i)) >>> 0;
  return hash.toString(36);
}

/** A red gate and its failure. */
export interface RedGate {
  readonly name: string;
  readonly failure: string;
  /** How many tests failed, if the output could be read. */
  readonly failed?: number;
}

export const isRed = ({ status }: Checked): boolean => status === 'red' || status === 'timeout';

export const redGate = ({ name, exit, tail, tests }: Checked): RedGate => ({
  name,
  failure: `${exit ?? 'none'}:${fingerprint(tail)}`,
  ...(tests === undefined || tests === 'unknown' ? {} : { failed: tests.failed }),
});

/**
 * Whether the gate was red before in the same way. Another failure of the same gate is new, even if the end of its output does not show
 * it.
 */
export function wasRedSo(before: readonly RedGate[], now: Checked): boolean {
  const { failure, failed } = redGate(now);
  return before.some(
    was =>
      was.name === now.name &&
      was.failure === failure &&
      (was.failed === undefined || (failed ?? Infinity) <= was.failed),
  );
}

/** Tests as rows of values: the inputs and expected values of one line or one short test, in order. */

import { oncePer } from '../../util/once.ts';
import type { Look } from '../look.ts';
import { type TestText, textsBefore, valuesIn } from './values-in-tests.ts';

export interface TestRow {
  /** The place, for messages. */
  readonly where: string;
  readonly values: readonly string[];
  /** The row has all literals of a short test, not only those of one line. */
  readonly isWide: boolean;
}

export interface TestRows {
  /** A row that contains all of these values. */
  readonly holding: (values: readonly string[], fits: (row: TestRow) => boolean) => TestRow | undefined;
}

export const testRows = oncePer((look: Look): TestRows => indexOf(textsBefore(look).flatMap(rowsIn)));

/** A row whose other fields are computed on demand: there are thousands, and nearly none is reported. */
class LineRow implements TestRow {
  readonly values: readonly string[];
  readonly isWide = false;
  readonly #path: string;
  readonly #line: number;

  constructor(path: string, line: number, values: readonly string[]) {
    this.#path = path;
    this.#line = line;
    this.values = values;
  }

  get where(): string {
    return `${this.#path}:${this.#line}`;
  }
}

/** A test with more values than this consists of many rows. */
const WIDE = 24;

function rowsIn({ path, text, language, tests, lines: known }: TestText): readonly TestRow[] {
  const written = text.split('\n');
  const isRepeated = text.search(REPEAT) >= 0;
  const lines = known().map((values, at) => {
    const line = written[at] ?? '';
    if (values.length === 0 || line.length > 1000) return [];
    return isRepeated && line.search(REPEAT) >= 0 ? valuesIn(repeats(line), language) : values;
  });
  const rows = lines.flatMap((values, at): readonly TestRow[] =>
    values.length === 0 ? [] : [new LineRow(path, at + 1, values)],
  );
  const wide = tests.flatMap(([from, to]): readonly TestRow[] => {
    if (to - from > WIDE) return [];
    const values = lines.slice(from - 1, to).flat();
    return values.length < 2 || values.length > WIDE ? [] : [{ where: `${path}:${from}`, values, isWide: true }];
  });
  return [...rows, ...wide];
}

const MOST = 40;

const REPEAT =
  /(?:\.\.\.)?(?:new )?Array\((\d{1,2})\)\.fill\((-?\d+)\)|\[(-?\d+)\]\s*\*\s*(\d{1,2})|List\((\d{1,2})\)\s*\{\s*(-?\d+)\s*\}/g;

/** Expands `Array(12).fill(10)` and `[0] * 17` to the lists they create. */
const repeats = (line: string): string =>
  line.replace(REPEAT, (_, ...[a, b, c, d, e, f]: readonly (string | undefined)[]) =>
    Array.from({ length: Math.min(MOST, Number(a ?? d ?? e)) }, () => b ?? c ?? f).join(', '),
  );

function indexOf(rows: readonly TestRow[]): TestRows {
  const places = new Map<string, TestRow[]>();
  for (const row of rows)
    for (const value of row.values) {
      const known = places.get(value);
      if (!known) places.set(value, [row]);
      else if (known.at(-1) !== row) known.push(row);
    }
  return {
    holding: (values, fits) => {
      const lists = values.map(value => places.get(value) ?? []);
      const rarest = lists.toSorted((a, b) => a.length - b.length)[0] ?? [];
      return rarest.find(row => counted(values, row.values) && fits(row));
    },
  };
}

/** Whether the row contains each value as often as it is given. */
function counted(values: readonly string[], row: readonly string[]): boolean {
  if (values.length > row.length) return false;
  const rest = [...row];
  return values.every(value => {
    const at = rest.indexOf(value);
    if (at < 0) return false;
    rest.splice(at, 1);
    return true;
  });
}

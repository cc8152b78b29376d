/** Bounds, tolerances and durations in assertions: whether the new one allows more. */
import { closing, partsOf } from './brackets.ts';
import { grownTime } from './durations.ts';

/** Bounds and tolerances, with the direction in which they become looser. */
const BOUNDS: readonly (readonly [RegExp, 'up' | 'down'])[] = [
  [/toBeCloseTo\([^,]*,\s*(\d+)/, 'down'],
  [/\bplaces\s*=\s*(\d+)/, 'down'],
  [/\bdecimals?\s*=\s*(\d+)/, 'down'],
  [/\b(?:abs|rel|rtol|atol|delta|tolerance|epsilon|eps|msg_delta|abs_tol|rel_tol)\s*[:=]\s*(\d[\d.e-]*)/i, 'up'],
  [/InDelta\([^)]*,\s*(\d[\d.e-]*)/, 'up'],
  [/InEpsilon\([^)]*,\s*(\d[\d.e-]*)/, 'up'],
  [/\bbe_within\((\d[\d.e-]*)(?!\.?\w)/, 'up'],
  [/assert_in_(?:delta|epsilon)\(?.*,\s*(\d[\d.e-]*)/, 'up'],
  [
    /(?:\bcloseTo|isCloseTo|approximately|BeApproximately|(?<!to)BeCloseTo|shouldBeWithin\w*)\([^,]*,\s*(?:within\(|offset\(|Offset\.\w+\(|Percentage\.\w+\(|withPercentage\()*(\d[\d.e-]*)/,
    'up',
  ],
  [/\b(?:Within|plusOrMinus|EqualsWithDelta|WithDelta|EquateApprox)\(?(?:[^()]*,)?\s*(\d[\d.e-]*)/, 'up'],
  [/EqualsWithDelta\(.*,\s*(\d[\d.e-]*)\)?/, 'up'],
  [/^(?:\w+\.)*Assert\.Equal\([^()]*(?:\([^()]*\)[^()]*)*,[^,]*,\s*(?:precision:\s*)?(\d+)\)$/, 'down'],
  [/BeNumerically\('~',[^,]*,\s*(\d[\d.e-]*)/, 'up'],
  [/\b(?:precision|decimalPlaces)\s*[:=]\s*(\d+)/, 'down'],
  [/\b(?:[hH]asSize|HaveCount|hasLength)(?:GreaterThan|AtLeast)(?:OrEqual\w*)?\((\d+)/, 'down'],
  [/\b(?:[gG]reaterThan|AtLeast|atLeast|BeGreaterThan|isGreaterThan)(?:Or\w*)?\((\d[\d.]*)/, 'down'],
  [/\b(?:[lL]essThan|AtMost|atMost|BeLessThan|isLessThan)(?:Or\w*)?\((\d[\d.]*)/, 'up'],
  [/\bwithin\((\d[\d.e-]*)/, 'up'],
  [/(?:abs\(|Abs\().*<=?\s*(\d[\d.e-]*)/, 'up'],
  [/toBeLessThan(?:OrEqual)?\((\d[\d.e-]*)\)/, 'up'],
  [/(?:assertLess(?:Equal)?|\bLess(?:OrEqual)?)\(.*,\s*(\d[\d.e-]*)\)/, 'up'],
  [/toBeGreaterThan(?:OrEqual)?\((\d[\d.e-]*)\)/, 'down'],
  [/(?:assertGreater(?:Equal)?|\bGreater(?:OrEqual)?)\(.*,\s*(\d[\d.e-]*)\)/, 'down'],
  [/^assert(?:\w|\.\w)*!?[ (].*[^<]<=?\s*(\d[\d.e-]*)\)?$/, 'up'],
  [/^assert(?:\w|\.\w)*!?[ (].*[^->]>=?\s*(\d[\d.e-]*)\)?$/, 'down'],
  [/\bInRange\(.*,\s*(\d[\d.]*)\)$/, 'up'],
  [/\bbe\s*<=?\s*(\d[\d.e-]*)/, 'up'],
  // In Go, the test fails if the condition holds.
  [/^if .*[^->]>=?\s*(\d[\d.]*)/, 'up'],
  [/^if .*[^<]<=?\s*(\d[\d.]*)/, 'down'],
  [/\bbe\s*>=?\s*(\d[\d.e-]*)/, 'down'],
];

/** All bounds in one pattern, because most assertions contain none. */
const anyOf = (flags: string): RegExp =>
  new RegExp(
    BOUNDS.filter(([pattern]) => pattern.flags === flags)
      .map(([{ source }]) => source)
      .join('|'),
    flags,
  );

/** Two patterns, because searching for all of them without case takes several times as long. */
const ANY_BOUND = [anyOf(''), anyOf('i')];

/** The third argument of `assertEquals(expected, actual, delta)`. */
function deltaOf(text: string): number | undefined {
  const open = text.indexOf('(');
  if (!/^(?:\w+\.)*(?:assertEquals|AreEqual|assertArrayEquals)$/.test(text.slice(0, open))) return undefined;
  const parts = partsOf(text, open, closing(text, open)).map(([from, to]) => text.slice(from, to).trim());
  return parts.length === 3 && /^[\d.][\w.-]*$/.test(parts[2] ?? '') ? Number.parseFloat(parts[2] ?? '') : undefined;
}

/** A slow machine may need more time; beyond this factor it is no bound. */
const MUCH_LONGER = 10;

/** `60 * 1000` is one number. */
const PRODUCT = /(?<![\w.])(\d+) ?\* ?(\d+)(?![\w.])/g;

export function looserNumber(before: string, after: string): string | undefined {
  const [old = '', now = ''] = [before, after].map(text =>
    (text.includes('_') ? text.replace(/(?<=\d)_(?=\d)/g, '') : text).replace(PRODUCT, (_, a: string, b: string) =>
      String(Number(a) * Number(b)),
    ),
  );
  const [delta, wider] = [deltaOf(old), deltaOf(now)];
  if (delta !== undefined && wider !== undefined && wider > delta) return `allows more (${delta} became ${wider})`;
  const grown = grownTime(old, now);
  if (grown !== undefined && grown >= MUCH_LONGER) return `allows ${Math.round(grown)} times as long`;
  // Numbers with different units cannot be compared.
  if ((grown !== undefined && grown < 1) || !ANY_BOUND.some(pattern => pattern.test(old))) return undefined;
  for (const [pattern, direction] of BOUNDS) {
    const a = pattern.exec(old)?.[1];
    const b = a === undefined ? undefined : pattern.exec(now)?.[1];
    if (a === undefined || b === undefined) continue;
    const [from, to] = [Number(a), Number(b)];
    if (direction === 'up' ? to > from : to < from) return `allows more (${a} became ${b})`;
  }
  return undefined;
}

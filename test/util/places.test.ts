/** Lines and columns by offset, in whatever order they are asked for. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { places } from '../../src/util/text.ts';

test('a place is the same whatever was asked before it', () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\n\n', ''), { maxLength: 80 }).map(parts => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 30 }), (written, offsets) => {
      const place = places(written);
      for (const offset of offsets.map(at => at % (written.length + 1))) {
        const before = written.slice(0, offset).split('\n');
        expect(place(offset)).toEqual({ line: before.length, column: (before.at(-1) ?? '').length + 1 });
      }
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteTail } from '../../src/util/bounded.ts';

test('the tail is the last bytes of all that was written, however it was cut into chunks', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 50 }), (written, limit) => {
      const tail = new ByteTail(limit);
      for (const chunk of written) {
        const bytes = Buffer.from(chunk);
        tail.write(bytes);
        // What is kept must not change with the buffer it came in.
        bytes.fill(0);
      }
      const all = Buffer.concat(written);
      expect(tail.total).toBe(all.length);
      expect(tail.bytes()).toEqual(all.subarray(Math.max(0, all.length - limit)));
    }),
    { numRuns: 2000 },
  );
});

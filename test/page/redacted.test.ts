/** A report is mailed: what looks like a secret is not in it, wherever in the views it stood. */
import { expect, test } from 'vitest';
import { redacted } from '../../src/page/report-html.ts';

// In pieces, so that no scanner takes this file for a leak.
const token = ['ghp', 'k3Jx9Qw2Zr7Vb5Nm1Lp8Ts4Yd6Hf0Ga2Ec9U'].join('_');
const value = ['q8Zr2Lw9', 'Xv4Nk7Tb', '1Hs6'].join('');

test('in plain text, in the lines of a diff, and in lists of objects; the rest stays as it is', () => {
  const patch = `@@ -0,0 +1,2 @@\n+PAYMENT_API_KEY=${value}\n+export const port = 3000;\n`;
  const out = redacted({
    steps: [{ text: `curl -H "x: ${token}"`, count: 2 }],
    diff: { files: [{ patch }] },
    none: null,
  });
  const text = JSON.stringify(out);
  expect(text).not.toContain(token);
  expect(text).not.toContain(value);
  expect(out.diff.files[0]?.patch.split('\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^\+PAYMENT_API_KEY=\[.*characters\]$/),
    '+export const port = 3000;',
  ]);
  expect(out.steps[0]?.count).toBe(2);
  expect(out.none).toBeNull();
});

import { expect, test } from 'vitest';
import type { Event } from '../../src/events.ts';
import { jsonReporter } from '../../src/report/json.ts';
import { scenario } from './scenario.ts';

function tell(event: Event, at = 5): string {
  let out = '';
  jsonReporter({ write: text => (out += text) })(event, at);
  return out;
}

test('an event is one object on one line, with its time', () => {
  expect(tell({ type: 'plan.read', done: 1, total: 3, blocked: 0 })).toBe(
    '{"at":5,"type":"plan.read","done":1,"total":3,"blocked":0}\n',
  );
  for (const [at, event] of scenario) expect(JSON.parse(tell(event, at))).toEqual({ at, ...event });
});

test('a long string keeps both ends and says what is missing', () => {
  const text = `begin${'x'.repeat(1_000_000)}end`;
  const line = tell({ type: 'steered', text });
  expect(line.length).toBeLessThan(5000);
  expect(JSON.parse(line)).toMatchObject({
    text: expect.stringMatching(/^beginx+ \[996008 characters left out\] x+end$/),
  });
});

test('control codes beyond the first 32 are escaped too', () => {
  expect(tell({ type: 'steered', text: 'a\u009b31mb\u007f\u2028' })).toContain('a\\u009b31mb\\u007f\\u2028');
});

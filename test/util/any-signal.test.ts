import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { anySignal } from '../../src/util/any-signal.ts';

test('is aborted with the first of them, and with one that is already', () => {
  const [run, purse] = [new AbortController(), new AbortController()];
  const { signal } = anySignal([run.signal, purse.signal]);
  expect(signal.aborted).toBe(false);
  purse.abort();
  expect(signal.aborted).toBe(true);
  expect(anySignal([run.signal, purse.signal]).signal.aborted).toBe(true);
});

test('leaves nothing at them', () => {
  const run = new AbortController();
  const { signal, letGo } = anySignal([run.signal, new AbortController().signal]);
  expect(getEventListeners(run.signal, 'abort')).toHaveLength(1);
  letGo();
  expect(getEventListeners(run.signal, 'abort')).toHaveLength(0);
  run.abort();
  expect(signal.aborted).toBe(false);
});

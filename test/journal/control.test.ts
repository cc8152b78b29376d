import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { makeInbox, type Request, receiveRequests, sendRequest } from '../../src/journal/control.ts';

const RUNS = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const top = mkdtempSync(join(tmpdir(), 'ralph-control-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

function inbox(): string {
  const folder = join(mkdtempSync(join(top, 'box-')), 'control');
  makeInbox(folder);
  return folder;
}

test('requests are taken in the order they were sent, and stay until they are done', () => {
  const folder = inbox();
  const sent: readonly Request[] = [
    { type: 'pause' },
    { type: 'steer', text: 'mind the tests' },
    { type: 'mark', mark: { id: 'US-1', to: 'skipped', note: 'later' } },
    { type: 'resume' },
    { type: 'stop', now: true },
  ];
  for (const request of sent) sendRequest(folder, request);
  expect(receiveRequests(folder).map(({ request }) => request)).toEqual(sent);
  for (const { done } of receiveRequests(folder).slice(0, 2)) done();
  expect(receiveRequests(folder).map(({ request }) => request)).toEqual(sent.slice(2));
  for (const { done } of receiveRequests(folder)) done();
  expect(readdirSync(folder)).toEqual([]);
});

test('what is no request is removed and harms no other', () => {
  const folder = inbox();
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map(text => `{"type":"mark","mark":${text}}`),
      ),
      text => {
        writeFileSync(join(folder, '000000000000001-aaaa.json'), text);
        sendRequest(folder, { type: 'pause' });
        const received = receiveRequests(folder);
        expect(received.at(-1)?.request).toEqual({ type: 'pause' });
        for (const { request, done } of received) {
          expect(['stop', 'pause', 'resume', 'steer', 'mark']).toContain(request.type);
          done();
        }
        expect(readdirSync(folder)).toEqual([]);
      },
    ),
    { numRuns: RUNS },
  );
});

test('other files, folders and dangling links in the inbox are no requests', () => {
  const folder = inbox();
  writeFileSync(join(folder, 'notes.txt'), '{"type":"stop"}');
  writeFileSync(join(folder, '.half-written.json'), '{"type":"stop"}');
  mkdirSync(join(folder, 'folder.json'));
  symlinkSync('nowhere', join(folder, 'link.json'));
  expect(receiveRequests(folder)).toEqual([]);
  expect(readdirSync(folder).toSorted()).toEqual(['.half-written.json', 'notes.txt']);
  expect(receiveRequests(join(folder, 'missing'))).toEqual([]);
});

test('a mark with a state that there is not is no request', () => {
  const folder = inbox();
  writeFileSync(join(folder, '1.json'), '{"type":"mark","mark":{"id":"a","to":"in-progress"}}');
  writeFileSync(join(folder, '2.json'), '{"type":"mark","mark":{"id":"a","to":"nonsense"}}');
  expect(receiveRequests(folder)).toEqual([]);
});

/** Design documents of any size in a brief of bounded size. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildBrief } from '../../src/brief/build.ts';
import { byteLength } from '../../src/brief/tokens.ts';
import { readDocuments } from '../../src/loop/read-documents.ts';
import { sampleInput, sampleItem } from '../brief/sample.ts';

const root = mkdtempSync(join(tmpdir(), 'ralph-documents-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const item = { ...sampleItem, refs: ['FR-007'] };
const spec = '# Spec\n\n- FR-006: other\n- FR-007: totals are in cents\n';

function write(path: string, text: string) {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
  return { path, role: 'specification' };
}

test('what names the refs of the item is quoted, the rest is named by path, and nothing outside is read', () => {
  const documents = [
    write('a/spec.md', spec),
    write('a/plan.md', 'Words.'),
    { ...write('rules.md', spec), scope: 'project' as const },
    { path: '../etc', role: 'x' },
    { path: 'a', role: 'folder' },
    { path: 'gone.md', role: 'y' },
  ];
  expect(readDocuments({ root, documents, item })).toEqual([
    {
      path: 'a/spec.md',
      role: 'specification',
      passages: [{ line: 4, text: '# Spec\n\n- FR-007: totals are in cents' }],
    },
    { path: 'a/plan.md', role: 'specification', passages: [] },
    { path: 'rules.md', role: 'specification', passages: [] },
    { path: 'a', role: 'folder', passages: [] },
    { path: 'gone.md', role: 'y', passages: [], unread: 'cannot be read' },
  ]);
});

test('10 MB of documents make a brief no longer than its budget, and are not all read', () => {
  const filler = 'FR-007 is named again in a sentence of a long specification.\n\n'.repeat(8_500);
  const many = Array.from({ length: 20 }, (_, n) => write(`big/${n}.md`, `${spec}\n${filler}`));
  const began = performance.now();
  const documents = readDocuments({ root, documents: many, item });
  const large = buildBrief(sampleInput({ item, documents }));
  expect(performance.now() - began).toBeLessThan(5000);
  const slot = large.slots.find(({ name }) => name === 'documents');
  expect(slot?.tokens).toBeLessThanOrEqual(slot?.budget ?? 0);
  expect(documents.at(-1)?.unread).toBe('not searched');
  const small = readDocuments({ root, documents: many.slice(0, 6), item });
  expect(byteLength(large.text) / byteLength(buildBrief(sampleInput({ item, documents: small })).text)).toBeLessThan(
    1.3,
  );
});

/** What the build makes of the sources: the same code, quicker to load. */
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ascii } from '../../scripts/ascii.mjs';
import { lateImports } from '../../scripts/late-imports.mjs';

test('characters beyond ASCII become escapes, except where String.raw would see them', () => {
  const code = [
    'const quoted = "a … b";',
    'const made = `→ ${1 + 1} 🚫`;',
    'const matched = /^[à-ü🚫]+$/u.test("é🚫");',
    'const raw = String.raw`… ${`é`}`;',
    'return [quoted, made, matched, raw];',
  ].join('\n');
  const wrapped = `function f(){${code}}`;
  const plain = ascii(wrapped);
  expect(plain.replaceAll('String.raw`…', '')).toMatch(/^[\0-\x7f]+$/);
  const run = (text: string): unknown => runInThisContext(`(() => {${text}; return f();})()`);
  expect(run(plain)).toEqual(run(wrapped));
});

test('parts of node and late chunks are loaded when they are first used, also to make something of them', () => {
  const code = [
    'let node_fs = require("node:fs");',
    'let node_net = require("node:net");',
    'let node_net$1 = require("node:zlib");',
    'const require_look = require("./look-abc.cjs");',
    'const require_late_run = require("./late-run-abc.cjs");',
    'const read = () => (0, require_late_run.isIP)(require_look.isIP());',
    'const open = () => [new node_net.Socket(), (0, node_net.isIP)("::1"), node_net$1.gzipSync, node_fs.statSync];',
  ].join('\n');
  const loaded: string[] = [];
  const require = (id: string): unknown => {
    loaded.push(id);
    return { Socket: Map, isIP: () => 6, gzipSync: 'gzip', statSync: 'stat' };
  };
  const load = runInThisContext(`require => {${lateImports.renderChunk(code)}; return [open, read];}`) as (
    require: (id: string) => unknown,
  ) => readonly [() => readonly unknown[], () => unknown];
  const [open, read] = load(require);
  expect(loaded).toEqual(['node:fs', './look-abc.cjs']);
  expect(open()).toEqual([expect.objectContaining({}), 6, 'gzip', 'stat']);
  open();
  expect(loaded.splice(0)).toEqual(['node:fs', './look-abc.cjs', 'node:net', 'node:zlib']);
  expect([read(), read()]).toEqual([6, 6]);
  expect(loaded).toEqual(['./late-run-abc.cjs']);
});

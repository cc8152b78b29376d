/** Writes dist/index.d.ts: all types of the library in one file that refers to no package but node's own types. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const ROLLED = 'dist/index.d.ts';

run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
run('node_modules/@microsoft/api-extractor/bin/api-extractor', 'run', '--local');
rmSync('dist/types', { recursive: true });

// A project may restrict its `types`; node's types are needed here anyway.
const text = `/// <reference types="node" />\n\n${readFileSync(ROLLED, 'utf8')}`;
const named = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*['"]([^'"]+)['"]/g)].map(([, name]) => name);
const strange = named.filter(name => !name.startsWith('node:'));
if (strange.length > 0)
  throw new Error(`${ROLLED} names ${strange.join(', ')}, which users of the library do not have`);
writeFileSync(ROLLED, text);

/** Both tools report errors on standard output; the second also prints on success. */
function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(1);
}

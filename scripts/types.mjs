/** Writes dist/index.d.ts: every type of the library in one file that names no other package but node's own types. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const ROLLED = 'dist/index.d.ts';

run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
run('node_modules/@microsoft/api-extractor/bin/api-extractor', 'run', '--local');
rmSync('dist/types', { recursive: true });

// A project may name the types it wants itself; node's are used here whatever it names.
const text = `/// <reference types="node" />\n\n${readFileSync(ROLLED, 'utf8')}`;
const named = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*['"]([^'"]+)['"]/g)].map(([, name]) => name);
const strange = named.filter(name => !name.startsWith('node:'));
if (strange.length > 0)
  throw new Error(`${ROLLED} names ${strange.join(', ')}, which users of the library do not have`);
writeFileSync(ROLLED, text);

/** Both tools say what is wrong on standard output; the second talks when nothing is. */
function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(1);
}

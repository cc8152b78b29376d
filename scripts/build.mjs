/** Bundles the program into dist/: one chunk per command, so that each loads only what it uses. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Every file that is loaded with this one. */
function loadedWith(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^;]*? from '(\.[^']+\.ts)';/gm,
  )) {
    loadedWith(join(dirname(file), path), found);
  }
  return found;
}

// `ralph status` and `ralph done` are called often and have little to do: in one file each takes half the time to load
// that it takes in ten. What both use is in the first.
const look = loadedWith(resolve('src/cli/status.ts'));
const mark = loadedWith(resolve('src/cli/mark.ts'));

const common = {
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  logLevel: 'warn',
  moduleTypes: { '.md': 'text', '.txt': 'text', '.yaml': 'text' },
  transform: { define: { __VERSION__: JSON.stringify(version) } },
};
/** Packages that most commands never meet. A chunk is loaded with whatever may need it; these only when they are needed. */
const APART = ['yaml', 'picomatch'];
const apart = {
  name: 'apart',
  resolveId: id => (APART.includes(id) ? { id: `./${id}.cjs`, external: true } : null),
};
const minify = { compress: true, mangle: false, codegen: false };

rmSync('dist', { recursive: true, force: true });

// What is imported by others is a module of today. The scripted agent is started by it and by the program alike.
await write(
  { index: 'src/index.ts', 'script-agent': 'src/agents/script-agent.ts', schemas: 'src/schemas.ts' },
  { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunk/[name]-[hash].js' },
);

// The program is CommonJS: an empty ES module takes node half as long again to load as an empty script does, and each
// further one is read, linked and waited for; that is most of what `ralph --help` and `ralph status` would cost.
await write(
  { cli: 'src/cli.ts' },
  {
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'cli/[name]-[hash].cjs',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'look', test: id => look.has(id), priority: 2 },
        { name: 'mark', test: id => mark.has(id), priority: 1 },
      ],
    },
  },
  [apart],
);
for (const name of APART)
  await write({ [name]: name }, { format: 'cjs', dir: 'dist/cli', entryFileNames: '[name].cjs' });

await compileAhead(['audit', 'mark']);

/** What these commands load is compiled now, by a process with their own settings. */
async function compileAhead(names) {
  const made = readdirSync('dist/cli').filter(file => names.some(name => file.startsWith(`${name}-`)));
  const files = new Set(made);
  for (const file of files) {
    const loads = readFileSync(join('dist/cli', file), 'utf8').matchAll(/\brequire\("\.\/([\w.-]+\.cjs)"\)/g);
    for (const [, other] of loads) files.add(other);
  }
  const folder = mkdtempSync(join(tmpdir(), 'ralph-build-'));
  await write({ compiled: 'src/cli/compiled.ts' }, { format: 'cjs', dir: folder, entryFileNames: '[name].cjs' });
  const run = 'require(process.argv[1]).compileAhead(process.argv.slice(2))';
  const paths = [...files].map(file => resolve('dist/cli', file));
  execFileSync(process.execPath, ['-e', run, join(folder, 'compiled.cjs'), ...paths], { env: {}, stdio: 'inherit' });
  rmSync(folder, { recursive: true });
}

async function write(input, output, plugins = []) {
  const bundle = await rolldown({ ...common, input, plugins });
  await bundle.write({ dir: 'dist', minify, ...output });
  await bundle.close();
}

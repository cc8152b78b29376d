/** Bundles the program into dist/: one chunk per command, so that each loads only what it uses. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

// `ralph status` is called often and has little to do: in one file it takes half the time to load that it takes in ten.
const look = loadedWith(resolve('src/cli/status.ts'));

const common = {
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  logLevel: 'warn',
  moduleTypes: { '.md': 'text', '.txt': 'text', '.yaml': 'text' },
  transform: {
    define: { __VERSION__: JSON.stringify(version), __BUILT_WITH__: JSON.stringify(process.versions.v8) },
  },
};
/** Packages that most commands never meet. A chunk is loaded with whatever may need it; these only when they are needed. */
const APART = ['yaml', 'picomatch'];
const apart = {
  name: 'apart',
  resolveId: id => (APART.includes(id) ? { id: `./${id}.cjs`, external: true } : null),
};
/** Commands that are over in a moment: each is one file, with a copy of what others use too, and compiled ahead. */
const OWN = ['audit', 'mark'];
const own = {
  name: 'own',
  resolveId: (id, importer) => {
    const name = importer?.endsWith('src/cli/commands.ts') && OWN.find(each => id === `./${each}.ts`);
    return name ? { id: `./cli/${name}.cjs`, external: true } : null;
  },
};
const inParts = { format: 'cjs', entryFileNames: '[name].cjs', dynamicImportInCjs: false };
/**
 * Text of one byte a letter is read at once; one letter more makes node turn all of it into two. Patterns made with
 * `String.raw` mean the same with such a sign; other raw text would not.
 */
const plainLetters = code =>
  code.replace(/[^\0-\x7f]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
    ...inParts,
    chunkFileNames: 'cli/[name]-[hash].cjs',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: 'look', test: id => look.has(id) }],
    },
  },
  [apart, own],
);
for (const name of OWN)
  await write({ [name]: `src/cli/${name}.ts` }, { ...inParts, dir: 'dist/cli', chunkFileNames: `${name}-[name].cjs` }, [
    apart,
  ]);
for (const name of APART) await write({ [name]: name }, { ...inParts, dir: 'dist/cli' });

await compileAhead(OWN.map(name => `${name}.cjs`));

/** What these commands load is compiled now, by a process with their own settings. */
async function compileAhead(entries) {
  const files = new Set(entries);
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
  const dir = output.dir ?? 'dist';
  const made = await bundle.write({ dir, minify, ...output });
  for (const { fileName, code } of made.output) if (code) writeFileSync(join(dir, fileName), plainLetters(code));
  await bundle.close();
}

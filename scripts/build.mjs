/** Bundles the program and the library into dist/: one chunk per command, so that each loads only what it uses. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildPage } from './build-page.mjs';
import { bundleOptions } from './bundle-options.mjs';
import { thirdPartyLicenses } from './licenses.mjs';
import { inLines } from './lines.mjs';

/**
 * Every module that is loaded with this one: those that a bundle of it alone has, because what a door names and nobody asks for is
 * not among them, and what each of these imports past no door.
 */
async function loadedWith(input) {
  const imports = new Map();
  const graph = { name: 'graph', moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds) };
  const bundle = await rolldown({ ...bundleOptions, input, plugins: [apart, graph] });
  const { output } = await bundle.generate(inParts);
  await bundle.close();
  const chunks = new Map(output.map(chunk => [chunk.fileName, chunk]));
  const found = new Set();
  const addModule = id => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of imports.get(id) ?? []) if (!isDoor(imported)) addModule(imported);
  };
  const addChunk = chunk => {
    chunk.moduleIds.forEach(addModule);
    for (const name of chunk.imports) if (chunks.has(name)) addChunk(chunks.get(name));
  };
  addChunk(output.find(chunk => chunk.isEntry));
  return found;
}

const isDoor = id => /[\\/]src[\\/](?:\w+[\\/]index|\w+)\.ts$/.test(id);

/** Packages that most commands never meet. A chunk is loaded with whatever may need it; these only when they are needed. */
const APART = ['yaml', 'picomatch'];
const apart = {
  name: 'apart',
  resolveId: id => (APART.includes(id) ? { id: `./${id}.cjs`, external: true } : null),
};
const inParts = { format: 'cjs', entryFileNames: '[name].cjs', dynamicImportInCjs: false };
/** Names of functions stay, for whoever reads a stack trace. */
const small = {
  minify: { compress: true, mangle: { toplevel: true, keepNames: { function: true, class: true } }, codegen: true },
  comments: false,
};

// `ralph status` is called often and has little to do: in one file it takes half the time to load that it takes in ten.
const look = await loadedWith('src/cli/status.ts');

/** What is in the bundle, for the licences. */
const modules = new Set();

rmSync('dist', { recursive: true, force: true });

// CommonJS: an empty ES module takes node half as long again to load as an empty script does, and each further one is
// read, linked and waited for; that is most of what `ralph --help` and `ralph status` would cost.
const program = await write(
  { cli: 'src/cli.ts', library: 'src/index.ts' },
  {
    ...inParts,
    chunkFileNames: 'cli/[name]-[hash].cjs',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: 'look', test: id => look.has(id) }],
    },
  },
  [apart],
);
// Started by its path, with a copy of the little that it needs.
await write({ 'script-agent': 'src/agents/script-agent.ts' }, { ...inParts, dir: 'dist/cli' }, [apart]);
await write({ 'acp-bridge': 'src/agents/acp-bridge.ts' }, { ...inParts, dir: 'dist/cli' });
await write({ 'proxy-inside': 'src/sandbox/proxy-inside.ts' }, { ...inParts, dir: 'dist/cli' });
for (const name of APART) await write({ [name]: name }, { ...inParts, dir: 'dist/cli' });

for (const id of await buildPage()) modules.add(id);

writeFileSync('dist/index.js', moduleOf(program.find(({ fileName }) => fileName === 'library.cjs')));
chmodSync('dist/cli.cjs', 0o755);
writeFileSync('THIRD-PARTY-LICENSES', thirdPartyLicenses(modules));

/** The library is the code of the program, under the names that a module of today exports. */
function moduleOf({ exports }) {
  const lines = exports.toSorted().map(name => `export const ${name} = library.${name};\n`);
  return `import library from './library.cjs';\n\n${lines.join('')}`;
}

async function write(input, output, plugins = []) {
  const bundle = await rolldown({ ...bundleOptions, input, plugins });
  const dir = output.dir ?? 'dist';
  const made = await bundle.write({ dir, ...small, ...output });
  for (const { fileName, code, moduleIds = [] } of made.output) {
    writeFileSync(join(dir, fileName), inLines(code));
    for (const id of moduleIds) modules.add(id);
  }
  await bundle.close();
  return made.output;
}

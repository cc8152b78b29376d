/** Bundles the program into dist/: one chunk per command, so that each loads only what it uses. */
import { readFileSync, rmSync } from 'node:fs';
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

rmSync('dist', { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    cli: 'src/cli.ts',
    index: 'src/index.ts',
    'script-agent': 'src/agents/script-agent.ts',
    schemas: 'src/schemas.ts',
  },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  logLevel: 'warn',
  moduleTypes: { '.md': 'text', '.txt': 'text', '.yaml': 'text' },
  transform: { define: { __VERSION__: JSON.stringify(version) } },
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  minify: { compress: true, mangle: false, codegen: false },
  entryFileNames: '[name].js',
  codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: 'look', test: id => look.has(id) }] },
  chunkFileNames: 'chunk/[name]-[hash].js',
});
await bundle.close();

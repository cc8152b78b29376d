/** Bundles the program into dist/: one chunk per command, so that each loads only what it uses. */
import { readFileSync, rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync('dist', { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    cli: 'src/cli.ts',
    index: 'src/index.ts',
    'script-agent': 'src/agents/script-agent.ts',
    schemas: 'src/schemas.ts',
  },
  platform: 'node',
  logLevel: 'warn',
  moduleTypes: { '.md': 'text', '.txt': 'text', '.yaml': 'text' },
  transform: { define: { __VERSION__: JSON.stringify(version) } },
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  minify: { compress: true, mangle: false, codegen: false },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunk/[name]-[hash].js',
});
await bundle.close();

/** How sources are read, by everything that bundles them. */
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

export const bundleOptions = {
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  logLevel: 'warn',
  moduleTypes: { '.md': 'text', '.txt': 'text', '.yaml': 'text' },
  // A door names all that is asked of its room; whoever asks for a part of it must not load the rest.
  treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]\w+[\\/]/, sideEffects: false }] },
  transform: { define: { __VERSION__: JSON.stringify(version) } },
};

/** How sources are read, by everything that bundles them. */
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

export const bundleOptions = {
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  logLevel: 'warn',
  moduleTypes: { '.md': 'text', '.txt': 'text', '.yaml': 'text' },
  // Its door names all of the room; whoever asks for a part of it must not load the rest.
  treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]audit[\\/]/, sideEffects: false }] },
  transform: { define: { __VERSION__: JSON.stringify(version) } },
};

/** Options shared by everything that bundles the sources. */
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

export const bundleOptions = {
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  logLevel: 'warn',
  moduleTypes: { '.md': 'text', '.txt': 'text', '.yaml': 'text' },
  // A door exports everything of its room; importing a part of it must not load the rest.
  treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]\w+[\\/]/, sideEffects: false }] },
  transform: { define: { __VERSION__: JSON.stringify(version) } },
};

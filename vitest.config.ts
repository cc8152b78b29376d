import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Brief templates, workflows and the demo's files are imported as text, as the bundler does.
  plugins: [
    {
      name: 'text',
      // Vite would make an asset of a .txt file.
      enforce: 'pre',
      load: id =>
        /\.(md|txt|yaml)$/.test(id) ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined,
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/global-setup.ts'],
  },
});

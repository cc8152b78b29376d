import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * What takes long: many kills, many hostile agents, whole packages, long races. `npm test` is everything else, so that
 * people run it; `npm run test:full` is these.
 */
const LONG = [
  'test/cheats/**',
  'test/compounding/**',
  'test/crash/**',
  'test/demo/**',
  'test/docs/readme-script.test.ts',
  'test/audit/hostile.test.ts',
  'test/hostile/{false-done,file-kinds}.test.ts',
  'test/init/scaffold.test.ts',
  'test/journal/{local-store,lock}.test.ts',
  'test/loop/{agent-git,branch-of-each-plan,cheating-agent,compounding,control,questions,repacked,review,vandals,vandals-elsewhere}.test.ts',
  'test/memory/{archive,scale}.test.ts',
  'test/night/**',
  'test/notify/run.test.ts',
  'test/package/**',
  'test/page/**',
  'test/planning/{plan,plan-keeps,spread}.test.ts',
  'test/proof/**',
  'test/report/hostile.test.ts',
  'test/sandbox/{clients,each-protection,escapes,run}.test.ts',
  'test/screens/**',
  'test/several/{detached,many-plans,morning,one-account,push,queue}.test.ts',
  'test/sprint/run.test.ts',
  'test/start/doctor-and-run.test.ts',
  'test/traces/export.test.ts',
  'test/trackers/**',
  'test/walk/**',
  'test/workspace/pack-loose.test.ts',
  'test/agents/acp-bridge.test.ts',
  'test/loop/{archives,attended,parallel-settings}.test.ts',
  'test/morning/{decisions,replay,revert,revert-elsewhere,review-items,taken-away}.test.ts',
  'test/process/ending.test.ts',
];

const files = (pattern: string) => pattern.replace(/\*\*$/, '**/*.test.ts');

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
    // Far more than any test takes: what hangs is to end, and a busy machine is no failure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Many tests wait for a program or the disk: fewer workers than cores would leave a core idle.
    maxWorkers: Math.max(2, availableParallelism()),
    // How many random inputs each property is tried with; `npm run soak` tries 10,000.
    env: { RALPH_PROPERTY_RUNS: process.env['RALPH_PROPERTY_RUNS'] ?? '50' },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/every-file.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: LONG.map(files),
          // One process for many files: loading the code again for each of them takes a third of the time of all tests.
          // So a test file leaves nothing behind in its process: no environment, no folder, no timer.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'long', include: LONG.map(files) } },
    ],
  },
});

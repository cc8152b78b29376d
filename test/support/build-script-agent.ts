/** Builds the scripted agent's program from its source, for tests that need only that. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** The path of a freshly built script-agent.js. */
export async function buildScriptAgent(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-script-agent-'));
  await build({
    input: { 'script-agent': fileURLToPath(new URL('../../src/agents/script-agent.ts', import.meta.url)) },
    platform: 'node',
    output: { dir: folder, format: 'esm' },
    logLevel: 'silent',
  });
  return join(folder, 'script-agent.js');
}

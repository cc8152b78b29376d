/** Writes the JSON Schemas for editors, from the same source that the parsers use. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { bundleOptions } from './bundle-options.mjs';
import { eventSchema } from './event-schema.mjs';
import { openApi } from './openapi.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ralph-schemas-'));
try {
  const file = join(folder, 'schemas.mjs');
  await build({ ...bundleOptions, input: 'src/schemas.ts', output: { file, format: 'esm', codeSplitting: false } });
  const { schemas } = await import(pathToFileURL(file).href);
  mkdirSync('schemas', { recursive: true });
  const events = { title: 'One line of ralph run --json', ...eventSchema() };
  for (const [name, schema] of Object.entries({ ...schemas(), events })) {
    writeFileSync(`schemas/${name}.schema.json`, `${JSON.stringify(schema)}\n`);
  }
  writeFileSync('schemas/openapi.json', `${JSON.stringify(openApi())}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

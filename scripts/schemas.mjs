/** Writes the JSON Schemas that editors use, from the same source the parsers use. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { schemas } from '../dist/schemas.js';

mkdirSync('schemas', { recursive: true });
for (const [name, schema] of Object.entries(schemas())) {
  writeFileSync(`schemas/${name}.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`);
}

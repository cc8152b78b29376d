import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { schemas } from '../../src/schemas.ts';

it('the published JSON Schemas are what the parsers use; `npm run build` writes them anew', () => {
  for (const [name, schema] of Object.entries(schemas())) {
    const published = JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as unknown;
    expect(published).toEqual(JSON.parse(JSON.stringify(schema)));
  }
});

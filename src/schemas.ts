/** The JSON Schemas published with the package, except for that of the events: `scripts/event-schema.mjs` makes it from their type. */
import * as z from 'zod/mini';
import { configSchema } from './config/index.ts';
import { prdSchema, progressSchema } from './plan/index.ts';

/** By the name of their file in `schemas/`. */
export function schemas(): Readonly<Record<string, object>> {
  return {
    ralph: published('ralph.yaml', configSchema),
    prd: published('prd.json', prdSchema),
    progress: published('PROGRESS.yaml of a compiled sprint', progressSchema),
  };
}

const published = (title: string, schema: z.ZodMiniType): object => ({
  title,
  ...z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }),
});

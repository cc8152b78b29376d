/**
 * The JSON Schemas that ship with the package. The schema of the events is not here: `scripts/event-schema.mjs` generates it from the
 * type.
 */
import * as z from 'zod/mini';
import { configSchema } from './config/index.ts';
import { prdSchema, progressSchema } from './plan/index.ts';

/** Keyed by the file name in `schemas/`. */
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

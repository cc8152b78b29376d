/** The JSON Schemas published with the package. */
import * as z from 'zod/mini';
import { configSchema } from './config/index.ts';
import { prdSchema, progressSchema } from './plan/index.ts';
import { jsonLineSchema } from './report/index.ts';

/** By the name of their file in `schemas/`. */
export function schemas(): Readonly<Record<string, object>> {
  return {
    ralph: published('ralph.yaml', configSchema),
    prd: published('prd.json', prdSchema),
    progress: published('PROGRESS.yaml of a compiled sprint', progressSchema),
    events: published('One line of ralph run --json', jsonLineSchema),
  };
}

const published = (title: string, schema: z.ZodMiniType): object => ({
  title,
  ...z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }),
});

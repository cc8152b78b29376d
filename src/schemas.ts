/** The JSON Schemas published with the package. */
import * as z from 'zod/mini';
import { configSchema } from './config/schema.ts';

export function schemas(): Readonly<Record<string, object>> {
  return { ralph: { title: 'ralph.yaml', ...z.toJSONSchema(configSchema, { unrepresentable: 'any' }) } };
}

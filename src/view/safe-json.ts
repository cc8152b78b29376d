/** The only way out: JSON without secrets, no matter who printed them or where they ended up. */
import { redact } from '../audit/index.ts';

/** No secret that can be told from a word is shorter. */
const SHORTEST = 16;

export const safeJson = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'string' && field.length >= SHORTEST ? redact(field) : field,
  );

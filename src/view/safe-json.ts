/** All data leaves through this function: JSON with every secret redacted, wherever it came from. */
import { redact } from '../audit/index.ts';

/** Shorter texts cannot be recognised as secrets. */
const SHORTEST = 16;

export const safeJson = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'string' && field.length >= SHORTEST ? redact(field) : field,
  );

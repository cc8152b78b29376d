/** JSON that others wrote: reading it never throws. */
import { attempt } from './result.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for what is not JSON. */
export const parseJson = (text: string | undefined): unknown =>
  text === undefined ? undefined : attempt(() => JSON.parse(text) as unknown);

/** The fields of an object; none for anything else. */
export const fieldsOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The same of a JSON text. */
export const jsonFields = (text: string | undefined): JsonRecord => fieldsOf(parseJson(text));

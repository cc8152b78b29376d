/** One line of an agent's stream to plain records: the parse boundary of this room. */
import { isRecord, type JsonRecord, parseJson } from '../util/json.ts';

export type Json = JsonRecord;

/** The records of a line: one, several when an agent prints an array, none when the line is not JSON. */
export function recordsOf(line: string): readonly Json[] {
  const first = line.trimStart()[0];
  if (first !== '{' && first !== '[') return [];
  const value = parseJson(line);
  return Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
}

export const recordAt = (record: Json | undefined, key: string): Json | undefined => {
  const value = record?.[key];
  return isRecord(value) ? value : undefined;
};

export const recordsAt = (record: Json | undefined, key: string): readonly Json[] => {
  const value = record?.[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
};

export const textAt = (record: Json | undefined, key: string): string => {
  const value = record?.[key];
  return typeof value === 'string' ? value : '';
};

/** A count, a cost or a time: anything that is not a finite positive number is 0. */
export const amountAt = (record: Json | undefined, key: string): number => {
  const value = record?.[key];
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
};

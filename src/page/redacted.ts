/** A value without secrets: a report is mailed to people who must not have them. */
import { redact } from '../audit/index.ts';

/** Every text in it, keys of its objects excepted: those are names of ours. */
export function redacted<T>(value: T): T {
  return walk(value) as T;
}

function walk(value: unknown): unknown {
  if (typeof value === 'string') return redactLines(value);
  if (Array.isArray(value)) return value.map(walk);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
}

/** In a diff each line has a sign before it, behind which some secrets would not be seen. */
const SIGNED = /^([ +-])(.*)$/gm;

function redactLines(text: string): string {
  const whole = redact(text);
  return whole.startsWith('@@') ? whole.replace(SIGNED, (_, sign: string, line: string) => sign + redact(line)) : whole;
}

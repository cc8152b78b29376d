import { oneLine } from '../util/show.ts';
import type { Json } from './json-lines.ts';

const TELLING = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'query',
  'url',
  'skill',
  'description',
  'prompt',
];

/** What a tool call is about in one short line: its command, its file, or the first text it was given. */
export function toolDetail(input: Json | undefined): string {
  if (!input) return '';
  const named = TELLING.map(key => input[key]).find(isText);
  const value = named ?? Object.values(input).find(isText) ?? '';
  return oneLine(value.slice(0, 1000), 200);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

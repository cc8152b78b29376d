/** Settings of an agent that only became stricter: more that is refused or asked about, less that is allowed. */
import type { LookFile } from '../look.ts';

const REFUSED = /^(?:deny|ask|denied|forbidden|disallowedTools|excludedTools|excludeTools|blocked\w*|exclude)$/;
const ALLOWED = /^(?:allow|allowed|allowedTools|coreTools|autoApprove|alwaysAllow|additionalDirectories)$/;

export function onlyTighter({ change, path, before, after }: LookFile): boolean {
  if (change.kind !== 'modified' || !/\.jsonc?$/.test(path)) return false;
  const [old, now] = [parsed(before.code), parsed(after.code)];
  return old !== undefined && now !== undefined && isTighter(old, now, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isTighter(old: unknown, now: unknown, key: string): boolean {
  if (isMap(old) && isMap(now))
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].every(name =>
      isTighter(old[name], now[name], name),
    );
  const isList = [old, now].every(value => value === undefined || Array.isArray(value));
  if (isList && REFUSED.test(key)) return holdsAll(now, old);
  // A list of what is allowed that came to be, or went, may mean anything.
  if (Array.isArray(old) && Array.isArray(now) && ALLOWED.test(key)) return holdsAll(old, now);
  return JSON.stringify(old) === JSON.stringify(now);
}

function holdsAll(many: unknown, few: unknown): boolean {
  const known = new Set(listOf(many).map(value => JSON.stringify(value)));
  return listOf(few).every(value => known.has(JSON.stringify(value)));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

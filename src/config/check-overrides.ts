/** Overrides that came from a program: types do not say that a number is NaN or below 0, and a limit of NaN is none. */
import { isDeadline } from '../util/deadline.ts';
import type { Failure } from '../util/result.ts';
import type { Overrides } from './settings.ts';

const isAbove0 = (value: unknown): boolean => typeof value === 'number' && value > 0 && Number.isFinite(value);
const isCount = (value: unknown): boolean => isAbove0(value) && Number.isInteger(value);
const milliseconds = { fits: isAbove0, must: 'a number of milliseconds above 0' };
const count = { fits: isCount, must: 'a whole number above 0' };

const checks = {
  maxIterations: count,
  timeoutMs: milliseconds,
  iterationTimeoutMs: milliseconds,
  idleTimeoutMs: milliseconds,
  maxAttempts: count,
  maxFruitless: count,
  maxCost: { fits: isAbove0, must: 'a number of dollars above 0' },
  parallel: count,
  deadline: {
    fits: (value: unknown) => typeof value === 'string' && isDeadline(value),
    must: 'a time such as "07:00" or "2026-01-08T07:00"',
  },
} as const satisfies { readonly [K in keyof Overrides]: unknown };

/** The first one that is not what it has to be. */
export function unfitOverride(overrides: Overrides): Failure | undefined {
  for (const [name, { fits, must }] of Object.entries(checks)) {
    const value = overrides[name as keyof typeof checks];
    if (value === undefined || fits(value)) continue;
    const message = `overrides.${name} must be ${must}, and is ${String(value)}`;
    return { reason: 'config-invalid', message, hint: 'Leave it out to use the config, or its default.' };
  }
  return undefined;
}

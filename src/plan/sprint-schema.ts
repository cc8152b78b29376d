/** The schema of a compiled PROGRESS.yaml: the fields that the compiler and the runner write; others are allowed. */
import * as z from 'zod/mini';
import { statusWords } from './sprint/status.ts';

const status = z.enum(statusWords).check(z.meta({ id: 'status' }));
const count = z.int().check(z.nonnegative());
const index = z.nullable(count);
const time = z.string().check(z.describe('An ISO 8601 time.'));

const state = {
  id: z.string().check(z.minLength(1)),
  status,
  model: z.optional(z.string()),
  'started-at': z.optional(time),
  'completed-at': z.optional(time),
  'retry-count': z.optional(count),
  allow: z.optional(
    z
      .union([z.string(), z.array(z.string())])
      .check(z.describe('Guards that a person lifts for it and its parts: `rule` or `rule:glob`.')),
  ),
  error: z.optional(z.string().check(z.describe('Why it is blocked.'))),
  reason: z.optional(z.string().check(z.describe('Why it is skipped.'))),
};

const subPhase = z.looseObject({ ...state, prompt: z.string() });
const step = z.looseObject({ ...state, prompt: z.string(), phases: z.array(subPhase) });

/** A phase has its own prompt, or steps. */
const phase = z.looseObject({ ...state, prompt: z.optional(z.string()), steps: z.optional(z.array(step)) });

export const progressSchema = z.looseObject({
  'sprint-id': z.string().check(z.minLength(1)),
  status,
  phases: z.array(phase).check(z.minLength(1)),
  current: z
    .looseObject({ phase: count, step: index, 'sub-phase': index })
    .check(z.describe('Indices of what is worked on; past the last phase when nothing is left.')),
  stats: z.looseObject({
    'started-at': z.nullable(time),
    'completed-at': z.optional(z.nullable(time)),
    'total-phases': count,
    'completed-phases': count,
    'total-steps': z.optional(count),
    'completed-steps': z.optional(count),
  }),
  config: z.optional(z.record(z.string(), z.unknown())),
  worktree: z.optional(z.record(z.string(), z.unknown())),
});

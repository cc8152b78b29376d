/** The shape of ralph.yaml. The published JSON Schema is made from this, so the two cannot drift apart. */
import * as z from 'zod/mini';
import { type RuleId, ruleIds } from '../protocol.ts';
import { isDeadline } from '../util/deadline.ts';
import { parseDuration } from '../util/duration.ts';
import { globProblem } from '../util/globs.ts';
import { notifySchema, targetKeys } from './notify-schema.ts';

const duration = () =>
  z.string().check(
    z.refine(text => parseDuration(text) !== undefined),
    z.describe('A duration such as 90s, 45m or 4h.'),
  );
const deadline = () =>
  z
    .string()
    .check(
      z.refine(isDeadline, { error: 'expected a time such as "07:00" or "2026-01-08T07:00"' }),
      z.describe('A time of day such as "07:00", or a date and time such as "2026-01-08T07:00".'),
    );
const strings = () => z.array(z.string());
const glob = () =>
  z.string().check(
    z.superRefine((text, context) => {
      const problem = globProblem(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: `"${text}": ${problem}` });
    }),
  );
const reaction = () => z.optional(z.enum(['off', 'note', 'warn', 'block']));
const rules = () =>
  z.strictObject(
    Object.fromEntries(ruleIds.map(rule => [rule, reaction()])) as Record<RuleId, ReturnType<typeof reaction>>,
  );
const count = () => z.int().check(z.positive());

const gate = () =>
  z.union([
    z.string().check(z.minLength(1)),
    z.strictObject({
      name: z.optional(z.string()),
      run: z.string().check(z.minLength(1)),
      timeout: z.optional(duration()),
      paths: z.optional(z.array(glob())),
    }),
  ]);

const agent = () =>
  z.union([
    z.string().check(z.minLength(1)),
    z.strictObject({
      use: z.optional(z.string()),
      command: z.optional(z.array(z.string()).check(z.minLength(1))),
      acp: z.optional(z.array(z.string()).check(z.minLength(1))),
      model: z.optional(z.string()),
      effort: z.optional(z.string()),
      args: z.optional(strings()),
      env: z.optional(z.record(z.string(), z.string())),
      scenario: z.optional(z.string()),
      account: z.optional(z.string()),
    }),
  ]);
const agentsInOrder = () => z.union([agent(), z.array(agent()).check(z.minLength(1))]);
const dollars = () => z.number().check(z.nonnegative());
const price = () => z.strictObject({ input: dollars(), output: dollars(), cached: z.optional(dollars()) });

/** An absolute path, or one below HOME. */
const outerPath = () =>
  z.string().check(
    z.refine(text => /^(?:\/|~\/)/.test(text), { error: 'expected a path that begins with / or ~/' }),
    z.describe('An absolute path, or one that begins with ~/.'),
  );
/** Names of hosts; `*.` stands for all below one. */
const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[1-9]\d{0,4})?$/i;
const LOGIN_IN_ADDRESS = /:\/\/[^/\s]*@/;
const host = () =>
  z.string().check(
    z.refine(text => HOST.test(text), {
      error: 'expected a host such as api.example.org, *.example.org or localhost:8080',
    }),
    z.describe('A host, all below it with *., and a port where it is neither 80 nor 443.'),
  );
const tier = () => z.enum(['auto', 'bwrap', 'docker', 'seatbelt', 'none']);

/** What keeps agents and gates inside. */
const when = () => z.union([z.enum(['off', 'each', 'end']), z.literal(false)]);

const sandbox = () =>
  z.union([
    tier(),
    z.literal(false),
    z.strictObject({
      tier: z.optional(tier()),
      network: z.optional(z.union([z.enum(['agent', 'all', 'none']), z.array(host()).check(z.minLength(1))])),
      image: z.optional(z.string().check(z.minLength(1))),
      allow: z.optional(
        z.strictObject({
          read: z.optional(z.array(outerPath())),
          write: z.optional(z.array(outerPath())),
          env: z.optional(strings()),
        }),
      ),
    }),
  ]);

/** What the template of a commit message may name. */
export const COMMIT_FIELDS = ['type', 'scope', 'id', 'title', 'summary', 'run', 'iteration'] as const;

const unknownField = (template: string): string | undefined =>
  [...template.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .find(name => !(COMMIT_FIELDS as readonly string[]).includes(name));

/**
 * Every flag of `ralph run` has the same name here; `limits` groups the common ones. Each is made when it is asked for: a config
 * has a few of them, and a run waits for this.
 */
const keys = {
  $schema: () => z.optional(z.string()),
  plan: () => z.optional(z.string()),
  agent: () => z.optional(agentsInOrder()),
  agents: () =>
    z.optional(
      z.strictObject({
        build: z.optional(agentsInOrder()),
        retry: z.optional(agent()),
        review: z.optional(agentsInOrder()),
        plan: z.optional(agent()),
      }),
    ),
  prices: () => z.optional(z.record(z.string(), price())),
  model: () => z.optional(z.string()),
  effort: () => z.optional(z.string()),
  setup: () => z.optional(z.array(gate())),
  gates: () => z.optional(z.array(gate())),
  final: () => z.optional(z.array(gate())),
  'gate-env': () => z.optional(strings()),
  baseline: () => z.optional(z.enum(['green', 'any'])),
  until: () => z.optional(z.string()),
  limits: () =>
    z.optional(
      z.strictObject({
        iterations: z.optional(count()),
        time: z.optional(duration()),
        iteration: z.optional(duration()),
        idle: z.optional(duration()),
        attempts: z.optional(count()),
        stuck: z.optional(count()),
        fruitless: z.optional(count()),
        wait: z.optional(duration()),
        cost: z.optional(z.number().check(z.positive())),
        'soft-cost': z.optional(z.number().check(z.positive())),
        files: z.optional(count()),
        lines: z.optional(count()),
        'warn-files': z.optional(count()),
        'warn-lines': z.optional(count()),
      }),
    ),
  'max-iterations': () => z.optional(count()),
  timeout: () => z.optional(duration()),
  'iteration-timeout': () => z.optional(duration()),
  'idle-timeout': () => z.optional(duration()),
  'max-attempts': () => z.optional(count()),
  'max-fruitless': () => z.optional(count()),
  deadline: () => z.optional(deadline()),
  'max-cost': () => z.optional(z.number().check(z.positive())),
  guards: () =>
    z.optional(
      z.strictObject({
        allow: z.optional(z.array(glob())),
        forbid: z.optional(z.array(glob())),
        'write-once': z.optional(z.array(glob())),
        manifests: z.optional(z.enum(['when-named', 'free'])),
        tests: z.optional(z.enum(['protect', 'free'])),
        rules: z.optional(rules()),
      }),
    ),
  mcp: () => z.optional(z.boolean()),
  claims: () => z.optional(z.enum(['settle', 'required'])),
  'on-validation': () => z.optional(z.enum(['block', 'skip'])),
  review: () =>
    z.optional(
      z.union([
        z.boolean(),
        z.enum(['all', 'off']),
        z.strictObject({
          items: z.optional(z.union([glob(), z.array(glob())])),
          agent: z.optional(agentsInOrder()),
          model: z.optional(z.string()),
          effort: z.optional(z.string()),
          rounds: z.optional(count()),
          timeout: z.optional(duration()),
        }),
      ]),
    ),
  'proof-timeout': () => z.optional(duration()),
  tdd: () => z.optional(z.union([z.enum(['off', 'warn', 'enforce']), z.literal(false)])),
  context: () => z.optional(strings()),
  branch: () => z.optional(z.string()),
  commit: () =>
    z.optional(
      z.string().check(
        z.minLength(1),
        z.refine(text => unknownField(text) === undefined, {
          error: issue =>
            `{${unknownField(String(issue.input)) ?? ''}} is not a field; there are ${COMMIT_FIELDS.map(name => `{${name}}`).join(', ')}`,
        }),
      ),
    ),
  after: () => z.optional(z.string().check(z.minLength(1))),
  workspace: () => z.optional(z.enum(['here', 'worktree'])),
  worktree: () => z.optional(z.boolean()),
  parallel: () => z.optional(count()),
  sandbox: () => z.optional(sandbox()),
  carry: () => z.optional(z.array(glob())),
  share: () =>
    z.optional(z.union([z.enum(['auto', 'off']), z.literal(false), z.array(z.string().check(z.minLength(1)))])),
  push: () =>
    z.optional(
      z.union([
        when(),
        z.strictObject({ when: z.optional(when()), 'on-failure': z.optional(z.enum(['go-on', 'stop'])) }),
      ]),
    ),
  archive: () =>
    z.optional(
      z.union([
        z.string(),
        z.literal(false),
        z.strictObject({ folder: z.optional(z.string()), commit: z.optional(z.boolean()) }),
      ]),
    ),
  otel: () =>
    z.optional(
      z.strictObject({
        endpoint: z.string().check(
          z.regex(/^https?:\/\/[^/\s]/),
          z.refine(text => !LOGIN_IN_ADDRESS.test(text), { error: 'an address must not hold a name or a password' }),
        ),
        headers: z.optional(z.record(z.string(), z.string())),
      }),
    ),
  notify: () => z.optional(notifySchema()),
};

const shape = madeWhenAsked(keys);

/** All of it. */
export const configSchema = z.strictObject(shape);

/** The part of it that matters to a value: every key may be missing. */
export function schemaFor(value: unknown): z.ZodMiniType<Config> {
  const known = Object.entries(Object.getOwnPropertyDescriptors(shape)).filter(([key]) => isIn(value, key));
  return z.strictObject(Object.defineProperties({}, Object.fromEntries(known)));
}

const isIn = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key);

/** Properties that call these functions. */
function madeWhenAsked<T extends Record<string, () => unknown>>(makers: T): { [K in keyof T]: ReturnType<T[K]> } {
  const getters = Object.entries(makers).map(([key, get]) => [key, { get, enumerable: true }] as const);
  return Object.defineProperties({}, Object.fromEntries(getters)) as { [K in keyof T]: ReturnType<T[K]> };
}

export type Config = z.infer<typeof configSchema>;

/** Every key there is, at every level, for suggestions. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const groups: Readonly<Record<string, readonly string[]>> = {
    limits: Object.keys(configSchema.shape.limits.def.innerType.shape),
    guards: Object.keys(configSchema.shape.guards.def.innerType.shape),
    review: ['items', 'agent', 'model', 'effort', 'rounds', 'timeout'],
    archive: ['folder', 'commit'],
    sandbox: ['tier', 'network', 'image', 'allow'],
    otel: ['endpoint', 'headers'],
    agent: ['use', 'command', 'acp', 'model', 'effort', 'args', 'env', 'scenario', 'account'],
    agents: ['build', 'retry', 'review', 'plan'],
    gates: ['name', 'run', 'timeout', 'paths'],
    final: ['name', 'run', 'timeout'],
    setup: ['name', 'run', 'timeout'],
    notify: targetKeys(),
  };
  const head = path[0];
  if (head === 'guards' && path[1] === 'rules') return ruleIds;
  if (head === 'sandbox' && path[1] === 'allow') return ['read', 'write', 'env'];
  return head === undefined ? Object.keys(configSchema.shape) : (groups[String(head)] ?? []);
}

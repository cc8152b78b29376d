/** The shape of `notify` in ralph.yaml: a list of targets, each of one kind, none with a secret in it. */
import * as z from 'zod/mini';
import { messageKinds } from '../protocol.ts';
import { globProblem } from '../util/globs.ts';
import { kinds, type TargetKind, targetKinds, variablesIn } from './notify-kinds.ts';

const needed: Readonly<Partial<Record<TargetKind, readonly string[]>>> = {
  telegram: ['token'],
  email: ['smtp', 'from'],
};

/** Agents read the config: what opens a door must not be in it. The address of a Slack or Discord hook is all it takes to write there. */
const secretKeys: readonly string[] = ['slack', 'discord', 'secret', 'token', 'password'];

const addressKeys: readonly string[] = ['webhook', 'ntfy', 'smtp', 'api'];

const text = () => z.optional(z.string().check(z.minLength(1)));
const glob = () => z.string().check(z.refine(each => globProblem(each) === undefined));

const target = () =>
  z
    .strictObject({
      name: z.optional(z.string().check(z.regex(/^[\w.-]{1,40}$/))),
      on: z.optional(z.array(z.enum(messageKinds)).check(z.minLength(1))),
      items: z.optional(z.union([glob(), z.array(glob())])),
      webhook: text(),
      secret: text(),
      slack: text(),
      discord: text(),
      ntfy: text(),
      telegram: text(),
      token: text(),
      api: text(),
      email: text(),
      smtp: text(),
      from: text(),
      user: text(),
      password: text(),
      desktop: z.optional(z.literal(true)),
      command: z.optional(z.array(z.string()).check(z.minLength(1))),
      env: z.optional(z.array(z.string().check(z.regex(/^[A-Za-z_]\w*$/)))),
    })
    .check(
      z.superRefine((value, context) => {
        const problem = problemOf(value);
        if (problem) context.addIssue({ code: 'custom', message: problem.message, path: [...problem.path] });
      }),
    );

export const notifySchema = () =>
  z.array(target()).check(
    z.superRefine((targets, context) => {
      const names = targets.map(({ name }) => name);
      const twice = names.findIndex((name, at) => name !== undefined && names.indexOf(name) < at);
      if (twice >= 0)
        context.addIssue({ code: 'custom', message: `two targets are named "${names[twice]}"`, path: [twice, 'name'] });
    }),
  );

export type TargetConfig = z.infer<ReturnType<typeof target>>;

export const targetKeys = (): readonly string[] => Object.keys(target().def.shape);

function problemOf(value: TargetConfig): { readonly message: string; readonly path: readonly string[] } | undefined {
  const named = kinds.filter(kind => value[kind] !== undefined);
  const [kind, other] = named;
  if (kind === undefined) return { message: `a target is one of ${kinds.join(', ')}`, path: [] };
  if (other !== undefined)
    return { message: `${kind} and ${other} are two targets; give each its own entry`, path: [other] };
  const allowed = ['name', 'on', 'items', kind, ...targetKinds[kind]];
  const present = targetKeys().filter(key => value[key as keyof TargetConfig] !== undefined);
  const stray = present.find(key => !allowed.includes(key));
  if (stray !== undefined) return { message: `a target of the kind ${kind} has no ${stray}`, path: [stray] };
  const missing = needed[kind]?.find(key => value[key as keyof TargetConfig] === undefined);
  if (missing !== undefined) return { message: `a target of the kind ${kind} needs ${missing}`, path: [] };
  const open = present.find(key => secretKeys.includes(key) && variablesIn(String(value[key as never])).length === 0);
  if (open !== undefined)
    return {
      message: `a secret does not belong in this file, which agents read; name a variable that holds it`,
      path: [open],
    };
  const signed = present.find(key => addressKeys.includes(key) && /:\/\/[^/\s]*@/.test(String(value[key as never])));
  if (signed === undefined) return undefined;
  return { message: 'an address must not hold a name or a password', path: [signed] };
}

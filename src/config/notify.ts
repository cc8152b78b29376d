/** The targets of `notify` as a run works with them, and which variables are theirs alone. */
import { type MessageKind, messageKinds } from '../protocol.ts';
import { kinds, type TargetKind, variablesIn } from './notify-kinds.ts';
import type { TargetConfig } from './notify-schema.ts';

export interface NotifyTarget {
  readonly kind: TargetKind;
  /** Its own, or else its kind, with a number where there are several. */
  readonly name: string;
  readonly on: readonly MessageKind[];
  /** Globs over item ids; messages that are about no item always pass. */
  readonly items: readonly string[];
  /** As they were written: `${NAME}` stands for a variable. */
  readonly fields: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  /** Variables that its command gets, and nobody else. */
  readonly env: readonly string[];
}

export function notifyTargets(configured: readonly TargetConfig[]): readonly NotifyTarget[] {
  const taken = new Set(configured.flatMap(({ name }) => (name === undefined ? [] : [name])));
  return configured.flatMap(target => {
    const kind = kinds.find(each => target[each] !== undefined);
    return kind === undefined ? [] : [targetOf(target, kind, nameOf(target, kind, taken))];
  });
}

function targetOf(target: TargetConfig, kind: TargetKind, name: string): NotifyTarget {
  const { on = messageKinds, items = [], command, env = [], name: _, ...rest } = target;
  const fields = Object.entries(rest).filter((field): field is [string, string] => typeof field[1] === 'string');
  return {
    kind,
    name,
    on,
    items: typeof items === 'string' ? [items] : items,
    fields: Object.fromEntries(fields),
    ...(command === undefined ? {} : { command }),
    env,
  };
}

function nameOf({ name }: TargetConfig, kind: TargetKind, taken: Set<string>): string {
  if (name !== undefined) return name;
  let own: string = kind;
  for (let count = 2; taken.has(own); count++) own = `${kind}-${count}`;
  taken.add(own);
  return own;
}

/** What programs need to find themselves is nobody's secret, whoever names it. */
const EVERYBODYS = ['PATH', 'HOME', 'USER', 'LOGNAME', 'HOSTNAME', 'SHELL', 'LANG', 'TZ', 'TERM', 'TMPDIR'];

/** The variables a target names, those that everybody has not among them. */
export const secretsNamed = ({ fields, env }: NotifyTarget): readonly string[] =>
  [...new Set([...Object.values(fields).flatMap(variablesIn), ...env])].filter(name => !EVERYBODYS.includes(name));

/** Those of the variables it names that are not set. */
export const missingVariables = (target: NotifyTarget, env: NodeJS.ProcessEnv): readonly string[] =>
  [...new Set([...Object.values(target.fields).flatMap(variablesIn), ...target.env])].filter(name => !env[name]);

/** The environment for agents, gates and everything else that sends no messages. */
export function withoutSecrets(env: NodeJS.ProcessEnv, targets: readonly NotifyTarget[]): NodeJS.ProcessEnv {
  const secret = new Set(targets.flatMap(secretsNamed));
  return secret.size === 0 ? env : Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name)));
}

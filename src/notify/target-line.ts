/** Prepares a target: fills in its variables, checks its address or program, and keeps its secrets out of messages about it. */
import type { NotifyTarget } from '../config/index.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { fill } from './secrets.ts';
import type { Sender } from './target.ts';
import { targets } from './targets/all.ts';

export interface World {
  /** The environment with the variables that targets name. */
  readonly env: NodeJS.ProcessEnv;
  /** The environment without any of them, for programs. */
  readonly programEnv: NodeJS.ProcessEnv;
  readonly root: string;
}

/** The sender of a target, or why it cannot be used; neither contains a secret. */
export function senderOf(target: NotifyTarget, { env, programEnv, root }: World): Result<Sender, string> {
  const filled = fill(target, env);
  if (!filled.ok) return filled;
  const { fields, hide } = filled.value;
  const own = Object.fromEntries(target.env.map(name => [name, env[name]]));
  const made = targets[target.kind]({ fields, command: target.command ?? [], env: { ...programEnv, ...own }, root });
  if (!made.ok) return fail(hide(made.error));
  return ok(async (message, signal) => {
    const trouble = await made.value(message, signal);
    return trouble && { ...trouble, why: hide(trouble.why) };
  });
}

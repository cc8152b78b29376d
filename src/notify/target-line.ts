/** A target made ready to send: its variables filled in, its address or program looked at, its secrets kept out of what is said. */
import type { NotifyTarget } from '../config/index.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { fill } from './secrets.ts';
import type { Sender } from './target.ts';
import { targets } from './targets/all.ts';

export interface World {
  /** With the variables that targets name. */
  readonly env: NodeJS.ProcessEnv;
  /** Without any of them, for programs. */
  readonly programEnv: NodeJS.ProcessEnv;
  readonly root: string;
}

/** Or why it cannot be used; neither says a secret. */
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

/** `ralph doctor --sandbox`: every known way out is tried from inside, and what holds is said. */
import { capture } from '../process/index.ts';
import {
  type Argv,
  type Contained,
  type Escape,
  escapes,
  type Facts,
  type Found,
  sandboxOf,
} from '../sandbox/index.ts';
import { type MadeScene, makeScene } from './escape-scene.ts';

export interface Tried {
  readonly name: string;
  readonly who: Escape['who'];
  /** `open`: known to be so; `escaped`: it should have been held. */
  readonly result: 'held' | 'open' | 'escaped';
  readonly detail: string;
}

const LIMITS = { maxBytes: 256 * 1024, timeoutMs: 20_000 };

export interface Trying {
  readonly env: NodeJS.ProcessEnv;
  /** Absent: each is tried with nothing around it. */
  readonly found?: Found;
  readonly facts: Omit<Facts, 'repository' | 'state' | 'env'>;
  readonly only?: (escape: Escape) => boolean;
}

/** One scene for all; a new one after each that got out, because it may have left damage. */
export async function* tryEscapes({ env, found, facts, only = () => true }: Trying): AsyncGenerator<Tried> {
  let made = await makeScene(env);
  try {
    for (const escape of escapes.filter(only)) {
      const how = await tryOne(escape, { made, found, facts });
      yield judged(escape, how);
      if (how === undefined) continue;
      await made.close();
      made = await makeScene(env);
    }
  } finally {
    await made.close();
  }
}

/** Every hole, where there is nothing that could hold. */
export const allOpen = (): readonly Tried[] =>
  escapes.map(({ name, who }) => ({ name, who, result: 'open', detail: 'there is no sandbox' }));

function judged({ name, who, open }: Escape, how: string | undefined): Tried {
  if (how === undefined) return { name, who, result: 'held', detail: '' };
  return { name, who, result: open === undefined ? 'escaped' : 'open', detail: open ?? how };
}

interface Attempt extends Pick<Trying, 'facts'> {
  readonly found: Found | undefined;
  readonly made: MadeScene;
}

/** How it got out; undefined where it did not. */
async function tryOne(escape: Escape, { made, found, facts }: Attempt): Promise<string | undefined> {
  const { scene, env, secret } = made;
  const inside = found && sandboxOf(found, { ...facts, repository: scene.tree, state: scene.state, env });
  const shell = (script: string): Argv => ['/bin/sh', '-c', script];
  const run = async (who: Escape['who'], script: string) => {
    const argv = shell(script);
    const contained: Contained | undefined =
      who === 'agent'
        ? inside?.agent({ argv, program: '/bin/sh', cwd: scene.tree, branch: 'mine', env, given: {} })
        : inside?.gates({ cwd: scene.tree, tree: scene.tree, env, installs: false }, argv);
    const plain = { argv, env: { ...env } };
    return await capture({ ...(contained ?? plain), cwd: scene.tree, ...LIMITS });
  };
  if (escape.before) await run('agent', escape.before(scene));
  const said = await run(escape.who, escape.script(scene));
  const text = said.stdout.toString('utf8');
  const read = text.includes(secret) ? 'it read a secret' : undefined;
  return (await made.touched()) ?? read ?? (text.includes('ESCAPED') ? 'it got through' : undefined);
}

/** The project as a stranger gets it: a fresh clone, and what npm makes of it. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));

export interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number; readonly mode: number }[];
}

export interface Scene {
  readonly folder: string;
  /** What is or will be committed, and nothing that was built. */
  readonly clone: string;
  /** Where `npm link` and `npm install --global` put programs. */
  readonly prefix: string;
  readonly run: (program: string, args: readonly string[], cwd: string) => string;
  readonly npm: (args: readonly string[], cwd: string) => string;
  readonly remove: () => void;
}

/** Without `tools` the clone has no `node_modules`, as right after `git clone`. */
export function freshClone({ tools }: { readonly tools: boolean }): Scene {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-package-'));
  const clone = join(folder, 'clone');
  const prefix = join(folder, 'prefix');
  const env = { ...process.env, npm_config_prefix: prefix, npm_config_update_notifier: 'false' };
  // Set by an `npm test` that this may be part of; they would steer the npm that is started here.
  for (const name of Object.keys(env))
    if (/^npm_(?:package|lifecycle|command)/.test(name)) Reflect.deleteProperty(env, name);
  const run = (program: string, args: readonly string[], cwd: string) =>
    execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const listed = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], project).split('\0');
  for (const path of listed.filter(each => each !== '' && existsSync(join(project, each)))) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(project, path), join(clone, path));
  }
  if (tools) symlinkSync(join(project, 'node_modules'), join(clone, 'node_modules'));
  run('git', ['init', '-q', '-b', 'main'], clone);
  // Without its slash the pattern in .gitignore also holds for a link.
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  run('git', ['add', '-A'], clone);
  run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '-q', '-m', 'Clone'], clone);
  return {
    folder,
    clone,
    prefix,
    run,
    npm: (args, cwd) => run('npm', ['--no-audit', '--no-fund', '--loglevel=error', ...args], cwd),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** `npm pack` in the clone; the tarball is beside it. */
export function pack({ npm, clone, folder }: Scene): Packed & { readonly tarball: string } {
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], clone)) as Packed[];
  if (!packed) throw new Error('npm packed nothing');
  return { ...packed, tarball: join(folder, packed.filename) };
}

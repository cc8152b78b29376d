/** A real repository of either hash, seen through a workspace. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRepository } from '../../src/workspace/repository.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { atEndOfFile } from '../support/at-end.ts';
import { cleanEnv } from '../support/cli.ts';

export type Format = 'sha1' | 'sha256';

export interface Scene {
  readonly root: string;
  readonly index: string;
  readonly env: NodeJS.ProcessEnv;
  git(args: readonly string[], more?: { readonly env?: NodeJS.ProcessEnv; readonly input?: string | Buffer }): string;
  write(path: string, text: string | Buffer): void;
  open(plainObjects?: 'plain' | 'by-git'): Promise<Workspace>;
}

export const author = { name: 'José Núñez', email: 'jose@example.org' };

export function makeScene(format: Format = 'sha1'): Scene {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-workspace-')));
  atEndOfFile(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, 'repo');
  const home = join(top, 'home');
  for (const folder of [root, home]) mkdirSync(folder);
  const person = { GIT_AUTHOR_NAME: 'P', GIT_AUTHOR_EMAIL: 'p@x', GIT_COMMITTER_NAME: 'P', GIT_COMMITTER_EMAIL: 'p@x' };
  const env = cleanEnv(home, person);
  const index = join(top, 'own-index');
  const scene: Scene = {
    root,
    index,
    env,
    git: (args, { env: more = {}, input } = {}) => {
      const options = { cwd: root, env: { ...env, ...more }, ...(input === undefined ? {} : { input }) };
      return execFileSync('git', args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
        .toString('utf8')
        .trim();
    },
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    open: async (plainObjects = 'plain') => {
      const repository = await openRepository(root, env);
      if (!repository.ok) throw new Error(repository.error.message);
      const { gitDir } = repository.value;
      rmSync(index, { force: true });
      const workspace = new Workspace({
        repository: repository.value,
        root,
        gitDir,
        branch: 'work',
        index,
        accepted: join(top, 'accepted'),
        author,
        plainObjects: plainObjects === 'plain',
      });
      await workspace.prepare();
      return workspace;
    },
  };
  scene.git(['init', '-q', '-b', 'work', `--object-format=${format}`]);
  return scene;
}

/** What a call that has to succeed gave. */
export async function given<T>(
  result: Promise<{ readonly ok: boolean; readonly value?: T; readonly error?: unknown }>,
) {
  const { ok, value, error } = await result;
  if (!ok) throw new Error(JSON.stringify(error));
  return value as T;
}

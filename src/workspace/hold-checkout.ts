/** What makes a folder a checkout of its repository, noted before somebody else's code runs there. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { KeptFiles } from './kept-files.ts';

/** What is given puts it back, and says what was not as it had been. */
export function holdCheckout(
  { root, gitDir }: { readonly root: string; readonly gitDir: string },
  aside: string,
): () => readonly string[] {
  const names = ['gitdir', 'commondir', 'config.worktree'];
  const kept = new KeptFiles({ paths: [join(root, '.git'), ...names.map(name => join(gitDir, name))] });
  kept.note();
  return () => {
    for (const folder of [root, gitDir]) mkdirSync(folder, { recursive: true });
    return kept.putBack(aside).map(({ path }) => `${path} was changed while the agent worked; it was restored`);
  };
}

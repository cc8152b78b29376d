/**
 * Ensures that the gates saw the tree that is committed. A file that was written while they ran may have had other content for a moment:
 * by the gates themselves, which is usual for formatters, or by a process that waited for them. Green gates are then run once more on the
 * tree alone, in a folder that no other process knows.
 */

import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runChecks } from '../checks/index.ts';
import { ignoredKind } from '../custody/index.ts';
import type { Finding, Gate, GateResult } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import { withCheckout } from './fresh-checkout.ts';
import type { Session } from './session.ts';

const RULE = 'changed-under-gates';

export interface Asked {
  readonly tree: string;
  readonly base: string;
  readonly gates: readonly Gate[];
  readonly results: readonly GateResult[];
  /** Files that were written while the gates ran. */
  readonly touched: readonly string[];
}

export async function checkSameTree(
  session: Session,
  { tree, base, gates, results, touched }: Asked,
): Promise<Result<readonly Finding[]>> {
  const isGreen = ({ status, wasRed }: GateResult) => status === 'green' || wasRed === true;
  const chosen = session.settings.rules.levels?.[RULE];
  if (chosen === 'off' || results.length === 0 || !results.every(isGreen)) return ok([]);
  const paths = touched.filter(path => !session.options.ownedInTree.includes(path));
  const [path] = paths;
  if (path === undefined) return ok([]);
  session.notice('info', `${firstFew(paths, 3)} changed while the gates ran; they are run again on the tree alone`);
  const { workspace, state } = session;
  const again = await withCheckout({ workspace, run: state.run, tree, packages: 'linked' }, async folder => {
    const hidden = await linkIgnored(session, folder);
    const lent = await workspace.lendHistory(folder, { commit: base, hidden });
    return lent.ok ? ok(await runChecks(session, { gates, phase: 'proof', folder })) : lent;
  });
  const said = again.ok ? again.value : again;
  if (!said.ok) return said;
  // A gate that was red before the item need not be green here.
  const red = said.value.filter(({ status }, at) => status !== 'green' && !results[at]?.wasRed);
  const message = `${firstFew(paths, 3)} changed while the gates ran`;
  if (red.length === 0) {
    return ok([{ rule: RULE, level: 'note', message: `${message}; they are green on the tree alone too`, path }]);
  }
  const names = red.map(({ name }) => name).join(', ');
  const what = `${message}, and on the tree alone they are red (${names}): what was green is not what would be kept`;
  return ok([{ rule: RULE, level: chosen ?? 'block', message: what, path }]);
}

/** Links ignored files that gates may need; builds and caches are left for the gates to create. */
async function linkIgnored({ workspace }: Session, folder: string): Promise<readonly string[]> {
  const entries = await workspace.notInSnapshot();
  const names = entries.ok ? entries.value.map(name => name.replace(/\/$/, '')) : [];
  const linked = names.filter(name => ['tools', 'other'].includes(ignoredKind(name)));
  for (const name of linked) {
    try {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      symlinkSync(join(workspace.root, name), join(folder, name));
    } catch {
      // Already linked, like a package folder.
    }
  }
  return linked;
}

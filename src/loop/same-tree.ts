/**
 * What the gates saw has to be what is kept. A file that was written to while they ran may have been another one for a
 * moment: by the gates themselves, which is usual for formatters, or by a process that waited for them. Green gates are
 * then asked once more, about the tree alone, in a folder that nobody else knows.
 */
import { lstatSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runChecks } from '../checks/index.ts';
import { ignoredKind } from '../custody/index.ts';
import { changedSince } from '../process/index.ts';
import type { Finding, Gate, GateResult } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';
import type { SinceSnapshot } from '../workspace/index.ts';
import { listed } from './foreign-work.ts';
import { withCheckout } from './fresh-checkout.ts';
import type { Session } from './session.ts';

const RULE = 'changed-under-gates';

export interface Asked {
  readonly tree: string;
  readonly base: string;
  readonly gates: readonly Gate[];
  readonly results: readonly GateResult[];
  /** Files that were written to while the gates ran. */
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
  session.notice('info', `${listed(paths)} changed while the gates ran; they are run again on the tree alone`);
  const { workspace, state } = session;
  const again = await withCheckout({ workspace, run: state.run, tree, packages: 'linked' }, async folder => {
    const hidden = await linkIgnored(session, folder);
    const lent = await workspace.lendHistory(folder, { commit: base, hidden });
    return lent.ok ? ok(await runChecks(session, { gates, phase: 'proof', folder })) : lent;
  });
  const said = again.ok ? again.value : again;
  if (!said.ok) return said;
  // What was red before the item began need not be green here either.
  const red = said.value.filter(({ status }, at) => status !== 'green' && !results[at]?.wasRed);
  const message = `${listed(paths)} changed while the gates ran`;
  if (red.length === 0) {
    return ok([{ rule: RULE, level: 'note', message: `${message}; they are green on the tree alone too`, path }]);
  }
  const names = red.map(({ name }) => name).join(', ');
  const what = `${message}, and on the tree alone they are red (${names}): what was green is not what would be kept`;
  return ok([{ rule: RULE, level: chosen ?? 'block', message: what, path }]);
}

/** Now, by the clock that files are stamped with. */
export function stampOf(file: string): bigint {
  const now = Date.now();
  try {
    utimesSync(file, now / 1000, now / 1000);
    return lstatSync(file, { bigint: true }).ctimeNs;
  } catch {
    // Gone: then a little earlier, so that nothing is missed.
    return BigInt(now - TICK_MS) * 1_000_000n;
  }
}

const TICK_MS = 10;
/** Not a part of any snapshot, or looked at by others. */
const ELSEWHERE = ['.git', '.ralph', 'node_modules'];

export const UNTOUCHED: SinceSnapshot = { touched: [], changed: false };

/**
 * What became of the snapshot since the gates began. Git alone does not tell: it compares times by the second, and a swap
 * and its undoing take less. Where the kernel stamped nothing, git need not be asked.
 */
export async function sinceGates({ workspace }: Session, began: bigint): Promise<Result<SinceSnapshot>> {
  const stamped = await changedSince({ root: workspace.root, folders: ['.'], without: ELSEWHERE, since: began + 1n });
  if (stamped.length === 0) return ok(UNTOUCHED);
  const [since, known] = await Promise.all([workspace.sinceSnapshot(), workspace.pathsInSnapshot()]);
  if (!since.ok) return since;
  if (!known.ok) return known;
  const paths = stamped.map(({ path }) => path.replace(/^\.\//, '')).filter(path => known.value.has(path));
  return ok({ touched: [...new Set([...since.value.touched, ...paths])], changed: since.value.changed });
}

/** Files that git ignores and gates may need; builds and caches they make anew. */
async function linkIgnored({ workspace }: Session, folder: string): Promise<readonly string[]> {
  const entries = await workspace.notInSnapshot();
  const names = entries.ok ? entries.value.map(name => name.replace(/\/$/, '')) : [];
  const linked = names.filter(name => ['tools', 'other'].includes(ignoredKind(name)));
  for (const name of linked) {
    try {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      symlinkSync(join(workspace.root, name), join(folder, name));
    } catch {
      // Linked already, as a package folder is.
    }
  }
  return linked;
}

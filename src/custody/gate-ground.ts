/** What gates stand on: files that git ignores, from the start of an agent on, and the tree itself while gates run. */
import { lstatSync, utimesSync } from 'node:fs';
import { changedSince } from '../process/index.ts';
import { readBytes } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import type { SinceSnapshot, Workspace } from '../workspace/index.ts';
import type { Thing } from './hold.ts';
import type { IgnoredFiles, Settled } from './ignored-files.ts';

interface SinceAgent {
  /** When the agent was started, by the clock that files are stamped with. */
  readonly since: bigint;
  /** Where what it made goes. */
  readonly aside: string;
}

/** Files that git ignores, around an agent. */
export const heldIgnored =
  (ignored: IgnoredFiles, agent: SinceAgent): Thing<Result<Settled>> =>
  async () => {
    const noted = await ignored.note();
    return async () => (noted.ok ? await ignored.settle(agent) : noted);
  };

/** The same after an agent whose runner died or was stopped: nothing is noted, because it was here already. */
export const ignoredAfterCrash =
  (ignored: IgnoredFiles, agent: SinceAgent): Thing<Result<Settled>> =>
  () =>
  () =>
    ignored.settle(agent);

export interface TreeUnderGates {
  readonly workspace: Workspace;
  /** What the work tree holds. */
  readonly tree: string;
  /** A file of the runner's whose time is set to now, to compare others with. */
  readonly stamp: string;
  /** The plan, where it is in the tree: an edit of it is handed over before it is put back. */
  readonly plan?: { readonly inTree: string; readonly path: string; readonly keep: (bytes: Buffer) => void };
}

export interface FoundUnderGates {
  /** Files that were written to while the gates ran, even if they are now as they were. */
  readonly touched: readonly string[];
  /** What was put back. */
  readonly changed: readonly string[];
}

export const UNTOUCHED: FoundUnderGates = { touched: [], changed: [] };

/** The work tree around gates: what they write is not the agent's work. */
export const heldTree =
  ({ workspace, tree, stamp, plan }: TreeUnderGates): Thing<Result<FoundUnderGates>> =>
  () => {
    const began = stampOf(stamp);
    return async () => {
      const since = await sinceGates(workspace, began);
      if (!since.ok) return since;
      const { touched } = since.value;
      if (!since.value.changed) return ok({ touched, changed: [] });
      const now = await workspace.snapshot();
      if (!now.ok) return now;
      if (now.value === tree) return ok({ touched, changed: [] });
      const diff = await workspace.diff(tree, now.value);
      const changes = diff.ok ? diff.value.changes : [];
      const changed = changes.map(({ path }) => path);
      const edited = plan && changed.includes(plan.inTree) ? readBytes(plan.path) : undefined;
      if (edited) plan?.keep(edited);
      const restored = await workspace.restore(tree, changes);
      return restored.ok ? ok({ touched, changed }) : restored;
    };
  };

/** Now, by the clock that files are stamped with. */
function stampOf(file: string): bigint {
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

/**
 * What became of the snapshot since the gates began. Git alone does not tell: it compares times by the second, and a swap
 * and its undoing take less. Where the kernel stamped nothing, git need not be asked.
 */
async function sinceGates(workspace: Workspace, began: bigint): Promise<Result<SinceSnapshot>> {
  const stamped = await changedSince({ root: workspace.root, folders: ['.'], without: ELSEWHERE, since: began + 1n });
  if (stamped.length === 0) return ok({ touched: [], changed: false });
  const [since, known] = await Promise.all([workspace.sinceSnapshot(), workspace.pathsInSnapshot()]);
  if (!since.ok) return since;
  if (!known.ok) return known;
  const paths = stamped.map(({ path }) => path.replace(/^\.\//, '')).filter(path => known.value.has(path));
  return ok({ touched: [...new Set([...since.value.touched, ...paths])], changed: since.value.changed });
}

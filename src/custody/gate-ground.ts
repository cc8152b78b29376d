/** Protects what gates depend on: ignored files since the start of an agent, and the tree while gates run. */
import { changedSince } from '../process/index.ts';
import { readBytes } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { touch } from '../util/version.ts';
import type { SinceSnapshot, Workspace } from '../workspace/index.ts';
import type { Thing } from './hold.ts';
import type { IgnoredFiles, Settled } from './ignored-files.ts';

interface SinceAgent {
  /** When the agent started, by the clock of file timestamps. */
  readonly since: bigint;
  /** The folder for files that the agent made. */
  readonly aside: string;
}

/** Ignored files, held around an agent. */
export const heldIgnored =
  (ignored: IgnoredFiles, agent: SinceAgent): Thing<Result<Settled>> =>
  async () => {
    const noted = await ignored.note();
    return async () => (noted.ok ? await ignored.settle(agent) : noted);
  };

/** The same after an agent whose runner died or was stopped: nothing is recorded, because the agent has already run. */
export const ignoredAfterCrash =
  (ignored: IgnoredFiles, agent: SinceAgent): Thing<Result<Settled>> =>
  () =>
  () =>
    ignored.settle(agent);

export interface TreeUnderGates {
  readonly workspace: Workspace;
  /** The content of the work tree. */
  readonly tree: string;
  /** A file of the runner's whose timestamp is set to now, to compare others with. */
  readonly stamp: string;
  /** The plan, if it is in the tree: `keep` gets an edited version before the plan is restored. */
  readonly plan?: { readonly inTree: string; readonly path: string; readonly keep: (bytes: Buffer) => void };
}

export interface FoundUnderGates {
  /** Files that were written while the gates ran, even if their content is the same again. */
  readonly touched: readonly string[];
  /** Files that were restored. */
  readonly changed: readonly string[];
}

export const UNTOUCHED: FoundUnderGates = { touched: [], changed: [] };

/** The work tree, held around gates: what they write is not the agent's work. */
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

/** The current time, by the clock of file timestamps. If the file is gone, slightly earlier, so that no change is missed. */
const stampOf = (file: string): bigint => touch(file)?.ctimeNs ?? BigInt(Date.now() - TICK_MS) * 1_000_000n;

const TICK_MS = 10;
/** Not part of any snapshot, or checked elsewhere. */
const ELSEWHERE = ['.git', '.ralph', 'node_modules'];

/**
 * What changed in the snapshot since the gates began. Git alone cannot tell: it compares timestamps by the second, and a file can be
 * swapped and swapped back faster. If the kernel shows no newer timestamp, git need not be called.
 */
async function sinceGates(workspace: Workspace, began: bigint): Promise<Result<SinceSnapshot>> {
  const stamped = await changedSince({ root: workspace.root, folders: ['.'], without: ELSEWHERE, since: began + 1n });
  if (stamped.length === 0) return ok({ touched: [], changed: false });
  // What gates build in submodules is no news; what they change there, the next gates must not see.
  const inner = await workspace.inner.putBack();
  if (!inner.ok) return inner;
  const edited = inner.value.flatMap(({ path, changes }) =>
    changes.filter(({ kind }) => kind !== 'added').map(change => `${path}/${change.path}`),
  );
  const [since, known] = await Promise.all([workspace.sinceSnapshot(), workspace.pathsInSnapshot()]);
  if (!since.ok) return since;
  if (!known.ok) return known;
  const paths = stamped.map(({ path }) => path.replace(/^\.\//, '')).filter(path => known.value.has(path));
  return ok({ touched: [...new Set([...since.value.touched, ...paths, ...edited])], changed: since.value.changed });
}

/** Shows the only open run from its snapshot, without git, config, plan or the whole journal, if it is the newest run. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileVersion, type RalphFolder, ralphFolder, readRunFast, seatOfRun, storeOf } from '../journal/index.ts';
import { loadIsAlive } from '../process/index.ts';
import { openRuns } from '../start/index.ts';
import { ok, type Result } from '../util/result.ts';
import { lookAt } from '../util/version.ts';
import type { Call } from './command.ts';
import type { CurrentRun } from './current-run.ts';

/** The run that a command shows, by the fast path if possible; then it may have only the last records. */
export async function lookAtRun(call: Call): Promise<Result<CurrentRun>> {
  const isNamed = call.flags.has('plan') || call.flags.has('run');
  const quick = isNamed ? undefined : await quickLook(process.cwd());
  return quick ? ok(quick) : await (await import('./current-run.ts')).currentRun(call);
}

/** Undefined if anything is missing or has changed: then the slow path is used. */
async function quickLook(cwd: string): Promise<CurrentRun | undefined> {
  const root = topOf(cwd);
  if (root === undefined) return undefined;
  const folder = ralphFolder(root);
  if (!lookAt(folder.root)?.isDirectory() || !lookAt(folder.runs)?.isDirectory()) return undefined;
  const runs = storeOf(folder).runs();
  const [run] = runs;
  const read = run === undefined ? undefined : readRunFast(folder, run);
  if (!read?.ok || !read.value.plan) return undefined;
  // With other open runs there is more to show.
  if (runs.length > 1 && openRuns(folder).some(other => other.run !== run)) return undefined;
  const { state, records, plan } = read.value;
  if (fileVersion(join(root, state.workspace, state.plan.path)) !== plan.version) return undefined;
  const seat = seatOfRun(folder, state);
  return { folder: seat, state, records, items: plan.items, owner: await ownerOf(seat, run), notes: [] };
}

/** The root of the repository, found as git does. */
function topOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : topOf(above);
}

async function ownerOf(folder: RalphFolder, run: string | undefined): Promise<CurrentRun['owner']> {
  if (!existsSync(folder.lock)) return undefined;
  const owner = storeOf(folder).owner({ isAlive: await loadIsAlive() });
  return owner?.run === undefined || owner.run === run ? owner : undefined;
}

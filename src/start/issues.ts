/** Plans that are issues of a tracker: their copy before a run, and what the tracker is told during one and after it. */
import type { Recorded } from '../events.ts';
import { readRecords } from '../journal/index.ts';
import {
  type Address,
  copyFile,
  isAddress,
  OWN_SCHEMES,
  outboxFile,
  readAddress,
  readCopy,
  showAddress,
} from '../plan/index.ts';
import type { PlanSource } from '../protocol.ts';
import type { Mirror, Sent } from '../trackers/index.ts';
import { readText } from '../util/files.ts';
import { describeFailure, ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { exportedFirst } from './beads.ts';
import { type Found, findPlanAndRun, type Wanted } from './find-plan.ts';
import { findRun } from './find-run.ts';
import { type Project, type Refusal, refuse } from './project.ts';

/** The first time there is nothing to continue with; afterwards there is a copy. */
const FIRST_MS = 60_000;
const AGAIN_MS = 10_000;
const SEND_MS = 20_000;

export interface FoundIssues {
  readonly found: Found;
  /** Of a plan that is a tracker's. */
  readonly issues?: Address;
}

type Sources = readonly PlanSource[];

const schemesOf = (sources: Sources): readonly string[] => [...sources.map(({ scheme }) => scheme), ...OWN_SCHEMES];

/** The plan and its run; the copy of a tracker's issues is fetched before, where the tracker can be reached. */
export async function findWithIssues(
  project: Project,
  wanted: Wanted & { readonly sources?: Sources | undefined },
): Promise<Result<FoundIssues, Refusal>> {
  const { sources = [], ...plain } = wanted;
  const named = plain.plan ?? project.settings.plan;
  const given = named !== undefined && isAddress(named, schemesOf(sources)) ? readAddress(named) : undefined;
  if (given && !given.ok) return refuse(2, given.error);
  const isNeeded =
    given && (plain.plan !== undefined || readText(copyFile(project.folder.root, given.value)) === undefined);
  const first = isNeeded ? await refresh(project, { address: given.value, sources, now: plain.now }) : ok([]);
  if (!first.ok) return first;
  const plan = given && plain.plan !== undefined ? copyFile(project.folder.root, given.value) : plain.plan;
  const found = findPlanAndRun(project, { ...plain, plan });
  if (!found.ok) return found;
  if (found.value.plan.plan.format === 'beads') return await withExport(project, { found: found.value, wanted: plain });
  if (found.value.plan.plan.format !== 'tracker') return ok({ found: found.value });
  const address = readAddress(found.value.plan.plan.name);
  if (!address.ok) return refuse(2, address.error);
  const again = isNeeded ? first : await refresh(project, { address: address.value, sources, now: plain.now });
  if (!again.ok) return again;
  const now = findPlanAndRun(project, { ...plain, plan: found.value.plan.path });
  if (!now.ok) return now;
  return ok({ found: { ...now.value, notes: [...now.value.notes, ...again.value] }, issues: address.value });
}

/** The file of beads is only an export: where `bd` is here, it is asked for a new one. */
async function withExport(
  project: Project,
  { found, wanted }: { readonly found: Found; readonly wanted: Wanted },
): Promise<Result<FoundIssues, Refusal>> {
  const notes = await exportedFirst(project, found.plan.path);
  if (notes === undefined) return ok({ found });
  const now = findPlanAndRun(project, { ...wanted, plan: found.plan.path });
  return now.ok ? ok({ found: { ...now.value, notes: [...now.value.notes, ...notes] } }) : now;
}

interface Refresh {
  readonly address: Address;
  readonly sources: Sources;
  readonly now: number;
}

/** What a person should know; a tracker that cannot be reached is no reason not to work where there is a copy. */
async function refresh(
  project: Project,
  { address, sources, now }: Refresh,
): Promise<Result<readonly string[], Refusal>> {
  const { copyOf, fetchCopy, sourceFor } = await import('../trackers/index.ts');
  const source = sourceFor(address.scheme, sources);
  if (!source.ok) return refuse(2, source.error);
  const ralph = project.folder.root;
  const before = copyOf(ralph, address);
  const place = { cwd: project.repository.root, env: project.env, timeoutMs: before ? AGAIN_MS : FIRST_MS };
  const fetched = await fetchCopy({ ralph, address, source: source.value, place, now });
  if (fetched.ok) return ok([]);
  if (!before) return refuse(fetched.error.reason === 'tracker-empty' ? 2 : 4, fetched.error);
  return ok([
    `${showAddress(address)} could not be fetched, so its issues are as of ${before.fetched}: ${fetched.error.message}`,
  ]);
}

export async function mirrorOf(
  project: Project,
  {
    address,
    sources = [],
    run,
  }: { readonly address: Address; readonly sources?: Sources | undefined; readonly run: string },
): Promise<Result<Mirror>> {
  const { openMirror, sourceFor } = await import('../trackers/index.ts');
  const source = sourceFor(address.scheme, sources);
  if (!source.ok) return source;
  const records: readonly Recorded[] = readRecords(project.folder, run) ?? [];
  const place = { cwd: project.repository.root, env: project.env, timeoutMs: SEND_MS };
  const file = outboxFile(copyFile(project.folder.root, address));
  return ok(openMirror({ file, project: address.project, source: source.value, place, records }));
}

/** What is to be said about what could not be sent; nothing where all was. */
export function unsent(address: Address, { waiting, failure }: Sent): readonly string[] {
  if (waiting === 0) return [];
  const why = failure ? describeFailure(failure).replace(/\s+/g, ' ') : 'it takes longer than a run waits';
  return [
    `${plural(waiting, 'change')} for ${showAddress(address)} could not be sent yet: ${why}. The next start tries again; to try now: ralph sync`,
  ];
}

export interface Synced extends Sent {
  readonly tracker: string;
  readonly issues: number;
  /** Why it could not be fetched. */
  readonly unfetched?: string;
}

/** Fetches the issues again and sends what waits; the caller holds the lock. */
export async function syncIssues(
  project: Project,
  { address, sources = [], now }: { readonly address: Address; readonly sources?: Sources; readonly now: number },
): Promise<Result<Synced>> {
  const { copyOf, fetchCopy, sourceFor } = await import('../trackers/index.ts');
  const source = sourceFor(address.scheme, sources);
  if (!source.ok) return source;
  const ralph = project.folder.root;
  const place = { cwd: project.repository.root, env: project.env, timeoutMs: FIRST_MS };
  const fetched = await fetchCopy({ ralph, address, source: source.value, place, now });
  const copy = copyOf(ralph, address);
  if (!fetched.ok && !copy) return fetched;
  const run = findIssueRun(project, copyFile(ralph, address));
  const mirror = await mirrorOf(project, { address, sources, run });
  if (!mirror.ok) return mirror;
  const sent = await mirror.value.flush(FIRST_MS);
  const unfetched = fetched.ok ? {} : { unfetched: describeFailure(fetched.error) };
  return ok({ tracker: showAddress(address), issues: copy?.issues.length ?? 0, ...sent, ...unfetched });
}

/** The newest run of a copy, if there is one. */
function findIssueRun(project: Project, file: string): string {
  const text = readText(file);
  const name = (text === undefined ? undefined : readCopy(text))?.tracker ?? '';
  const path = file.slice(project.repository.root.length + 1);
  const found = findRun(project.folder, { path, plan: { name, items: [], marks: 'journal' } });
  return found.ok ? (found.value?.run ?? '') : '';
}

/** After a merge: the issues whose work it brought are closed. Says what could not be told. */
export async function closeMerged(
  project: Project,
  merged: { readonly run: string; readonly items: readonly string[]; readonly into: string; readonly commit: string },
): Promise<readonly string[]> {
  const [started] = readRecords(project.folder, merged.run) ?? [];
  if (started?.type !== 'run.started' || started.plan.format !== 'tracker') return [];
  const address = readAddress(started.plan.name);
  if (!address.ok) return [address.error.message];
  const mirror = await mirrorOf(project, { address: address.value, run: merged.run });
  if (!mirror.ok) return [mirror.error.message];
  mirror.value.close(merged.items, merged);
  const sent = await mirror.value.flush(FIRST_MS);
  const told = sent.sent > 0 ? [`${showAddress(address.value)} was told: ${plural(sent.sent, 'change')}`] : [];
  return [...told, ...unsent(address.value, sent)];
}

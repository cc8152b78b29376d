/** The copy of a tracker's issues: made the first time, asked for again at every start, and good enough while the network is not. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type Address,
  blockersIn,
  copyFile,
  type Elsewhere,
  readCopy,
  showAddress,
  type TrackerCopy,
  writeCopy,
} from '../plan/index.ts';
import type { PlanSource, SourceIssue, SourcePlace } from '../protocol.ts';
import { readText, writeOwn } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';

export interface FetchRequest {
  /** `.ralph` of the repository. */
  readonly ralph: string;
  readonly address: Address;
  readonly source: PlanSource;
  readonly place: SourcePlace;
  readonly now: number;
}

/** Issues outside the plan that are asked for one by one; more than that stay unknown, and whoever waits for them is blocked. */
const MOST_LOOKED_UP = 50;

export function copyOf(ralph: string, address: Address): TrackerCopy | undefined {
  const text = readText(copyFile(ralph, address));
  return text === undefined ? undefined : readCopy(text);
}

/** Asks the tracker and writes the copy. */
export async function fetchCopy(request: FetchRequest): Promise<Result<TrackerCopy>> {
  const { ralph, address, source, place, now } = request;
  const before = copyOf(ralph, address);
  const listed = await source.list(address, place);
  if (!listed.ok) return listed;
  const open = listed.value.filter(({ id }) => /^\w[\w.-]*$/.test(id));
  const ids = new Set(open.map(({ id }) => id));
  const gone = (before?.issues ?? []).filter(({ id, state }) => !ids.has(id) && state === 'open').map(({ id }) => id);
  const waited = open.flatMap(issue => issue.blockedBy ?? blockersIn(issue)).filter(id => !ids.has(id));
  const wanted = [...new Set([...gone, ...waited])].slice(0, MOST_LOOKED_UP);
  const looked = wanted.length === 0 ? ok([]) : await source.look(address.project, wanted, place);
  if (!looked.ok) return looked;
  const found = new Map(looked.value.map(issue => [issue.id, issue]));
  const kept = (before?.issues ?? []).filter(({ id }) => !ids.has(id)).map(issue => found.get(issue.id) ?? issue);
  const copy: TrackerCopy = {
    tracker: showAddress(address),
    fetched: new Date(now).toISOString(),
    issues: [...open, ...kept].toSorted(byNumber),
    elsewhere: Object.fromEntries(
      waited.filter(id => !kept.some(issue => issue.id === id)).map(id => [id, stateOf(found.get(id))]),
    ),
    left: kept.filter(({ state }) => state === 'open').map(({ id }) => id),
  };
  if (copy.issues.length === 0) return fail(nothing(address));
  const file = copyFile(ralph, address);
  mkdirSync(dirname(file), { recursive: true });
  writeOwn(file, writeCopy(copy));
  return ok(copy);
}

const stateOf = (issue: SourceIssue | undefined): Elsewhere => issue?.state ?? 'unknown';

/** The oldest first: that is how they were thought of. */
const byNumber = (a: SourceIssue, b: SourceIssue): number => Number(a.id) - Number(b.id) || (a.id < b.id ? -1 : 1);

function nothing({ scheme, project, label, milestone }: Address): Failure {
  const which = [
    ...(label === undefined ? [] : [`the label "${label}"`]),
    ...(milestone === undefined ? [] : [`the milestone "${milestone}"`]),
  ].join(' and ');
  const program = scheme === 'github' ? 'gh' : scheme === 'gitlab' ? 'glab' : undefined;
  return {
    reason: 'tracker-empty',
    message: `no open issue of ${project} has ${which}`,
    hint:
      program === undefined
        ? 'Give an issue that label.'
        : `Look at what there is: ${program} issue list --repo ${project}`,
  };
}

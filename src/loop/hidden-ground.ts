/** What gates read but no diff shows: ignored files, and the timestamps of tracked ones. */

import { lstatSync, utimesSync } from 'node:fs';
import { join, relative } from 'node:path';
import { heldIgnored, hold, ignoredAfterCrash, type Settled } from '../custody/index.ts';
import { systemTable } from '../process/index.ts';
import type { Change, Finding } from '../protocol.ts';
import type { OpenIteration } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import type { Workspace } from '../workspace/index.ts';
import { toolsCutOff } from './check-tools.ts';
import type { Session } from './session.ts';

export interface Hidden {
  readonly findings: readonly Finding[];
  /** Changed files of installed packages. */
  readonly tools: readonly string[];
}

interface SinceAgent {
  readonly iteration: number;
  readonly since: bigint;
}

const asideOf = (session: Session, iteration: number): string => session.fileOf(iteration, 'ignored');

/** Recorded before an agent, restored before its gates. */
export const holdIgnored = async (session: Session, { iteration, since }: SinceAgent) =>
  await hold({ ignored: heldIgnored(session.ignored, { since, aside: asideOf(session, iteration) }) });

export type HeldGround = Awaited<ReturnType<typeof holdIgnored>>;

export async function settleIgnored(
  session: Session,
  { iteration, ground }: { readonly iteration: number; readonly ground: HeldGround },
): Promise<Result<Hidden>> {
  const { ignored } = await ground.putBack();
  return ignored.ok ? ok(hiddenOf(session, { iteration, found: ignored.value })) : ignored;
}

function hiddenOf(
  session: Session,
  { iteration, found: { back, out, stuck, tools } }: { readonly iteration: number; readonly found: Settled },
): Hidden {
  const aside = asideOf(session, iteration);
  const findings = [
    ...said('changed', back, 'restored before the gates ran'),
    ...said('made', out, 'removed before the gates ran'),
  ];
  const left = said('made', stuck, 'it could not be removed, so the gates may have seen it');
  for (const { message } of left) session.notice('warn', message);
  if (findings.length > 0) {
    const place = relative(session.options.folder.root.replace(/\/\.ralph$/, ''), aside);
    for (const { message } of findings) session.notice('warn', `${message}; as the agent left it, it is in ${place}`);
  }
  return { findings: [...findings, ...left], tools };
}

/** The same for an iteration without a verdict, so that the next iteration finds nothing of it. */
export async function settleCutOff(
  session: Session,
  { iteration, at, process: agent }: Pick<OpenIteration, 'iteration' | 'at' | 'process'>,
): Promise<Result<void>> {
  // No process of an agent survives a reboot, so files written after one are a person's.
  if (at === undefined || !agent || agent.boot !== systemTable.boot()) return ok(undefined);
  const since = BigInt(at - TICK_MS) * 1_000_000n;
  const agents = { since, aside: asideOf(session, iteration) };
  const { ignored } = await (await hold({ ignored: ignoredAfterCrash(session.ignored, agents) })).putBack();
  if (!ignored.ok) return ignored;
  toolsCutOff(session, hiddenOf(session, { iteration, found: ignored.value }).tools, iteration);
  return ok(undefined);
}

/** The clock of file timestamps may be this much behind. */
const TICK_MS = 10;

function said(verb: string, paths: readonly string[], what: string): readonly Finding[] {
  const [path] = paths;
  if (path === undefined) return [];
  const message = `the agent ${verb} ${firstFew(paths, 1)}, which git ignores; ${what}`;
  return [{ rule: 'ignored-files', level: 'note', message, path }];
}

/**
 * Compilers and build tools compare the timestamps of files. They would treat a changed file with an old or future timestamp as already
 * compiled, so such a file gets the current time.
 */
export async function freshTimes(
  workspace: Pick<Workspace, 'root' | 'lookAgain'>,
  { changes, since }: { readonly changes: readonly Change[]; readonly since: bigint },
): Promise<Result<void>> {
  const now = Date.now();
  const from = Number(since / 1_000_000n);
  const touched: string[] = [];
  for (const { path, kind } of changes) {
    if (kind === 'deleted') continue;
    const file = join(workspace.root, path);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || (stat.mtimeMs >= from && stat.mtimeMs <= now)) continue;
    try {
      utimesSync(file, now / 1000, now / 1000);
      touched.push(path);
    } catch {
      // A file that the runner may not touch, the agent could not backdate either.
    }
  }
  return touched.length > 0 ? await workspace.lookAgain(touched) : ok(undefined);
}

/** The morning view: what can I merge? */
import type { Recorded } from '../events.ts';
import { storeOf } from '../journal/index.ts';
import { type Branch, branchFor, branchOf, byNeed, headline, lookAtFirst, nextOf } from '../morning/index.ts';
import { plural, showCost } from '../util/show.ts';
import type { Library, Look } from './all-runs.ts';
import { verdictRow } from './iteration-row.ts';
import { endOf, lettersOf } from './run-row.ts';
import { fitTape } from './tape.ts';
import type { DossierView, LookView, MorningView } from './types/repository.ts';

const TAPE = 400;
const MOST_RUNS = 200;
const LOOKED_AT = 500;
const REFUSED = 40;

export async function morningView(library: Library, since: number): Promise<MorningView> {
  const branches: Branch[] = [];
  for (const located of library.runs().slice(0, MOST_RUNS)) {
    // Runs of other worktrees have their own morning view.
    if (located.place.name !== null) continue;
    const look = library.look(located);
    if (look.facts.state.run === '') continue;
    if (look.facts.state.lastAt < since && !look.owner) break;
    branches.push(await branchIn(library, look));
  }
  const dossiers = byNeed(branches).map(branch => dossierOf(library, branch));
  const needed = dossiers.filter(({ needsPerson }) => needsPerson).length;
  const cost = dossiers.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const done = dossiers.reduce((sum, { counts }) => sum + counts.done, 0);
  const words = [
    plural(dossiers.length, 'run'),
    `${plural(done, 'item')} proven`,
    ...(cost > 0 ? [showCost(cost)] : []),
    needed === 0 ? 'nobody is needed' : `${needed === 1 ? '1 needs' : `${needed} need`} you`,
  ];
  return {
    sentence: dossiers.length === 0 ? 'No run since then.' : `${words.join(', ')}.`,
    since,
    needed,
    branches: dossiers,
  };
}

async function branchIn({ project }: Library, look: Look): Promise<Branch> {
  const { state } = look.facts;
  const { tip, heir } = await branchFor(project, state);
  return await branchOf(project, {
    state,
    records: lastRecords(look),
    tip,
    isLive: look.owner !== undefined,
    ...(heir === undefined ? {} : { heir }),
  });
}

/** The records of the newest iterations only: older ones rarely matter, and a year of a run does not fit into memory. */
function lastRecords({ facts, place, run }: Look): readonly Recorded[] {
  const records: Recorded[] = [];
  const from = facts.rows.length > LOOKED_AT ? facts.rows[facts.rows.length - LOOKED_AT]?.place : undefined;
  storeOf(place.folder).readJournal(run, record => records.push(record), from);
  return records;
}

function dossierOf(library: Library, branch: Branch): DossierView {
  const { state, view, past, diff, place, isLive } = branch;
  const { rows: _, ...counts } = view;
  const { lines, isNeeded } = nextOf(branch);
  const located = library.find(state.run);
  const look = located && library.look(located);
  const { tape, scale } = fitTape(look ? lettersOf(look) : '', TAPE);
  return {
    id: state.run,
    run: state.run,
    name: state.plan.name,
    plan: state.plan.path,
    branch: state.branch,
    from: state.from || null,
    place: isLive ? 'live' : place,
    needsPerson: isNeeded,
    headline: headline(branch),
    counts,
    commits: branch.commits,
    diff: diff ?? null,
    activeMs: state.activeMs,
    costUsd: state.costUsd,
    lastAt: state.lastAt,
    finished: endOf(state),
    final: past.final,
    tape,
    tapeScale: scale,
    look: lookAtFirst(branch).map(text => lookView(text, branch)),
    refused: (look?.facts.rows ?? [])
      .filter(({ verdict }) => verdict === 'rejected')
      .slice(-REFUSED)
      .toReversed()
      .map(verdictRow),
    next: lines,
  };
}

/** Finds the item and the iteration that a text mentions. */
function lookView(text: string, { view, past }: Branch): LookView {
  const words = ` ${text} `.replaceAll(/[:,;]/g, ' ');
  const item = view.rows.find(({ id }) => words.includes(` ${id} `))?.id ?? null;
  const named = /\(iteration (\d+)\)/.exec(text)?.[1] ?? /iterations? (\d+)/.exec(text)?.[1];
  const last = item === null ? undefined : past.attempts.findLast(attempt => attempt.item === item)?.iteration;
  return { text, item, n: named === undefined ? (last ?? null) : Number(named) };
}

/** Morning: what can I merge? */
import { branchesSince, headline, lookAtFirst, nextOf } from '../morning/index.ts';
import { plural, showCost } from '../util/show.ts';
import type { Library } from './library.ts';
import { verdictRow } from './row.ts';
import { endOf, lettersOf } from './run-row.ts';
import { fitTape } from './tape.ts';
import type { DossierView, LookView, MorningView } from './types/repository.ts';

type Branch = Awaited<ReturnType<typeof branchesSince>>[number];

const TAPE = 400;
const REFUSED = 40;

export async function morningView(library: Library, since: number): Promise<MorningView> {
  const branches = await branchesSince(library.project, since);
  const dossiers = branches.map(branch => dossierOf(library, branch));
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
    from: state.from ?? null,
    place: isLive ? 'live' : place,
    needsPerson: isNeeded,
    headline: headline(branch),
    counts,
    commits: state.commits,
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

/** The words name their item, and most of them its iteration. */
function lookView(text: string, { view, past }: Branch): LookView {
  const item = view.rows.find(({ id }) => ` ${text} `.replaceAll(/[:,;]/g, ' ').includes(` ${id} `))?.id ?? null;
  const named = /\(iteration (\d+)\)/.exec(text)?.[1] ?? /iterations? (\d+)/.exec(text)?.[1];
  const last = item === null ? undefined : past.attempts.findLast(attempt => attempt.item === item)?.iteration;
  return { text, item, n: named === undefined ? (last ?? null) : Number(named) };
}

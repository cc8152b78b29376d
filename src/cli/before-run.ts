/** `ralph status` before any run has a journal: one is starting, or only the plan is known. */
import { liveSeats } from '../journal/index.ts';
import { type OpenPlan, tally } from '../plan/index.ts';
import { isAlive } from '../process/index.ts';
import { startingText, statusJson } from '../report/index.ts';
import { meantPlan, openProject, type Project } from '../start/index.ts';
import { fold } from '../state.ts';
import { plain } from '../util/show.ts';
import { repoPath } from '../workspace/index.ts';
import { liveNow } from './live-now.ts';

export interface BeforeRun {
  readonly text: string;
  readonly isKnown: boolean;
}

/** Undefined if there is nothing to print. */
export async function beforeRun({ json }: { readonly json: boolean }): Promise<BeforeRun | undefined> {
  const opened = await openProject({ cwd: process.cwd(), env: process.env });
  if (!opened.ok) return undefined;
  const project = opened.value;
  const starting = startingIn(project);
  const meant = meantPlan(project);
  const plan = meant.ok ? meant.value.plan : undefined;
  const isKnown = starting !== undefined || plan?.document.begin !== undefined;
  if (json) return { isKnown, text: asJson(project, { starting, plan }) };
  if (starting) return { isKnown, text: startingText({ ...starting, now: Date.now() }) };
  return plan && isKnown ? { isKnown, text: planAlone(plan) } : undefined;
}

type Starting = Pick<Parameters<typeof startingText>[0], 'owner' | 'live'>;

/** The first run of the repository, before it has a journal. */
function startingIn({ folder }: Project): Starting | undefined {
  const [newest] = liveSeats(folder, { isAlive });
  if (!newest) return undefined;
  const { owner, seat } = newest;
  const { process: its, command, since } = owner;
  const live = liveNow(seat, { pid: its.pid, state: undefined });
  return live.runner ? { owner: { pid: its.pid, command, since }, live } : undefined;
}

function asJson(
  { repository }: Project,
  { starting, plan }: { readonly starting: Starting | undefined; readonly plan: OpenPlan | undefined },
): string {
  const about = plan && {
    path: repoPath(repository, plan.path) ?? plan.path,
    format: plan.plan.format,
    name: plan.plan.name,
  };
  const empty = fold([]);
  const state = about ? { ...empty, plan: about } : empty;
  const { owner, live } = starting ?? {};
  return JSON.stringify(statusJson({ state, items: plan?.plan.items ?? [], records: [], owner, live }), undefined, 2);
}

/** The state of a plan whose own file holds all states, without any run. */
function planAlone({ plan: { items, name } }: OpenPlan): string {
  const { done, total } = tally(items);
  const rows = items.map(
    item =>
      `  ${item.status.padEnd(12)} ${plain(item.id)}  ${plain(item.title)}${item.attempts ? ` (attempts: ${item.attempts})` : ''}`,
  );
  return [`${plain(name)}: ${done} of ${total} done, no run yet`, '', ...rows].join('\n');
}

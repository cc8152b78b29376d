/** Creates the session of one run from everything prepared for it. */
import { isAbsolute, join, relative } from 'node:path';
import type { Templates } from '../brief/index.ts';
import type { EventSink } from '../events.ts';
import type { AskedReviews } from '../evidence/index.ts';
import { type JournalWriter, runFolder, type Store, storeOf } from '../journal/index.ts';
import { type Ask, renderingPaths, Session } from '../loop.ts';
import { planBefore } from '../memory/index.ts';
import type { OpenPlan } from '../plan/index.ts';
import { isAlive, Stopper, self } from '../process/index.ts';
import type { Clock } from '../protocol.ts';
import { limitClock, limitsFolder } from '../retry/index.ts';
import type { ChosenAgents, ChosenReviewer, ChosenSandbox, Found, OpenWorkspace, Project } from '../start/index.ts';
import { fold } from '../state.ts';
import { systemClock } from '../util/clock.ts';
import { type Repository, repoPath, type Workspace } from '../workspace/index.ts';
import { ownedConfig, planInWorktree, planPlace } from './hand-over.ts';

interface Asked {
  readonly clock?: Clock;
  readonly sinks?: readonly EventSink[];
  readonly stopper?: Stopper;
  readonly once?: boolean;
  readonly reviews?: AskedReviews;
  readonly only?: string;
  readonly ask?: Ask;
}

interface SessionParts {
  readonly project: Project;
  readonly options: Asked;
  readonly found: Found;
  readonly place: OpenWorkspace;
  readonly chosen: ChosenAgents;
  readonly reviewer: ChosenReviewer | undefined;
  readonly templates: Templates;
  readonly sandbox: ChosenSandbox;
  readonly store: Store;
  readonly journal: JournalWriter;
}

export async function openSession({
  project,
  options,
  found,
  place,
  chosen,
  reviewer,
  templates,
  store,
  sandbox: { sandbox },
  journal,
}: SessionParts): Promise<Session> {
  const { repository, settings, folder, env } = project;
  const { workspace, vault } = place;
  const { plan, state } = found;
  const { clock = systemClock } = options;
  const isolated = workspace.root !== repository.root;
  const planPath = repoPath(repository, plan.path);
  const moved = isolated && planPath !== undefined ? planPath : undefined;
  const config = settings.file
    ? ownedConfig({ file: settings.file, from: repository.root, to: workspace.root })
    : undefined;
  // A new run includes the person's uncommitted edits of the plan, if its branch has the same committed version.
  const asGiven = !state && moved !== undefined && (await isCommittedAlike(workspace, repository, moved));
  const opened = moved === undefined ? plan : planInWorktree(plan, { path: join(workspace.root, moved), asGiven });
  const seen = seenBefore(plan, opened, runFolder(folder, found.run));
  const { inTree, owned, link } = await planPlace(workspace, opened.path);
  return new Session({
    folder,
    settings,
    agent: chosen.agent,
    agentOptions: chosen.options,
    fallbacks: chosen.fallbacks,
    ...(chosen.retrier ? { retrier: chosen.retrier } : {}),
    limits: limitClock({ folder: limitsFolder(env), now: () => clock.now(), me: self(), isAlive }),
    ...(reviewer ? { reviewers: [reviewer, ...reviewer.fallbacks] } : {}),
    store,
    journal,
    state: state ?? fold([]),
    workspace,
    vault,
    carry: place.carry,
    plan: opened,
    planInTree: inTree,
    planLink: link,
    otherPlans: otherPlans(project, plan),
    ownedInTree: [
      ...owned,
      ...(config ? [relative(workspace.root, config.file)] : []),
      ...renderingPaths(plan, repository.root),
    ],
    ...(config ? { config } : {}),
    ...(moved === undefined ? {} : { checkoutPlan: { path: plan.path, seen, taken: seen } }),
    templates,
    ...(sandbox ? { sandbox } : {}),
    env,
    clock,
    sinks: options.sinks ?? [],
    stopper: options.stopper ?? new Stopper(),
    once: options.once ?? false,
    ...(options.reviews ? { reviews: options.reviews } : {}),
    ...(options.only === undefined ? {} : { only: options.only }),
    ...(options.ask ? { ask: options.ask } : {}),
  });
}

/** How many plans are looked at; nobody works on more at a time. */
const LOOKED_AT = 24;

/** Those of other runs, the last ones worked on, and the configured one. */
function otherPlans({ folder, repository, settings }: Project, plan: OpenPlan): readonly string[] {
  // A run of words has no file of a person's.
  const ran = storeOf(folder)
    .runsWithPlans()
    .flatMap(({ plan: path }) => (path === '' || path.startsWith('"') || isAbsolute(path) ? [] : [path]));
  const own = repoPath(repository, plan.path);
  const all = new Set([...(settings.plan === undefined ? [] : [settings.plan]), ...ran]);
  return [...all].filter(path => path !== own).slice(0, LOOKED_AT);
}

async function isCommittedAlike(workspace: Workspace, { git }: Repository, path: string): Promise<boolean> {
  const tip = await workspace.tip();
  return tip.ok && (await git.text('diff', '--quiet', 'HEAD', tip.value, '--', `:(literal)${path}`)).ok;
}

/** Items that the person added after the branch got its copy count as an edit during the run, of the plan that it began with. */
function seenBefore(persons: OpenPlan, runs: OpenPlan, folder: string): Buffer {
  const known = new Set(runs.plan.ids);
  return persons.plan.ids.every(id => known.has(id)) ? persons.bytes : (planBefore(folder, persons.path) ?? NOTHING);
}

const NOTHING = Buffer.alloc(0);

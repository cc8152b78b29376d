/** `ralph brief`: the exact prompt that the next iteration on an item would get. */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DEFAULT_BUDGET, explainBrief } from '../brief/index.ts';
import { withGoal } from '../config/index.ts';
import { readRunFast } from '../journal/index.ts';
import { composeBrief, itemGates } from '../loop.ts';
import { pickNext } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import { findRun, identityOf, openMemory, openProject, readTemplates, runnablePlan } from '../start/index.ts';
import { fold, itemOf, statusIn } from '../state.ts';
import { nearest } from '../util/suggest.ts';
import { repoPath } from '../workspace/index.ts';
import { type Handler, switchFlag, textFlag } from './command.ts';
import { complain, note, printOnce } from './print.ts';

/** Files that agents read on their own, in addition to the brief. */
const AUTO_LOADED = ['AGENTS.md', 'CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', 'GEMINI.md'];

export const brief: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env, withoutGit: true });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { folder, repository } = project.value;
  const meant = runnablePlan(project.value, textFlag(call, 'plan'));
  if (!meant.ok) return complain(meant.error.failure, meant.error.exit);
  const { plan, notes } = meant.value;
  note(notes);
  const templates = readTemplates(folder);
  if (!templates.ok) return complain(templates.error);
  const { items } = plan.plan;
  const path = repoPath(repository, plan.path);
  const run = findRun(folder, identityOf(project.value, meant.value), readRunFast);
  if (!run.ok) return complain(run.error, 4);
  const state = run.value ?? fold([]);
  const settings = withGoal(project.value.settings, state.until);
  const status = (item: Item) => statusIn(state, item);
  const [wanted] = call.args;
  const item =
    wanted === undefined ? pickNext({ items, status }).next : items.find(candidate => candidate.id === wanted);
  if (!item) {
    if (wanted === undefined) return complain({ reason: 'nothing-left', message: 'no item is left to work on' }, 1);
    const near = nearest(
      wanted,
      items.map(candidate => candidate.id),
    );
    return complain({
      reason: 'no-item',
      message: `the plan has no item "${wanted}"`,
      hint: near ? `Did you mean ${near}?` : 'See: ralph check',
    });
  }
  const known = itemOf(state, item.id);
  const config = settings.file === undefined ? [] : [relative(repository.root, settings.file)];
  const made = composeBrief(
    {
      state,
      settings,
      workspace: { root: repository.root },
      plan,
      itemGates: itemGates(settings, plan),
      options: {
        planInTree: path,
        ownedInTree: path === undefined ? config : [path, ...config],
        folder,
        templates: templates.value,
      },
    },
    {
      item,
      iteration: state.iterations + 1,
      attempt: known.attempts + 1,
      carried: known.carry !== undefined,
      lessons:
        openMemory(project.value)?.recall({
          item,
          plan: plan.plan.items,
          budgetTokens: DEFAULT_BUDGET.lessons,
          now: Date.now(),
        }) ?? [],
    },
  );
  printOnce(switchFlag(call, 'explain') ? explainBrief(made, autoLoaded(repository.root)) : made.text);
  return 0;
};

function autoLoaded(root: string): readonly { path: string; bytes: number }[] {
  return AUTO_LOADED.flatMap(path => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    return found?.isFile() ? [{ path, bytes: found.size }] : [];
  });
}

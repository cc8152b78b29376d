/** `ralph review` in a terminal: for each branch its diffs, and a decision. Each answer runs the command of that name. */
import { type Branch, headline, itemDiffs, nextOf, patchOf } from '../morning/index.ts';
import { diffText, painter, say, screensOf, wrapText } from '../report/index.ts';
import type { Project } from '../start/index.ts';
import { plural } from '../util/show.ts';
import { columnsOf, complain, print, wantsColor } from './print.ts';
import { askLine } from './terminal-questions.ts';

/** What follows a choice: the next branch, the same branch again, or the end. */
type Step = 'next' | 'again' | 'quit';

interface Choice {
  readonly key: string;
  /** With the key in brackets. */
  readonly name: string;
  readonly take: () => Promise<Step>;
}

export async function takeDecisions(project: Project, branches: readonly Branch[]): Promise<number> {
  const waiting = branches.filter(branch => nextOf(branch).isNeeded);
  for (const [at, branch] of waiting.entries()) {
    const paint = painter({ color: wantsColor() });
    const title = paint('strong', say(branch.state.branch));
    print(wrapText(`\n${title} (${at + 1} of ${waiting.length}): ${headline(branch)}`, columnsOf() ?? 80));
    let step: Step = 'again';
    while (step === 'again') step = await decide(choicesFor(project, branch));
    if (step === 'quit') return 0;
  }
  return 0;
}

async function decide(choices: readonly Choice[]): Promise<Step> {
  const typed = await askLine(`${choices.map(({ name }) => name).join(', ')}? `);
  if (typed === undefined) return 'quit';
  const word = typed.toLowerCase() || 'n';
  const chosen = choices.find(({ key, name }) => word === key || word === name.replace(/[[\]]/g, ''));
  if (chosen) return await chosen.take();
  print(`Type one of the letters in brackets: ${choices.map(({ key }) => key).join(', ')}.`);
  return 'again';
}

/** Only the choices that are possible for this branch. */
function choicesFor(project: Project, branch: Branch): readonly Choice[] {
  const { state } = branch;
  const { run } = state;
  const doneWith = (exit: number): Step => (exit === 0 ? 'next' : 'again');
  const hasOwn = state.commits > 0 && state.from !== undefined;
  const all: readonly (Choice & { readonly can: boolean })[] = [
    {
      key: 'd',
      name: '[d]iff',
      can: itemDiffs(branch).length > 0,
      take: async () => ((await pageDiffs(project, branch)) === 'left' ? 'quit' : 'again'),
    },
    {
      key: 'm',
      name: '[m]erge',
      can: hasOwn && state.from !== '',
      take: async () =>
        doneWith(await (await import('./merge.ts')).mergeNow(project, { run, into: undefined, how: 'auto' })),
    },
    {
      key: 'c',
      name: 'dis[c]ard',
      can: hasOwn,
      take: async () => doneWith(await (await import('./discard.ts')).discardNow(project, run)),
    },
    {
      key: 'p',
      name: '[p]r',
      can: hasOwn && state.from !== '',
      take: async () =>
        doneWith(await (await import('./pr.ts')).prNow(project, { run, into: undefined, onlyPrint: false })),
    },
    { key: 'r', name: '[r]etry', can: true, take: async () => await retryAnItem(project, branch) },
    { key: 'n', name: '[n]ext', can: true, take: () => Promise.resolve('next') },
    { key: 'q', name: '[q]uit', can: true, take: () => Promise.resolve('quit') },
  ];
  return all.filter(({ can }) => can);
}

/** Asks about the same branch again afterwards, because several items may need a retry. */
async function retryAnItem(project: Project, { state, view }: Branch): Promise<Step> {
  const first = view.rows.find(row => row.status === 'blocked')?.id;
  const named = await askLine(`Which item${first === undefined ? '' : ` (${say(first, 60)})`}? `);
  if (named === undefined) return 'quit';
  const item = named || first;
  if (item === undefined) return 'again';
  const hint = await askLine('What was missing, for the next brief? ');
  if (hint === undefined) return 'quit';
  // The run's id finds its plan from any folder.
  await (await import('./retry.ts')).retryNow(project, { item, plan: state.run, hint });
  return 'again';
}

/** Rows that the prompt needs. */
const KEPT_ROWS = 2;

/** `left`: the person is gone; `back`: everything, or enough, was shown. */
async function pageDiffs(project: Project, branch: Branch): Promise<'back' | 'left'> {
  const all = itemDiffs(branch);
  const color = wantsColor();
  for (const [at, { commit, evidence }] of all.entries()) {
    const patch = await patchOf(project, commit);
    if (!patch.ok) {
      complain(patch.error);
      continue;
    }
    const title = painter({ color })('strong', `${at + 1} of ${all.length}  ${evidence}`);
    const isLast = at === all.length - 1;
    const end = await pageText(`${title}\n\n${diffText(patch.value, { color })}`, isLast);
    if (end !== 'read') return end;
  }
  return 'back';
}

async function pageText(text: string, isLast: boolean): Promise<'read' | 'back' | 'left'> {
  const size = { columns: columnsOf() ?? 80, rows: Math.max(3, (process.stdout.rows || 24) - KEPT_ROWS) };
  const screens = screensOf(text, size);
  for (const [at, screen] of screens.entries()) {
    print(screen);
    const left = screens.length - at - 1;
    if (left === 0 && isLast) return 'read';
    const next = left > 0 ? `Enter: ${plural(left, 'more screen')}, [n]ext item` : 'Enter: next item';
    const typed = await askLine(`${next}, [b]ack? `);
    if (typed === undefined) return 'left';
    const word = typed.toLowerCase();
    if (word === 'b' || word === 'q') return 'back';
    if (word === 'n') return 'read';
  }
  return 'read';
}

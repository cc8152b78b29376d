/** `ralph review` in a terminal: branch by branch, its diffs and what is to become of it. Each answer is the command of that name. */
import { type Branch, headline, itemDiffs, nextOf } from '../morning/index.ts';
import { painter, say, wrapText } from '../report/index.ts';
import type { Project } from '../start/index.ts';
import { pageDiffs } from './page-diffs.ts';
import { askLine } from './person.ts';
import { columnsOf, print, wantsColor } from './print.ts';

/** After it the next branch comes; `again` asks about the same one once more. */
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

/** Only what can be done with this one. */
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

/** Several items of a branch may want it, so the same branch is asked about again. */
async function retryAnItem(project: Project, { state, view }: Branch): Promise<Step> {
  const first = view.rows.find(row => row.status === 'blocked')?.id;
  const named = await askLine(`Which item${first === undefined ? '' : ` (${say(first, 60)})`}? `);
  if (named === undefined) return 'quit';
  const item = named || first;
  if (item === undefined) return 'again';
  const hint = await askLine('What was missing, for the next brief? ');
  if (hint === undefined) return 'quit';
  // The run itself names its plan wherever this is called from.
  await (await import('./retry.ts')).retryNow(project, { item, plan: state.run, hint });
  return 'again';
}

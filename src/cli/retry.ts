/** `ralph retry`: tries an item again from its first attempt, with a person's hint. */
import { storeOf } from '../journal/index.ts';
import { actorHere } from '../process/index.ts';
import { findRun, goOnCommand, identityOf, type Meant, meantPlan, openProject, type Project } from '../start/index.ts';
import { plain } from '../util/show.ts';
import { askRun } from './ask-run.ts';
import { itemsMeant } from './blocked-items.ts';
import { type Handler, textFlag } from './command.ts';
import { markItem } from './mark.ts';
import { complain, print } from './print.ts';

export const retry: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, 2);
  const items = itemsMeant(call, project.value);
  if (!items.ok) return complain(items.error.failure, items.error.exit);
  if (items.value.length === 0) print('No item is blocked.');
  for (const item of items.value) {
    const [plan, hint, confirm] = [textFlag(call, 'plan'), textFlag(call, 'with'), textFlag(call, 'confirm')];
    const code = await retryNow(project.value, { item, plan, hint, confirm });
    if (code !== 0) return code;
  }
  return 0;
};

interface Retried {
  readonly item: string;
  readonly plan: string | undefined;
  readonly hint: string | undefined;
  readonly confirm?: string | undefined;
}

export async function retryNow(project: Project, { item, plan, hint = '', confirm }: Retried): Promise<number> {
  const said = { type: 'item.retried', item, hint, actor: actorHere() } as const;
  const marked = markItem({ project, plan, wanted: { id: item, to: 'pending', at: Date.now() }, said });
  if (!marked.ok) return complain(marked.error.failure, marked.error.exit);
  const owner = marked.value;
  const again = `${plain(item)} will be tried again from its first attempt`;
  const brief = hint ? ', and the next brief says so' : '';
  if (owner) {
    const order = { type: 'retry', item, hint } as const;
    const asked = await askRun(project.folder, owner, order, confirm);
    if (!asked.ok) return complain(asked.error.failure, asked.error.exit);
    print(`${again}${brief}, after the current iteration (pid ${owner.process.pid}).`);
    return 0;
  }
  const meant = meantPlan(project, plan);
  if (!meant.ok) return complain(meant.error.failure, meant.error.exit);
  // A complete run is not resumed: the next run takes the hint from the inbox.
  if (hint && isOver(project, meant.value))
    storeOf(project.folder).send({ type: 'retry', item, hint }, { actor: actorHere() });
  print(`${again}${brief}. Continue with: ${goOnCommand(project, meant.value)}`);
  return 0;
}

function isOver(project: Project, meant: Meant): boolean {
  const run = findRun(project.folder, identityOf(project, meant));
  return run.ok && (run.value === undefined || run.value.finished?.reason === 'complete');
}

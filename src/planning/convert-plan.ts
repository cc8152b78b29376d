/** A plan in another format: the new text, and everything that the new text does not contain. */
import { formats, nameTasks, type OpenPlan, readTasks, scanMarkdown } from '../plan/index.ts';
import type { Item, Plan } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import type { PlanTarget } from './brief.ts';
import { lostBetween } from './compare-items.ts';
import { around } from './import-tasks.ts';
import type { Lost } from './lost.ts';
import { readExtras } from './unread-keys.ts';
import { writeChecklist } from './write-checklist.ts';
import { writePrd } from './write-prd.ts';

export interface Converted {
  readonly text: string;
  readonly lost: readonly Lost[];
  /** The items as the new plan has them. */
  readonly items: readonly Item[];
}

/** Pure, except for the plan that was opened. Whatever is lost is found by reading the new text back. */
export function convertPlan(open: OpenPlan, to: PlanTarget): Result<Converted> {
  const { plan, decoded } = open;
  const broken = plan.problems.find(({ level }) => level === 'error');
  if (broken) {
    const { message, line, column } = broken;
    return fail<Failure>({ reason: 'plan-invalid', message, file: plan.path, line, column });
  }
  if (plan.format === to)
    return fail<Failure>({ reason: 'same-format', message: `this is a ${to} already`, file: plan.path });
  if (plan.repeats) {
    const hint = 'Make a plan of it with: ralph plan --from PROMPT.md';
    return fail<Failure>({ reason: 'no-items', message: 'a prompt has no items', file: plan.path, hint });
  }
  const { project, description, lost } = extrasOf(open, decoded.text);
  const items = to === 'checklist' ? orderOfWork(plan.items) : plan.items;
  const text =
    to === 'checklist'
      ? writeChecklist({ heading: project, description, items })
      : writePrd({ project, description, items });
  const noFiles = { read: () => undefined, isFolder: () => false, list: () => [] };
  const read = formats.find(({ name }) => name === to)?.parse(text, '', noFiles).plan.items ?? [];
  return ok({ text, items: read, lost: [...lost, ...lostBetween(items, read)] });
}

interface Extras {
  readonly project: string;
  readonly description: string;
  readonly lost: readonly Lost[];
}

/** What the plan has besides its items. */
function extrasOf({ plan }: OpenPlan, text: string): Extras {
  switch (plan.format) {
    case 'prd': {
      const extras = readExtras(text);
      return { ...extras, project: extras.project || plan.name };
    }
    case 'checklist': {
      const scan = scanMarkdown(text);
      const { description, notCarried } = around(
        text,
        readTasks(nameTasks(scan.boxes), scan.heading).tasks,
        scan.heading,
      );
      return { project: scan.heading, description, lost: notCarried };
    }
    case 'sprint':
    case 'groups': {
      const what = `everything of the ${plan.format} but its items: its own files, their state and its instructions`;
      return { project: plan.name, description: '', lost: [{ what }] };
    }
    default:
      return { project: plan.name, description: plan.about ?? '', lost: leftOf(plan) };
  }
}

/** What plans of other tools have around their items. */
function leftOf({ items, documents = [] }: Plan): readonly Lost[] {
  const prose = items.some(({ section = '' }) => section !== '');
  const names = documents.map(({ path }) => path);
  return [
    ...(prose ? [{ what: 'the prose of its sections' }] : []),
    ...(names.length > 0 ? [{ what: `the documents it comes with: ${names.slice(0, 5).join(', ')}` }] : []),
  ];
}

/** Lowest priority first, ties in file order, each after what it depends on; circles last. */
function orderOfWork(items: readonly Item[]): readonly Item[] {
  const ids = new Set(items.map(({ id }) => id));
  const done = new Set<string>();
  const left = items.toSorted(
    (a, b) => (a.priority ?? Number.POSITIVE_INFINITY) - (b.priority ?? Number.POSITIVE_INFINITY) || 0,
  );
  const order: Item[] = [];
  for (;;) {
    const next = left.findIndex(({ dependsOn }) => dependsOn.every(id => done.has(id) || !ids.has(id)));
    const [item] = next < 0 ? [] : left.splice(next, 1);
    if (item === undefined) return [...order, ...left];
    order.push(item);
    done.add(item.id);
  }
}

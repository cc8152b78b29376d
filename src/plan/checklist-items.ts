/** Turns task boxes into items. */
import type { Item, ItemStatus, Problem } from '../protocol.ts';
import { once } from '../util/once.ts';
import { allowProblem } from './allow.ts';
import { checkDependencies } from './dependencies.ts';
import { type Box, linesUnder } from './markdown.ts';
import type { Prose } from './markdown-prose.ts';
import { explainsBox, isLegend, type MarkerKind, readTaskText, slugOf, type TaskText, taskName } from './task-text.ts';
import { type TakenIds, uniqueId } from './unique-id.ts';

/** An item of a checklist with the box it was read from. */
export interface Task {
  readonly item: Item;
  readonly box: Box;
  readonly text: TaskText;
}

/** A box with its id, before the rest of it is parsed. */
export interface Named<B = Box> {
  readonly box: B;
  readonly id: string;
  /** The id written in the task's own text, if there is one. */
  readonly own: string | undefined;
}

export interface Tasks {
  readonly tasks: readonly Task[];
  readonly problems: readonly Problem[];
}

const SUPERSEDED = /\b(?:superseded|cancell?ed|dropped|obsolete|abandoned|duplicate|won['’]?t (?:fix|do))\b/i;

/** Gives every box its id; boxes of a legend are left out. */
export function nameTasks<B extends Pick<Box, 'text' | 'section'>>(boxes: readonly B[]): readonly Named<B>[] {
  const taken: TakenIds = new Map();
  const named: Named<B>[] = [];
  let [section, isExplained]: [Box['section'], boolean] = [[], false];
  for (const box of boxes) {
    // Boxes of one section share its headings.
    if (box.section !== section) {
      section = box.section;
      isExplained = section.some(name => /\blegend\b|^key$/i.test(name));
    }
    if (isExplained ? explainsBox(box.text) : isLegend(box.text)) continue;
    const name = taskName(box.text);
    const wanted = name.id ?? slugOf(name.title);
    named.push({ box, id: uniqueId(taken, wanted, '-'), own: name.id });
  }
  return named;
}

/** The error for an `allow` entry that names no guard. */
export function allowError({ box, id }: Named): Problem | undefined {
  if (box.allow.length === 0) return undefined;
  const wrong = box.allow.map(allowProblem).find(problem => problem !== undefined);
  return wrong === undefined ? undefined : { level: 'error', ...placeOf(box), message: `${id}: ${wrong}` };
}

const placeOf = ({ line, lead }: Box) => ({ line, column: lead.length + 1 });

/** Reads every task and the problems found in it. */
export function readTasks(named: readonly Named[], heading: string, prose?: () => Prose): Tasks {
  const problems: Problem[] = [];
  const tasks = named.map(each => {
    const { box, id, own } = each;
    const warn = (message: string) => problems.push({ level: 'warning', ...placeOf(box), message });
    if (own !== undefined && id !== own) warn(`the id "${own}" is used more than once; this one is "${id}"`);
    const error = allowError(each);
    if (error) problems.push(error);
    const { task, warning } = readTask(each, heading, prose);
    if (warning !== undefined) warn(`${id}: ${warning}`);
    return task;
  });
  if (tasks.some(({ item }) => item.dependsOn.length > 0))
    problems.push(...checkDependencies(tasks.map(({ item }) => item)));
  return { tasks, problems };
}

/** Reads one task, and warns about an unusual state. */
export function readTask(
  { box, id }: Named,
  heading: string,
  prose: (() => Prose) | undefined,
): { readonly task: Task; readonly warning: string | undefined } {
  const text = readTaskText(box.text);
  const state = stateOf(box, text);
  return { task: { item: itemOf({ box, text, id, state, heading, prose }), box, text }, warning: state.warning };
}

interface TaskState {
  readonly status: ItemStatus;
  readonly note?: string;
  readonly warning?: string;
}

function stateOf(box: Box, text: TaskText): TaskState {
  const marker = (kind: MarkerKind) => text.markers.find(found => found.kind === kind);
  const stepped = marker('blocked') ?? marker('skipped');
  switch (box.mark) {
    case 'x':
    case 'X':
      if (marker('needs-fix')) return { status: 'pending' };
      if (stepped) return { status: 'done', warning: `ticked and marked as ${stepped.kind}; the tick decides` };
      return { status: 'done' };
    case '-':
      return { status: 'skipped', note: 'marked [-]', warning: 'a [-] box counts as skipped' };
    case '~':
      if (stepped) break;
      if (SUPERSEDED.test(box.text)) {
        return { status: 'skipped', note: 'marked [~]', warning: 'this [~] box counts as skipped: its text says so' };
      }
      // The note sorts it after open items: some people write [~] for "given up".
      return {
        status: 'in-progress',
        note: 'marked [~]',
        warning: 'a [~] box counts as in progress and is picked after the open ones',
      };
    case ' ':
    case '':
      break;
  }
  if (stepped?.kind === 'blocked' || stepped?.kind === 'skipped') {
    return { status: stepped.kind, ...(stepped.why !== '' && { note: stepped.why }) };
  }
  if (text.struck) return { status: 'skipped', note: text.remark || 'struck out' };
  const warning = box.mark === '' ? 'an empty box [] counts as open' : undefined;
  return { status: 'pending', ...(warning !== undefined && { warning }) };
}

interface ItemInput {
  readonly box: Box;
  readonly text: TaskText;
  readonly id: string;
  readonly state: TaskState;
  readonly heading: string;
  readonly prose: (() => Prose) | undefined;
}

function itemOf({ box, text, id, state, heading, prose }: ItemInput): Item {
  // Lazy: of thousands of items only one is usually shown.
  const body = once(() => bodyOf(box, heading));
  const criteria = once(() => box.inner.map(words => readTaskText(words).title));
  return {
    id,
    title: text.title,
    status: state.status,
    dependsOn: waitsIn(box),
    line: box.line,
    get body() {
      return body();
    },
    get criteria() {
      return criteria();
    },
    get section() {
      return prose?.().sectionOf(box.line) ?? '';
    },
    verify: box.verify,
    changeOptional: false,
    ...(box.allow.length > 0 && { allow: box.allow }),
    ...(state.note !== undefined && { note: state.note }),
    ...reviewIn(text),
  };
}

function reviewIn({ markers }: TaskText): Pick<Item, 'reviewed'> {
  const marked = markers.find(({ kind }) => kind === 'reviewed' || kind === 'needs-fix');
  return marked ? { reviewed: marked.kind === 'reviewed' ? 'passed' : 'needs-fix' } : {};
}

function bodyOf(box: Box, heading: string): string {
  // The plan's own title says nothing about a single item.
  const path = box.section.filter(name => name !== heading).join(' > ');
  const section = path === '' ? '' : `Section: ${path}`;
  const under = linesUnder(box).join('\n').trim();
  return [section, under].filter(part => part !== '').join('\n\n');
}

/** `blocked_by: T-1, T-2` and `depends_on: 1.1` under a task of a checklist. */
const WAITS = /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?(?:blocked[_ -]by|depends[_ -]on)(?:\*\*)?:(?:\*\*)?[ \t]*(\S.*)$/i;
const NONE = /^(?:none|nothing|n\/a|-)$/i;

/** The ids named there; an entry with a space in it is prose and stays in the item's text. */
function waitsIn(box: Box): readonly string[] {
  if (!box.under.some(words => /blocked[_ -]by|depends[_ -]on/i.test(words))) return [];
  const named = linesUnder(box)
    .flatMap(line => WAITS.exec(line)?.[1]?.split(/[,;]|\band\b/) ?? [])
    .map(word => word.replace(/[`*[\]"']|\.$/g, '').trim());
  return [...new Set(named.filter(word => word !== '' && !/\s/.test(word) && !NONE.test(word)))];
}

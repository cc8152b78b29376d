/** What an agent can look up: written by the runner before the agent starts, and read by the server inside its sandbox. */
import { readText } from '../util/files.ts';
import { jsonFields } from '../util/json.ts';
import { plural } from '../util/show.ts';

export interface McpContext {
  readonly run: string;
  readonly attempt: number;
  readonly attempts: number;
  readonly item: {
    readonly id: string;
    readonly title: string;
    readonly body: string;
    readonly criteria: readonly string[];
    readonly verify: readonly string[];
  };
  readonly failures: {
    readonly rejected: number;
    /** What the last attempt failed on, longer than a brief has room for. */
    readonly feedback: string;
    /** Where earlier attempts are kept. */
    readonly refs: readonly string[];
  };
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly lessons: readonly { readonly id: string; readonly kind: string; readonly text: string }[];
  readonly plan: {
    readonly path: string;
    readonly name: string;
    readonly items: readonly { readonly id: string; readonly title: string; readonly status: string }[];
  };
}

const MOST_BYTES = 8 * 1024 * 1024;
/** Of the plan, around the item. */
const ITEMS_SHOWN = 200;

/** Undefined where the file is none that a runner wrote. */
export function readContext(file: string): McpContext | undefined {
  const value: Partial<McpContext> = jsonFields(readText(file, MOST_BYTES));
  return value.item && value.failures && value.plan && value.lessons && value.answers
    ? (value as McpContext)
    : undefined;
}

/** What there is to look at, by its name. */
export const VIEWS = {
  item: { about: 'The item of this session: its words, what it is done by, its own checks', text: itemText },
  failures: { about: 'What earlier attempts at this item failed on, and where they are kept', text: failuresText },
  lessons: { about: 'What earlier sessions learned that fits this item', text: lessonsText },
  plan: { about: 'Where the plan stands: every item and its state', text: planText },
} as const;

export type View = keyof typeof VIEWS;

export const isView = (name: unknown): name is View => typeof name === 'string' && Object.hasOwn(VIEWS, name);

function itemText({ item, answers, attempt, attempts }: McpContext): string {
  return sections(
    `# ${item.id}: ${item.title}\n\nAttempt ${attempt} of ${attempts}.`,
    item.body,
    list('It is done when every point holds', item.criteria),
    list(
      'Its own checks, each of which must exit 0',
      item.verify.map(run => `\`${run}\``),
    ),
    list(
      'What was asked about it, and answered',
      answers.map(({ question, answer }) => `${question} ${answer}`),
    ),
  );
}

function failuresText({ failures }: McpContext): string {
  const { rejected, feedback, refs } = failures;
  if (rejected === 0 && feedback === '') return 'No attempt at this item has failed.';
  return sections(
    `${plural(rejected, 'attempt')} rejected so far.`,
    feedback && `The last one:\n\n${feedback}`,
    list(
      'Earlier attempts are kept here',
      refs.map(ref => `\`git show ${ref}\``),
    ),
  );
}

function lessonsText({ lessons }: McpContext): string {
  if (lessons.length === 0) return 'Nothing that was learned here fits this item.';
  return lessons.map(({ id, kind, text }) => `- ${id} (${kind}) ${text}`).join('\n');
}

function planText({ plan, item }: McpContext): string {
  const done = plan.items.filter(({ status }) => status === 'done').length;
  const at = plan.items.findIndex(({ id }) => id === item.id);
  const from = Math.max(0, Math.min(at - ITEMS_SHOWN / 2, plan.items.length - ITEMS_SHOWN));
  const shown = plan.items.slice(from, from + ITEMS_SHOWN);
  return sections(
    `${plan.name || plan.path}: ${done} of ${plural(plan.items.length, 'item')} done.`,
    shown.map(({ id, title, status }) => `- ${id} [${status}] ${title}${id === item.id ? ' (yours)' : ''}`).join('\n'),
    shown.length < plan.items.length ? `${plan.items.length - shown.length} more are in ${plan.path}.` : '',
  );
}

const sections = (...parts: readonly string[]): string => parts.filter(Boolean).join('\n\n');

const list = (heading: string, entries: readonly string[]): string =>
  entries.length === 0 ? '' : `${heading}:\n\n${entries.map(entry => `- ${entry}`).join('\n')}`;

/** What an issue's labels and text say about order: its priority, and what it waits for. */
import { priorityOf } from '../prd-fields.ts';

const PRIORITY = /^(?:priority|prio)[\s:/_-]*(.+)$/i;

/** `P1`, `priority: high`, `priority::2`, `urgent`; the most urgent label counts. */
export function priorityIn(labels: readonly string[]): number | undefined {
  const found = labels.flatMap(label => {
    const named = PRIORITY.exec(label.trim())?.[1];
    const word = (named ?? label).trim().split(/[\s/_-]/, 1)[0] ?? '';
    // A bare number is not a priority label.
    const priority = named === undefined && /^\d/.test(word) ? undefined : priorityOf(word);
    return priority === undefined ? [] : [priority];
  });
  return found.length > 0 ? Math.min(...found) : undefined;
}

/** `blocked`, `status: blocked`, `workflow::blocked`. */
export const blockedLabel = (labels: readonly string[]): string | undefined =>
  labels.find(label => !label.startsWith('ralph:') && /^(?:[\w ]+[:/]+\s*)?blocked$/i.test(label.trim()));

const WAITS =
  /\b(?:blocked[\s-]by|depends[\s-]on|waits?[\s-]for)\b[\s:*_]*((?:(?:#|\S+?\/issues\/)\d+[\s,;&]*(?:and\s+)?)+)/gi;
const LABEL = /^(?:blocked|depends)[\s_-](?:by|on)[\s:/#_-]*(\d+)$/i;
const ISSUE = /(?:#|(\S+?)\/issues\/)(\d+)/g;

/** Numbers of blocking issues of the same project. Fenced and quoted lines are examples; other projects are ignored. */
export function blockersIn({
  body,
  labels,
  url = '',
}: {
  readonly body: string;
  readonly labels: readonly string[];
  readonly url?: string | undefined;
}): readonly string[] {
  const home = url.replace(/\/issues\/\d+$/, '');
  const said = [...outsideFences(body).matchAll(WAITS)].flatMap(([, list = '']) =>
    [...list.matchAll(ISSUE)].flatMap(([, place, id = '']) => (place === undefined || place === home ? [id] : [])),
  );
  const labelled = labels.flatMap(label => LABEL.exec(label.trim())?.[1] ?? []);
  return [...new Set([...said, ...labelled])];
}

function outsideFences(text: string): string {
  let fence = false;
  return text
    .split('\n')
    .filter(line => {
      if (!/^\s*(?:```|~~~)/.test(line)) return !fence && !/^\s*>/.test(line);
      fence = !fence;
      return false;
    })
    .join('\n');
}

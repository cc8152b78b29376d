/** Items as a prd.json. */
import type { Item } from '../protocol.ts';

export interface PrdText {
  readonly project: string;
  readonly description: string;
  readonly items: readonly Item[];
}

/** What is empty is left out, except for the fields that people expect to fill in. */
export function writePrd({ project, description, items }: PrdText): string {
  const document = {
    ...(project === '' ? {} : { project }),
    ...(description === '' ? {} : { description }),
    userStories: items.map(storyOf),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function storyOf(item: Item): object {
  const { id, title, body, criteria, priority, dependsOn, verify, status, note } = item;
  const reason = note === undefined ? {} : status === 'skipped' ? { skipReason: note } : { blockedReason: note };
  return {
    id,
    title,
    description: body,
    acceptanceCriteria: criteria,
    ...(priority === undefined ? {} : { priority }),
    ...(dependsOn.length > 0 ? { dependsOn } : {}),
    ...(verify.length > 0 ? { verify } : {}),
    ...(item.allow === undefined || item.allow.length === 0 ? {} : { allow: item.allow }),
    ...(item.changeOptional ? { changeOptional: true } : {}),
    passes: status === 'done',
    ...(status === 'done' || status === 'pending' ? {} : { status, ...reason }),
  };
}

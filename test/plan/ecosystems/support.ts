import { expect } from 'vitest';
import { pickNext } from '../../../src/plan/next.ts';
import type { Item, Mark, Plan, PlanFiles, PlanFormat } from '../../../src/protocol.ts';
import { texts } from '../texts.ts';

/** Files of a repository, as a plain object. */
export function filesOf(texts: Readonly<Record<string, string>>): PlanFiles {
  const paths = Object.keys(texts);
  return {
    read: path => texts[path],
    isFolder: path => paths.some(each => each.startsWith(`${path}/`)),
    list: folder => [
      ...new Set(
        paths.flatMap(each =>
          each.startsWith(`${folder}/`) ? (each.slice(folder.length + 1).split('/')[0] ?? []) : [],
        ),
      ),
    ],
  };
}

export const nextOf = ({ items }: Plan): Item | undefined => pickNext({ items, status: item => item.status }).next;

export const statuses = ({ items }: Plan): Readonly<Record<string, string>> =>
  Object.fromEntries(items.map(({ id, status }) => [id, status]));

/** Marks, and insists that it worked and that only so many characters are others. */
export function markedIn(
  format: PlanFormat,
  { text, mark, characters }: { readonly text: string; readonly mark: Mark; readonly characters?: number },
): string {
  const result = texts(format).mark(text, mark);
  if (!result.ok) throw new Error(result.error.message);
  if (characters !== undefined) {
    expect(result.value).toHaveLength(text.length);
    expect([...text].filter((letter, at) => letter !== result.value[at])).toHaveLength(characters);
  }
  return result.value;
}

/** "Depends on: US-001, Story 2" to ids. */
import type { RawStory } from './story.ts';

interface Named extends RawStory {
  readonly id: string;
}

export interface Dependencies {
  readonly dependsOn: readonly string[];
  /** What was said about dependencies without naming a story. */
  readonly unresolved: RawStory['depends'];
  /** Words that say more than ids do. */
  readonly words: readonly string[];
}

const NONE = /^[*_(]*(?:none|nothing|no dependencies|n\/a|-|–|—)[.)*_]*$/i;
const RANGE = /^[ \t]*(?:-|–|—|to|through|\.{2,3}|…)[ \t]*$/i;

/** Reads what each story says about others; the names of all are collected once. */
export function dependencyReader(all: readonly Named[]): (story: Named) => Dependencies {
  const byName = new Map<string, number>();
  for (const [index, { id, number }] of all.entries()) {
    byName.set(id.toLowerCase(), index);
    const short = number ?? /0*(\d+)$/.exec(id)?.[1];
    if (short !== undefined && !byName.has(short)) byName.set(short, index);
  }
  return story => findDependencies(story, { all, byName });
}

interface Stories {
  readonly all: readonly Named[];
  /** Positions by id and by number. */
  readonly byName: ReadonlyMap<string, number>;
}

function findDependencies(story: Named, stories: Stories): Dependencies {
  const found: string[] = [];
  const unresolved: { line: number; text: string }[] = [];
  const words: string[] = [];
  for (const said of story.depends) {
    const text = said.text.trim();
    if (text === '' || NONE.test(text)) continue;
    const { ids, rest } = idsIn(text, stories);
    found.push(...ids.filter(id => id !== story.id));
    if (ids.length === 0) unresolved.push(said);
    if (rest !== '') words.push(text);
  }
  return { dependsOn: [...new Set(found)], unresolved, words };
}

/** Every story a text names: by id, by "story 3", or by a bare number where there is nothing else. */
function idsIn(text: string, { all, byName }: Stories): { readonly ids: readonly string[]; readonly rest: string } {
  const numbers = /^[\d\s,.&#]+(?:and[\d\s#]+)?$/i.test(text);
  const pattern = numbers
    ? /\d+(?:\.\d+)*/g
    : /(?:story|task|feature|step|item|requirement|#)[ \t]*#?(\d+(?:\.\d+)*)|[\p{L}\d][\p{L}\d._-]*[\p{L}\d]/giu;
  const ids: string[] = [];
  let rest = text;
  let last: { readonly index: number; readonly end: number } | undefined;
  for (const match of text.matchAll(pattern)) {
    const index = byName.get((match[1] ?? match[0]).toLowerCase());
    // "to" between two ids is itself a word.
    if (index === undefined || (!numbers && /^\d+$/.test(match[0]))) continue;
    rest = rest.replace(match[0], '');
    const from = last && RANGE.test(text.slice(last.end, match.index)) ? last.index + 1 : index;
    for (const story of all.slice(Math.min(from, index), index + 1)) ids.push(story.id);
    last = { index, end: match.index + match[0].length };
  }
  return { ids, rest: rest.replace(/\b(?:and|to|through)\b|[^\p{L}\d]/giu, '') };
}

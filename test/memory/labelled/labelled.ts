/** A labelled set: lessons with a topic each, and plans of items that say which topics they touch. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Item } from '../../../src/protocol.ts';

type Words = Pick<Item, 'title' | 'body' | 'criteria'>;

export interface Query extends Words {
  readonly topics: readonly string[];
  /** All items of its plan, itself among them. */
  readonly plan: readonly Words[];
}

export interface Labelled {
  readonly lessons: readonly { readonly topic: string; readonly text: string }[];
  readonly queries: readonly Query[];
}

/** `topic: text` per lesson, then `# plan`, a line of boilerplate, and `- title | body | topics` per item. */
export function labelled(name: 'held-out' | 'tuning'): Labelled {
  const file = fileURLToPath(new URL(`${name}.txt`, import.meta.url));
  const [first = '', ...plans] = readFileSync(file, 'utf8').split('# plan\n');
  const lessons = linesOf(first.replace('# lessons\n', '')).map(line => {
    const colon = line.indexOf(': ');
    return { topic: line.slice(0, colon), text: line.slice(colon + 2) };
  });
  return { lessons, queries: plans.flatMap(queriesOf) };
}

function queriesOf(text: string): readonly Query[] {
  const [boilerplate = '', ...items] = linesOf(text);
  const criteria = [boilerplate.replace('boilerplate: ', '')];
  const read = items.map(line => {
    const [title = '', body = '', topics = ''] = line.replace('- ', '').split(' | ');
    return { title, body, criteria, topics: topics.split(' ') };
  });
  return read.map(query => ({ ...query, plan: read }));
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter(Boolean);

export interface Found {
  readonly hit: number;
  readonly precision: number;
  /** Lessons shown per item. */
  readonly shown: number;
}

/** Share of the items that were shown a lesson of their topics, and share of what was shown that was of their topics. */
export function judge(
  { queries }: Labelled,
  topicsShown: (query: Query) => readonly string[],
): Found & { readonly missed: readonly string[] } {
  const results = queries.map(query => {
    const shown = topicsShown(query);
    return { query, shown, right: shown.filter(topic => query.topics.includes(topic)).length };
  });
  const sum = (of: (result: (typeof results)[number]) => number) => results.reduce((all, each) => all + of(each), 0);
  const shown = sum(result => result.shown.length);
  return {
    hit: sum(({ right }) => Math.min(1, right)) / results.length,
    precision: shown === 0 ? 0 : sum(({ right }) => right) / shown,
    shown: shown / results.length,
    missed: results.filter(({ right }) => right === 0).map(({ query }) => query.title),
  };
}

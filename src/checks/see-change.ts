/** Reads what the guards look at: both versions of every changed file, and the few unchanged files they need. */
import { answersWanted, lockfilesWanted, shadowedWanted, targetsWanted } from '../audit/index.ts';
import type { Change, GuardInput } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';
import type { Contents } from '../workspace/index.ts';

export interface SeeInput {
  readonly changes: readonly Change[];
  /** Further files that the guards need, by their path in the tree. */
  readonly beside?: readonly string[];
  /** The tree after the change. */
  readonly tree: string;
  readonly contents: (changes: readonly Change[], also: readonly string[]) => Promise<Result<Contents>>;
  readonly testsWith: (tree: string, texts: readonly string[]) => Promise<Result<ReadonlyMap<string, string>>>;
}

export type Seen = Required<Pick<GuardInput, 'text' | 'size' | 'unchanged' | 'linkTarget'>>;

export async function seeChange({
  changes,
  beside: more = [],
  tree,
  contents,
  testsWith,
}: SeeInput): Promise<Result<Seen>> {
  const beside = [
    ...new Set([...lockfilesWanted(changes), ...targetsWanted(changes), ...shadowedWanted(changes), ...more]),
  ];
  const read = await contents(
    changes,
    beside.map(path => `${tree}:${path}`),
  );
  if (!read.ok) return read;
  const { texts, links, sizes, also } = read.value;
  const answers = answersWanted(changes, texts);
  const tests = answers.length === 0 ? ok(new Map<string, string>()) : await testsWith(tree, answers);
  if (!tests.ok) return tests;
  const changed = new Set(changes.map(({ path }) => path));
  const unchanged = new Map([...tests.value].filter(([path]) => !changed.has(path)));
  for (const path of beside) {
    const text = also.get(`${tree}:${path}`);
    if (text !== undefined) unchanged.set(path, text);
  }
  return ok({
    text: path => texts.get(path),
    size: path => sizes.get(path),
    linkTarget: path => links.get(path),
    unchanged,
  });
}

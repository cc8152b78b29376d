/** A repository with a groups plan, and short words for what came of it. */
import { makeRepo, type Repo, type RepoOptions } from '../support/repo.ts';

export interface GroupsOptions extends Omit<RepoOptions, 'plan'> {
  /** Titles, or whole prompts where they begin with a `#` or a front matter. */
  readonly groups: readonly string[];
  /** Whether git sees the state file. */
  readonly tracked?: true;
}

export function makeGroups({ groups, tracked, files = {}, ...rest }: GroupsOptions): Repo {
  const prompts = groups.map((text, index) => [
    `docs/ralph/prompts/group-${index + 1}.md`,
    /^[#-]/.test(text) ? text : `# Group ${index + 1}: ${text}\n\nDo the ${text} part.\n`,
  ]);
  return makeRepo({
    ...rest,
    files: {
      'docs/ralph/shared-context.md': '# Shop — RALPH Shared Context\n\nEverything is about the shop.\n',
      'docs/ralph/RALPH_NOTES.md': '# RALPH Notes\n',
      ...Object.fromEntries(prompts),
      '.gitignore': tracked ? '.ralph/\n' : '.ralph/\n.ralph-tasks.json\n',
      ...files,
    },
  });
}

export interface Group {
  readonly id: number;
  readonly title: string;
  readonly status: string;
  readonly attempts: number;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

export const stateOf = (repo: Repo): readonly Group[] =>
  (JSON.parse(repo.read('.ralph-tasks.json')) as { groups: Group[] }).groups;

/** `complete 1`: the status and the attempts of each group. */
export const statusesIn = (repo: Repo): readonly string[] =>
  stateOf(repo).map(({ status, attempts }) => `${status} ${attempts}`);

type Entry = Readonly<Record<string, unknown>>;

/** Work and notes for one group, with the signal of the document. */
export const doesGroup = (id: number, more: Entry = {}): Entry => ({
  steps: [
    { write: { path: `part-${id}.txt`, text: `part ${id}, attempt {{attempt}}, iteration {{iteration}}\n` } },
    {
      append: {
        path: 'docs/ralph/RALPH_NOTES.md',
        text: `\n## Group ${id}: notes\n\n### What was implemented\nAll.\n`,
      },
    },
  ],
  message: `Done.\n\nRALPH_TASK_COMPLETE: Group ${id}`,
  claim: 'none',
  ...more,
});

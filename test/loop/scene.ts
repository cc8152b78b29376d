/** Short words for plans, scenarios and what came of them. */
import type { Durable, Recorded } from '../../src/events.ts';
import type { Repo } from '../support/repo.ts';

export type Entry = Readonly<Record<string, unknown>>;

export const story = (id: string, more: Entry = {}) => ({ id, title: `Story ${id}`, passes: false, ...more });

/** A plan of these stories; a bare id is a story of its own. */
export const planOf = (...stories: readonly (string | Entry)[]) => ({
  project: 'Shop',
  userStories: stories.map(each => (typeof each === 'string' ? story(each) : each)),
});

/** A scenario: by item, one entry for each process. */
export const play = (items: Readonly<Record<string, Entry | readonly Entry[]>>) => ({ items });

export const writes = (path: string, text = '{{item}}\n', more: Entry = {}): Entry => ({
  steps: [{ write: { path, text } }],
  ...more,
});

/** Does what is asked: a file named after the item. */
export const works: Entry = writes('{{item}}.txt');

/** Steps of shell commands, then a claim. */
export const runs = (...commands: readonly string[]): Entry => ({ steps: commands.map(run => ({ run })) });

/** git as an agent would call it, on a machine without an identity. */
export const GIT = 'git -c user.name=Agent -c user.email=agent@example.org';

export function recordsOf<T extends Durable['type']>(
  repo: Repo,
  type: T,
): readonly Recorded<Extract<Durable, { type: T }>>[] {
  return repo.journal().filter((record): record is Recorded<Extract<Durable, { type: T }>> => record.type === type);
}

/** How many agent processes the newest run has started. */
export const agentsIn = (repo: Repo): number =>
  repo.runs().length === 0 ? 0 : recordsOf(repo, 'agent.started').length;

/** `US-1 accepted`, in order. */
export const verdictsIn = (repo: Repo): readonly string[] =>
  recordsOf(repo, 'iteration.finished').map(({ item, verdict }) => `${item} ${verdict}`);

/** Ids of the stories that are marked done. */
export const doneIn = (repo: Repo): readonly string[] =>
  repo
    .plan()
    .userStories.filter(({ passes }) => passes)
    .map(({ id }) => id);

/** The brief of one iteration of the newest run. */
export const briefOf = (repo: Repo, iteration: number): string =>
  repo.read(`.ralph/runs/${repo.runs()[0] ?? ''}/iterations/${String(iteration).padStart(3, '0')}/brief.md`);

/** `SPEC-1 1 pass`, in order. */
export const reviewsIn = (repo: Repo): readonly string[] =>
  recordsOf(repo, 'review.finished').map(({ item, round, verdict }) => `${item} ${round} ${verdict}`);

/** The brief of one review of the newest run. */
export const reviewBrief = (repo: Repo, review: number): string =>
  repo.read(`.ralph/runs/${repo.runs()[0] ?? ''}/reviews/${String(review).padStart(3, '0')}/brief.md`);

/** The text of a plan of these stories, for a file. */
export const planText = (project: string, ...ids: readonly string[]): string =>
  `${JSON.stringify({ ...planOf(...ids), project })}\n`;

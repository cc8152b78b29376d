/** Plans that a scripted planner writes. */

export interface PlannedStory {
  readonly id: string;
  readonly [key: string]: unknown;
}

export const story = (id: string, more: Readonly<Record<string, unknown>> = {}): PlannedStory => ({
  id,
  title: `Title of ${id}`,
  description: `What ${id} is about.`,
  acceptanceCriteria: [`${id} answers 200`, `${id} refuses nonsense`],
  dependsOn: [],
  verify: [`test -f ${id}.txt`],
  passes: false,
  ...more,
});

/** A sound plan, unless stories are given. */
export const planText = (
  stories: readonly PlannedStory[] = ['US-001', 'US-002', 'US-003', 'US-004', 'US-005'].map(id => story(id)),
) => `${JSON.stringify({ project: 'Vouchers', userStories: stories }, undefined, 2)}\n`;

export const writesPlan = (text: string, path = 'prd.json') => ({ steps: [{ write: { path, text } }], claim: 'none' });

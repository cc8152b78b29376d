/** One repository with a run of each other kind: a sprint, groups, several workers at once, and one whose journal is damaged. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { doesGroup } from '../groups/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const SPRINT = `workflow: build
sprint-id: timetable
goal: Passengers see when the next ferry leaves.
steps:
  - id: read
    prompt: Read the timetable of a harbour
  - id: delays
    prompt: Show delays beside the planned time
  - id: holidays
    prompt: Leave out crossings on holidays
`;
const BUILD = `phases:
  - id: prepare
    prompt: Prepare {{sprint.id}}
  - id: development
    for-each: step
    workflow: step
  - id: release
    prompt: Write the notes of the release
`;
const STEP = `phases:
  - id: plan
    prompt: "Plan: {{step.prompt}}"
  - id: implement
    prompt: "Implement: {{step.prompt}}"
  - id: verify
    prompt: Try it as a passenger would
`;

const GROUPS = ['Ports and crossings', 'Fares by season', 'Seats and cabins', 'Payment by card', 'Receipts by mail'];

const spends = { usage: { input: 12_000, output: 900, cached: 30_000, cost: 0.12 } };
const writes = { steps: [{ write: { path: 'made/{{item}}.txt', text: '{{item}}, attempt {{attempt}}\n' } }, spends] };
const breaks = { steps: [{ write: { path: 'broken', text: '{{item}}\n' } }, spends] };

const stepsOf = (group: number): readonly unknown[] => doesGroup(group)['steps'] as readonly unknown[];

const stories = ['A', 'B', 'C', 'D', 'E'].map(letter => ({
  id: `W-${letter}`,
  title: `Harbour ${letter}: its own departures board`,
  passes: false,
  dependsOn: letter === 'E' ? ['W-A', 'W-B'] : [],
}));
const waits = {
  steps: [
    { say: 'I will read the board of this harbour first.' },
    { tool: { name: 'Read', detail: 'src/board.js' } },
    spends,
    { run: 'until [ -e {outside}/land ]; do sleep 0.1; done' },
    { write: { path: 'made/{{item}}.txt', text: '{{item}}\n' } },
  ],
};

/** A sprint with a phase that was refused once and a blocked one, five groups of which one is blocked, and a run to be damaged. */
export async function kindsOfRuns(): Promise<Repo> {
  const repo = makeRepo({
    files: {
      'sprints/timetable/SPRINT.yaml': SPRINT,
      '.claude/workflows/build.yaml': BUILD,
      '.claude/workflows/step.yaml': STEP,
      'docs/ralph/shared-context.md': '# Ferry: shared context\n\nEverything is about the ferry.\n',
      'docs/ralph/RALPH_NOTES.md': '# RALPH Notes\n',
      ...Object.fromEntries(
        GROUPS.map((title, index) => [
          `docs/ralph/prompts/group-${index + 1}.md`,
          `# Group ${index + 1}: ${title}\n\nDo it.\n`,
        ]),
      ),
      '.gitignore': '.ralph/\n.ralph-tasks.json\n',
      'plans/harbours.json': JSON.stringify({ branchName: 'harbours', userStories: stories }),
      'plans/one.json': JSON.stringify({
        branchName: 'one',
        userStories: [{ id: 'D-1', title: 'A bell', passes: false }],
      }),
    },
    config: { gates: ['test ! -e broken'], limits: { attempts: 3 } },
    scenario: {},
  });
  const scenario = {
    items: {
      1: doesGroup(1),
      2: [doesGroup(2, breaks), doesGroup(2, { steps: [{ delete: 'broken' }, ...stepsOf(2)] })],
      3: doesGroup(3),
      4: { steps: [spends], claim: { blocked: 'no key for the payment service' } },
      5: doesGroup(5),
      'development/delays/implement': [breaks, { steps: [{ delete: 'broken' }, ...writes.steps] }],
      'development/holidays/implement': { steps: [spends], claim: { blocked: 'nobody says which holidays count' } },
      ...Object.fromEntries(stories.map(({ id }) => [id, waits])),
      '*': writes,
    },
  };
  writeFileSync(join(repo.outside, 'scenario.json'), JSON.stringify(scenario).replaceAll('{outside}', repo.outside));
  for (const plan of ['plans/one.json', 'docs/ralph', 'sprints/timetable']) {
    const { code, stderr } = await repo.ralph(['run', plan]);
    if (code !== 0 && code !== 3) throw new Error(`ralph run ${plan}: exit ${code}: ${stderr}`);
  }
  return repo;
}

/** Three agents at work at once, until `outside/land` is there. */
export const manyWorkers = (repo: Repo) => repo.start(['run', 'plans/harbours.json', '--parallel', '3']);

/** A second run whose journal has a byte in its middle that is not what was written. */
export function damage(repo: Repo, run: string): string {
  const damaged = '2020-01-01-damaged';
  const folder = dirname(repo.journalFile(run));
  cpSync(folder, join(dirname(folder), damaged), { recursive: true });
  const file = repo.journalFile(damaged);
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.findIndex(line => line.includes('"type":"verdict"'));
  lines[at] = (lines[at] ?? '').replace('"type":"verdict"', '"type":"verdikt"');
  writeFileSync(file, lines.join('\n'));
  return damaged;
}

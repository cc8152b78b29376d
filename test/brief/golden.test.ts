/**
 * One brief of each plan format, as a person reads it. A change to one of these files is a change to what every agent is
 * told: read the difference. `npx vitest run test/brief/golden.test.ts --update` writes them again.
 */
import { expect, test } from 'vitest';
import { DEFAULT_BUDGET } from '../../src/brief/slots.ts';
import { byteLength } from '../../src/brief/tokens.ts';
import { makeRepo } from '../support/repo.ts';
import { ecosystemRows } from './golden-ecosystems.ts';

interface Row {
  readonly format: string;
  readonly plan: string;
  readonly item: string;
  readonly files: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, unknown>>;
}

const rows: readonly Row[] = [
  {
    format: 'checklist',
    plan: 'PROGRESS.md',
    item: '2.1',
    files: {
      'PROGRESS.md': `---
task: "Port the parser"
test_command: "npm test"
---
# Parser

Ported from Python, module by module.

## Stack

TypeScript, vitest. No other dependency.

## Phase 1: Lexer

- [x] 1.1 Read strings

## Phase 2: Parser

Only after the lexer. Errors carry line and column.

- [ ] 2.1 Parse lists
  Nested to any depth.
  - [ ] an empty list is a list
  verify: \`test -f src/parse-list.ts\`
- [ ] 2.2 Parse maps
`,
      'PROMPT.md': 'Follow docs/style.md. Small functions.\n',
    },
  },
  {
    format: 'prd',
    plan: 'prd.json',
    item: 'US-002',
    config: { gates: ['true'] },
    files: {
      'prd.json': JSON.stringify(
        {
          project: 'shop',
          description: 'Sells books to people who read.',
          techStack: { frontend: 'React', tests: 'vitest' },
          userStories: [
            { id: 'US-001', title: 'Show the cart', passes: true },
            {
              id: 'US-002',
              title: 'Add a book to the cart',
              description: 'As a reader I want to put a book into my cart.',
              acceptanceCriteria: ['The count in the header grows', 'A book that is sold out cannot be added'],
              dependsOn: ['US-001'],
              passes: false,
            },
            { id: 'US-003', title: 'Pay', passes: false },
          ],
        },
        undefined,
        2,
      ),
      'prompt.md': 'Prices are in cents.\n',
    },
  },
  {
    format: 'sprint',
    plan: 'sprints/one',
    item: 'build/one',
    files: {
      'sprints/one/SPRINT.yaml': 'sprint-id: one\ndescription: A faster parser.\ngoal: Twice as fast.\n',
      'sprints/one/PROGRESS.yaml': `sprint-id: one
status: in-progress
current:
  phase: 0
  step: 0
  sub-phase: null
phases:
  - id: build
    status: in-progress
    description: In small steps, each measured.
    steps:
      - id: one
        status: pending
        prompt: Read tokens without copying them.
        verify: test -f bench.txt
      - id: two
        status: pending
        prompt: Drop the second pass.
`,
    },
  },
  {
    format: 'groups',
    plan: 'docs/ralph',
    item: '2',
    config: { gates: ['true'] },
    files: {
      'docs/ralph/shared-context.md':
        '# Shop: RALPH Shared Context\n\nA shop for books.\n\n## Tech Stack\n\nReact, vitest.\n',
      'docs/ralph/prompts/group-1.md': '# Group 1: Cart\n\nBuild the cart.\n',
      'docs/ralph/prompts/group-2.md':
        '---\nverify: test -f pay.ts\n---\n# Group 2: Pay\n\n## What to implement\n\nPay the cart by card.\n',
    },
  },
  {
    format: 'prompt',
    plan: 'PROMPT.md',
    item: 'prompt',
    files: { 'PROMPT.md': '# Port the parser\n\nPort parser.py to TypeScript, with its tests.\n' },
  },
  ...ecosystemRows,
];

test.each(rows)('$format', async ({ format, plan, item, files, config = {} }) => {
  const repo = makeRepo({ config, scenario: { items: {} } });
  for (const [path, text] of Object.entries(files)) repo.write(path, text);
  const { stdout, code, stderr } = await repo.ralph(['brief', item, '--plan', plan]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await expect(stdout).toMatchFileSnapshot(`golden/${format}.md`);
  const most = Object.values(DEFAULT_BUDGET).reduce((sum, tokens) => sum + tokens, 0) - DEFAULT_BUDGET.prompt;
  expect(byteLength(stdout)).toBeLessThan(4 * most);
});

test('a brief is flat with the length of the plan and with 10 MB of documents', async () => {
  const briefWith = async (tasks: number, spec: string) => {
    const lines = Array.from(
      { length: tasks },
      (_, n) => `- [ ] T${String(n + 1).padStart(4, '0')} [US1] Do ${n + 1}\n`,
    );
    const repo = makeRepo({ scenario: { items: {} } });
    repo.write('specs/001-a/tasks.md', `# Tasks: a\n\n## Phase 1\n\n${lines.join('')}`);
    repo.write('specs/001-a/spec.md', spec);
    const { stdout, code } = await repo.ralph(['brief', 'T0003', '--plan', 'specs/001-a/tasks.md']);
    expect(code).toBe(0);
    return byteLength(stdout);
  };
  const story = '### User Story 1 (US1)\n\nA reader fills the cart.\n\n';
  const small = await briefWith(5, story);
  const long = await briefWith(3_000, story);
  const large = await briefWith(5, story + '## US1\n\nMore words about US1 and its cart.\n\n'.repeat(250_000));
  expect(long - small).toBeLessThan(200);
  expect(large - small).toBeLessThan(4 * DEFAULT_BUDGET.documents);
});

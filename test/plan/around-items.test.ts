/** What a plan says around its items: about itself, about a section, in front matter, in a prompt beside it. */
import { describe, expect, test } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import { sprint } from '../../src/plan/sprint.ts';
import type { PlanFiles } from '../../src/protocol.ts';
import { texts } from './texts.ts';

const filesWith = (files: Readonly<Record<string, string>>): PlanFiles => ({
  read: path => files[path],
  isFolder: () => false,
  list: () => [],
});
const noFiles = filesWith({});

const LIST = `---
task: "Port the parser"
test_command: "npm test"
completion_criteria:
  - Every fixture round-trips
---
# Parser

Ported from Python, module by module.

## Stack

TypeScript, vitest.

## Phase 1: Lexer

Tokens first.

\`\`\`
## no heading
- [ ] no box
\`\`\`

### Notes

Keep offsets.

- [x] 1.1 Read strings
  - [ ] with escapes
- [ ] 1.2 Read numbers

## Phase 2: Parser

Only after the lexer.

- [ ] 2.1 Parse lists

## Out of scope

No printer.
`;

describe('a checklist', () => {
  const plan = texts(checklist).parse(LIST, 'PROGRESS.md', noFiles);
  const section = (id: string) => plan.items.find(item => item.id === id)?.section;

  test('says about itself what stands in its front matter, above all boxes and in sections without any', () => {
    expect(plan.about).toBe(
      [
        'Task: Port the parser',
        'The plan is complete when: Every fixture round-trips',
        '# Parser',
        'Ported from Python, module by module.',
        '## Stack',
        'TypeScript, vitest.',
        '## Out of scope',
        'No printer.',
      ].join('\n\n'),
    );
    expect(plan.testCommand).toBe('npm test');
  });

  test('says about an item what stands in its section and the ones around it', () => {
    expect(section('2.1')).toBe('## Phase 2: Parser\n\nOnly after the lexer.');
    expect(section('1.2')).toBe(
      '## Phase 1: Lexer\n\nTokens first.\n\n```\n## no heading\n- [ ] no box\n```\n\n### Notes\n\nKeep offsets.',
    );
  });

  test('a tick moves none of it', () => {
    const marked = texts(checklist).mark(LIST, { id: '1.2', to: 'done' });
    if (!marked.ok) throw new Error(marked.error.message);
    const after = texts(checklist).parse(marked.value, 'PROGRESS.md', noFiles);
    expect(after.items.map(item => item.section)).toEqual(plan.items.map(item => item.section));
  });

  test('takes the prompt beside it, however it is spelled', () => {
    for (const name of ['PROMPT.md', 'prompt.md']) {
      const beside = filesWith({ [`work/${name}`]: 'Use tabs.' });
      expect(texts(checklist).parse(LIST, 'work/PROGRESS.md', beside).instructions).toBe('Use tabs.');
      expect(texts(prd).parse('[{"id":"A"}]', 'work/prd.json', beside).instructions).toBe('Use tabs.');
    }
  });
});

test('a prd says what its fields beside the stories say, and about a story what its phase says', () => {
  const plan = texts(prd).parse(
    JSON.stringify({
      project: 'shop',
      branchName: 'ralph/shop',
      version: '2',
      createdAt: '2026-01-01',
      techStack: { frontend: 'React', tools: ['vite', 'vitest'] },
      architecture: 'Ports and adapters.',
      description: 'Sells books.',
      phases: [
        { name: 'Cart', description: 'Only the cart.', stories: [{ id: 'A', title: 'Add' }] },
        { name: 'Pay', stories: [{ id: 'B', title: 'Pay' }] },
      ],
    }),
    'prd.json',
    noFiles,
  );
  expect(plan.about).toBe(
    'Sells books.\n\nTech stack:\n\n- Frontend: React\n- Tools: vite, vitest\n\nArchitecture: Ports and adapters.',
  );
  expect(plan.items.map(item => item.section)).toEqual(['## Cart\n\nOnly the cart.', '']);
});

test('a sprint says what SPRINT.yaml says about it, and about a step what its phase says', () => {
  const progress = [
    'sprint-id: s1',
    'status: pending',
    'phases:',
    '  - id: build',
    '    status: pending',
    '    description: Build it in small steps.',
    '    steps:',
    '      - id: one',
    '        status: pending',
    '        prompt: Write the lexer.',
    '',
  ].join('\n');
  const files = filesWith({ 's/SPRINT.yaml': 'sprint-id: s1\ndescription: A new parser.\ngoal: Speed.\n' });
  const plan = texts(sprint).parse(progress, 's/PROGRESS.yaml', files);
  expect(plan.about).toBe('Description: A new parser.');
  expect(plan.instructions).toBe('Speed.');
  expect(plan.items[0]?.section).toBe('## build\n\nBuild it in small steps.');
});

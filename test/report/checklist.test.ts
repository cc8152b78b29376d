import { expect, test } from 'vitest';
import { type ChecklistLine, checklistText } from '../../src/report/checklist.ts';
import { displayWidth, wrapText } from '../../src/report/width.ts';

const lines: readonly ChecklistLine[] = [
  { level: 'good', name: 'git', detail: 'git version 2.39.5' },
  {
    level: 'bad',
    name: 'gates',
    detail: 'the repository is red before the first item: `npm test` exited 1\n\n1 of 40 failed\n',
    fix: 'Fix it first, or start anyway with --allow-red (baseline: any in ralph.yaml).',
  },
  {
    level: 'warn',
    name: 'sandbox',
    detail: 'none: the agent can do whatever you can, and HOME, PATH and your other programs can deceive the gates',
  },
];

const screen = (columns?: number): string =>
  `\n${lines.map(line => checklistText(line, { color: false, columns })).join('\n')}\n`;

test('the checklist at 80 columns', () => {
  expect(screen(80)).toBe(`
✓ git        git version 2.39.5
✗ gates      the repository is red before the first item: \`npm test\` exited 1

             1 of 40 failed

             Fix it first, or start anyway with --allow-red (baseline: any in
             ralph.yaml).
! sandbox    none: the agent can do whatever you can, and HOME, PATH and your
             other programs can deceive the gates
`);
});

test('the checklist at 120 columns', () => {
  expect(screen(120)).toBe(`
✓ git        git version 2.39.5
✗ gates      the repository is red before the first item: \`npm test\` exited 1

             1 of 40 failed

             Fix it first, or start anyway with --allow-red (baseline: any in ralph.yaml).
! sandbox    none: the agent can do whatever you can, and HOME, PATH and your other programs can deceive the gates
`);
});

test('in a pipe nothing is wrapped, and in a narrow terminal nothing becomes a ribbon', () => {
  expect(screen().split('\n')).toHaveLength(9);
  expect(screen(30)).toBe(screen());
});

test('a row of a label and words goes on below its words, painted or not', () => {
  const words = 'archives/run-2026-01-08-shop (plan, log and lessons for later runs; git ignores it)';
  const wrapped = `  archive   archives/run-2026-01-08-shop (plan, log and lessons for later runs;
            git ignores it)`;
  expect(wrapText(`  archive   ${words}`, 80)).toBe(wrapped);
  const painted = wrapText(`  \u001b[2marchive   \u001b[22m${words}`, 80).split('\n');
  expect(painted[1]).toBe('            git ignores it)');
  expect(painted.map(displayWidth)).toEqual([79, 27]);
  expect(wrapText('Complete: every item is done.', 20)).toBe('Complete: every item\nis done.');
});

import { describe, expect, it } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import type { OpenPlan } from '../../src/plan/read-file.ts';
import { convertPlan } from '../../src/planning/convert-plan.ts';
import { describeLost } from '../../src/planning/lost.ts';
import type { PlanFormat } from '../../src/protocol.ts';
import { makeRepo } from '../support/repo.ts';

const files = { read: () => undefined, isFolder: () => false, list: () => [] };

function open(format: PlanFormat, text: string): OpenPlan {
  const path = format.name === 'prd' ? 'prd.json' : 'PROGRESS.md';
  const document = format.parse(text, path, files);
  return {
    document,
    plan: document.plan,
    format,
    path,
    decoded: { text, encoding: 'utf8' },
    bytes: Buffer.from(text),
  };
}

function convert(format: PlanFormat, text: string) {
  const converted = convertPlan(open(format, text), format.name === 'prd' ? 'checklist' : 'prd');
  if (!converted.ok) throw new Error(converted.error.message);
  return { ...converted.value, lost: converted.value.lost.map(describeLost) };
}

const stories = (...userStories: readonly object[]) => JSON.stringify({ project: 'Shop', userStories });

describe('prd to checklist', () => {
  it('loses nothing where there is nothing to lose', () => {
    const { text, lost } = convert(
      prd,
      stories(
        {
          id: 'US-001',
          title: 'Done',
          description: 'Two\n\nparagraphs.',
          acceptanceCriteria: ['a', 'b'],
          verify: ['npm test'],
          passes: true,
        },
        {
          id: 'US-002',
          title: 'Blocked',
          acceptanceCriteria: ['c'],
          passes: false,
          status: 'blocked',
          blockedReason: 'no key',
        },
        {
          id: 'US-003',
          title: 'Open',
          description: '- [ ] not a box\nverify: not a command',
          acceptanceCriteria: ['d'],
          passes: false,
        },
      ),
    );
    expect(lost).toEqual([]);
    expect(text).toBe(
      [
        '# Shop',
        '',
        '- [x] US-001: Done',
        '  Two',
        '',
        '  paragraphs.',
        '  - [x] a',
        '  - [x] b',
        '  verify: `npm test`',
        '- [ ] US-002: Blocked [BLOCKED: no key]',
        '  - [ ] c',
        '- [ ] US-003: Open',
        '  > - [ ] not a box',
        '  > verify: not a command',
        '  - [ ] d',
        '',
      ].join('\n'),
    );
  });

  it('lists priorities, dependencies, unknown keys and states of parts, and keeps the order of work', () => {
    const { items, lost } = convert(
      prd,
      JSON.stringify({
        project: 'Shop',
        branchName: 'ralph/shop',
        userStories: [
          { id: 'US-001', title: 'A', priority: 3, passes: false, estimate: 5 },
          { id: 'US-002', title: 'B', priority: 1, dependsOn: ['US-003'], passes: false },
          { id: 'US-003', title: 'C', priority: 2, passes: false, acceptanceCriteria: [{ text: 'x', passes: true }] },
        ],
      }),
    );
    expect(items.map(({ id }) => id)).toEqual(['US-003', 'US-002', 'US-001']);
    expect(lost).toEqual([
      'at the top: branchName',
      '"estimate" of US-001',
      'all but the text in "acceptanceCriteria" of US-003',
      'the priority of US-003, US-002, US-001',
      'the dependencies of US-002',
    ]);
  });

  it('notices an id that a checklist cannot hold', () => {
    expect(convert(prd, stories({ id: 'some id', title: 'A', passes: false })).lost).toEqual([
      'the id of some id',
      'the title of some id',
    ]);
  });
});

describe('checklist to prd', () => {
  it('loses nothing where there is nothing to lose, and comes back the same', () => {
    const text =
      '# Shop\n\nWhat for.\n\n- [ ] US-001: A\n  Some text.\n  - [ ] a\n  verify: `npm test`\n- [x] US-002: B\n';
    const there = convert(checklist, text);
    expect(there.lost).toEqual([]);
    expect(convert(prd, there.text)).toMatchObject({ text, lost: [] });
  });

  it('lists text around the boxes, markers and ticks of parts', () => {
    const { lost } = convert(
      checklist,
      '# Shop\n\n- [x] A [REVIEWED]\n- [ ] B\n  - [x] b\n\nWords.\n\n## Later\n\nMore.\n',
    );
    expect(lost).toEqual([
      'line 3: the marker [REVIEWED]',
      'line 4: 1 of its parts are ticked; the item is open',
      'lines 7-11: Words.',
    ]);
  });
});

describe('ralph convert', () => {
  const plan = { project: 'Shop', userStories: [{ id: 'US-001', title: 'A', priority: 1, passes: false }] };

  it('refuses what would lose something with exit 2 and a list, and does it with --lossy', async () => {
    const repo = makeRepo({ plan });
    const refused = await repo.ralph(['convert', 'prd.json', '--to', 'checklist']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('not carried: the priority of US-001');
    expect(repo.git('status', '--porcelain')).toBe('');
    const { code, stdout } = await repo.ralph(['convert', 'prd.json', '--to', 'checklist', '--lossy']);
    expect(code).toBe(0);
    expect(stdout).toContain('not carried: the priority of US-001');
    expect(repo.read('PROGRESS.md')).toBe('# Shop\n\n- [ ] US-001: A\n');
    expect((await repo.ralph(['convert', 'prd.json', '--to', 'checklist', '--lossy'])).code).toBe(2);
    expect((await repo.ralph(['convert', 'prd.json', '--to', 'checklist', '--lossy', '--force'])).code).toBe(0);
  });

  it.each([
    [['prd.json'], 'needs --to'],
    [['prd.json', '--to', 'prd'], 'this is a prd already'],
    [['prd.json', '--to', 'sprint'], 'cannot write the format "sprint"'],
    [['PROMPT.md', '--to', 'prd'], 'a prompt has no items'],
    [['broken.json', '--to', 'checklist'], 'holds no items'],
  ])('%j', async (args, message) => {
    const repo = makeRepo({ plan, files: { 'PROMPT.md': 'Do it.\n', 'broken.json': '{}' } });
    const { code, stderr } = await repo.ralph(['convert', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

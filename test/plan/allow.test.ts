/** Guards that a person lifts for one item. */
import { describe, expect, it } from 'vitest';
import { groups } from '../../src/plan/groups.ts';
import { compileFolder, sprint } from '../../src/plan/sprint.ts';
import type { Plan } from '../../src/protocol.ts';
import { filesOf } from '../sprint/support.ts';
import { parseList, parsePrd } from './support.ts';
import { texts } from './texts.ts';

describe('allow', () => {
  it('stands in a story, as a list or a single entry', () => {
    const plan = parsePrd([
      { id: 'A', allow: ['test-removed:tests/legacy/**', 'size'] },
      { id: 'B', allow: 'secret:docs/*' },
      { id: 'C' },
    ]);
    expect(plan.items.map(item => item.allow)).toEqual([
      ['test-removed:tests/legacy/**', 'size'],
      ['secret:docs/*'],
      undefined,
    ]);
    expect(plan.problems.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('stands on an indented line of a checklist, and is no part of the text', () => {
    const plan = parseList(
      '- [ ] a\n  allow: test-removed:tests/legacy/**, `size`\n  more words\n- [ ] b\n  allow: users to log in\n  allow: anything\n',
    );
    expect(plan.items.map(item => item.allow)).toEqual([['test-removed:tests/legacy/**', 'size'], undefined]);
    expect(plan.items[0]?.body).toBe('more words');
    expect(plan.items[1]?.body).toBe('allow: users to log in\nallow: anything');
    expect(plan.problems).toEqual([]);
  });

  it.each([
    [['test-remvoed:tests/**'], 'A: allow: there is no guard "test-remvoed"; did you mean "test-removed"?'],
    [['whatever:x'], 'A: allow: there is no guard "whatever"'],
    [['size:src/[a'], 'A: allow: "size:src/[a": Missing closing: "]"'],
    [['size:/etc/**'], 'A: allow: "size:/etc/**": a glob is relative to the top of the repository'],
    [['size:../x'], 'A: allow: "size:../x": a glob cannot leave the repository'],
  ])('with a mistake %j makes the plan one that is not run, and says where', (allow, message) => {
    const plan = parsePrd(`[\n  {"id": "A",\n   "allow": ${JSON.stringify(allow)}}\n]`);
    const [problem] = plan.problems.filter(({ level }) => level === 'error');
    expect(problem?.message).toContain(message);
    expect([problem?.line, problem?.column]).toEqual([3, 13]);
  });

  it('with a mistake in a checklist is an error at its box', () => {
    const [problem] = parseList('# P\n\n- [ ] a\n  allow: test-skp:tests/**\n').problems;
    expect(problem).toMatchObject({ level: 'error', line: 3 });
    expect(problem?.message).toContain('did you mean "test-skip"?');
  });

  it('stands on a step of a sprint, and goes with all of its sub-phases', () => {
    const plan = sprintOf(
      'workflow: flow\nsteps:\n  - prompt: First\n    allow: [test-removed:tests/legacy/**]\n  - Second\n',
    );
    expect(plan.items.map(({ id, allow }) => [id, allow])).toEqual([
      ['all/step-0/implement', ['test-removed:tests/legacy/**']],
      ['all/step-0/check', ['test-removed:tests/legacy/**', 'size']],
      ['all/step-1/implement', undefined],
      ['all/step-1/check', ['size']],
    ]);
    expect(plan.problems).toEqual([]);
  });

  it('with a mistake in a sprint is an error where it stands', () => {
    const plan = texts(sprint).parse(
      'sprint-id: s\nstatus: not-started\nphases:\n  - id: a\n    status: pending\n    prompt: x\n    allow: test-skp\n',
      '/repo/s/PROGRESS.yaml',
      filesOf({}),
    );
    expect(plan.problems).toEqual([
      {
        level: 'error',
        line: 7,
        column: 12,
        message: 'a: allow: there is no guard "test-skp"; did you mean "test-skip"?',
      },
    ]);
  });

  it.each(['test-removed:tests/legacy/**, size', '["test-removed:tests/legacy/**", size]  # by hand'])(
    'stands in the front matter of a group: %s',
    allow => {
      const [first, second] = groupsOf(`---\nallow: ${allow}\n---\n`).items;
      expect(first?.allow).toEqual(['test-removed:tests/legacy/**', 'size']);
      expect(first?.body).not.toContain('allow');
      expect(second?.allow).toBeUndefined();
    },
  );

  it('with a mistake in a group is an error that names the file', () => {
    const errors = groupsOf('---\nallow: whatever:x\n---\n').problems.filter(({ level }) => level === 'error');
    expect(errors.map(({ message }) => message)).toEqual([
      'docs/ralph/prompts/group-1.md: allow: there is no guard "whatever"',
    ]);
  });
});

/** A sprint with a workflow of two phases for each step. */
function sprintOf(text: string): Plan {
  const path = '/repo/s/PROGRESS.yaml';
  const files = filesOf({
    '/repo/.git/HEAD': '',
    '/repo/s/SPRINT.yaml': text,
    '/repo/.claude/workflows/flow.yaml': 'phases:\n  - id: all\n    for-each: step\n    workflow: one\n',
    '/repo/.claude/workflows/one.yaml':
      'phases:\n  - id: implement\n    prompt: Do it\n  - id: check\n    prompt: Check it\n    allow: size\n',
  });
  const compiled = compileFolder(path, files, 0);
  if (!compiled.ok) throw new Error(compiled.error.message);
  return texts(sprint).parse(compiled.value.text, path, files);
}

/** Two groups, of which the first has this above its prompt. */
const groupsOf = (frontMatter: string): Plan =>
  texts(groups).parse(
    '{"groups": []}',
    '/repo/.ralph-tasks.json',
    filesOf({
      '/repo/docs/ralph/shared-context.md': '# Shop\n',
      '/repo/docs/ralph/prompts/group-1.md': `${frontMatter}# Group 1: One\n\nDo it.\n`,
      '/repo/docs/ralph/prompts/group-2.md': '# Group 2: Two\n\nDo it.\n',
    }),
  );

/** Guards that a person lifts for one item. */
import { describe, expect, it } from 'vitest';
import { parseList, parsePrd } from './support.ts';

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
});

import { describe, expect, it, test } from 'vitest';
import { comparePlans } from '../../src/plan/compare.ts';
import { parseList, parsePrd } from './support.ts';

const stories = [
  { id: 'A', title: 'a', passes: false, priority: 1, steps: ['one', 'two'], dependsOn: [] },
  { id: 'B', title: 'b', passes: false, priority: 2, steps: ['three'], description: 'text' },
  { id: 'C', title: 'c', passes: true },
];
const compare = (after: unknown, before: unknown = { project: 'p', stories }) =>
  comparePlans({ given: parsePrd(before), found: parsePrd(after), item: 'A' });
const changed = (index: number, more: object) => ({
  project: 'p',
  stories: stories.map((story, at) => (at === index ? { ...story, ...more } : story)),
});

describe('what an agent did to the plan', () => {
  it('is nothing when nothing changed', () => {
    expect(compare({ project: 'p', stories })).toEqual({ markedOwn: false, added: [], edits: [] });
  });

  it('is a claim when it marked its own item done', () => {
    expect(compare(changed(0, { passes: true }))).toEqual({ markedOwn: true, added: [], edits: [] });
  });

  test.each([
    [changed(1, { passes: true }), 'set B from pending to done'],
    [changed(2, { passes: false }), 'set C from done to pending'],
    [changed(0, { status: 'blocked' }), 'set its own item A from pending to blocked'],
    [changed(0, { steps: ['one'] }), 'changed the criteria of its own item A (2 criteria, now 1)'],
    [changed(1, { steps: ['four'] }), 'changed the criteria of B (1 criterion, now 1)'],
    [changed(1, { title: 'z' }), 'renamed B to "z"'],
    [changed(1, { description: 'other' }), 'changed the text of B'],
    [changed(1, { dependsOn: ['C'] }), 'changed what B depends on'],
    [changed(1, { priority: 0 }), 'changed the priority of B from 2 to 0'],
    [changed(0, { verify: 'true' }), 'changed the check commands of its own item A'],
    [changed(0, { noChange: true }), 'changed whether its own item A needs a change in the tree'],
    [changed(0, { allow: ['size'] }), 'changed which guards are lifted for its own item A'],
    [{ project: 'q', stories }, 'renamed the plan from "p" to "q"'],
    [{ project: 'p', stories: stories.slice(0, 2) }, 'removed C'],
    [{ project: 'p', stories: [stories[1], stories[0], stories[2]] }, 'changed the order of the items'],
    [{ project: 'p', stories: [...stories, { id: 'N', passes: true }] }, 'added N as already done'],
  ])('%#: %s', (after, edit) => {
    expect(compare(after)).toEqual({ markedOwn: false, added: [], edits: [edit] });
  });

  it('reports new open items apart from edits', () => {
    expect(compare({ project: 'p', stories: [...stories, { id: 'N', title: 'n' }] })).toEqual({
      markedOwn: false,
      added: ['N'],
      edits: [],
    });
  });

  it('reports a plan that it broke, and takes no claim from it', () => {
    expect(compare('{"project": "p", "stories": [{]}')).toMatchObject({
      markedOwn: false,
      edits: ['made the plan unreadable: line 1, column 31: expected a property name in double quotes'],
    });
  });

  it('sees one addition where ids come from positions', () => {
    const before = [{ title: 'a' }, { title: 'b' }, { title: 'c' }];
    const after = [{ title: 'a', passes: true }, { title: 'new' }, { title: 'b' }, { title: 'c' }];
    const result = comparePlans({ given: parsePrd(before), found: parsePrd(after), item: 'item-1' });
    expect(result).toEqual({ markedOwn: true, added: ['item-2'], edits: [] });
  });

  const list = '# P\n\nUse tabs.\n\n## Now\n\nQuick ones.\n\n- [ ] a\n- [ ] b\n\n## Later\n\nNothing yet.\n';
  const reworded = (text: string) =>
    comparePlans({ given: parseList(list), found: parseList(text), item: 'a' }).reworded ?? false;
  test.each([
    ['words about the plan', list.replace('tabs', 'spaces'), true],
    ['words of a section', list.replace('Quick ones.', ''), true],
    ['a box in a section without any', `${list}- [ ] c\n`, false],
    ['a section with a box of its own', `${list}\n## Found\n\nOn the way.\n\n- [ ] c\n`, false],
    ['a box, and words in every brief', `${list}- [ ] c\n`.replace('tabs', 'spaces'), true],
    ['its own box', list.replace('[ ] a', '[x] a'), false],
  ])('around the items: %s', (_what, text, expected) => expect(reworded(text)).toBe(expected));

  it('works on checklists too', () => {
    const given = parseList('# P\n- [ ] a\n- [ ] b\n');
    const found = parseList('# P\n- [x] a\n- [ ] b [SKIPPED]\n- [ ] c\n');
    expect(comparePlans({ given, found, item: 'a' })).toEqual({
      markedOwn: true,
      added: ['c'],
      edits: ['set b from pending to skipped'],
    });
  });
});

/** The format alone: what is found, what is read, what is written. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groups } from '../../src/plan/groups.ts';
import type { Mark, Plan, PlanFiles } from '../../src/protocol.ts';
import type { Result } from '../../src/util/result.ts';
import { texts } from '../plan/texts.ts';

const runs = Number(process.env['RALPH_PROPERTY_RUNS'] ?? 500);
const STATE = '/shop/.ralph-tasks.json';
const AT = Date.UTC(2026, 2, 20, 17, 33, 56, 789);

/** Files of a plain object: by path under /shop. */
function filesOf(files: Readonly<Record<string, string>>): PlanFiles {
  const paths = Object.keys(files).map(path => `/shop/${path}`);
  return {
    read: path => files[path.replace(/^\/shop\//, '')],
    isFolder: path => paths.some(other => other.startsWith(`${path}/`)),
    list: path => [
      ...new Set(
        paths
          .filter(other => other.startsWith(`${path}/`))
          .map(other => other.slice(path.length + 1).split('/')[0] ?? ''),
      ),
    ],
  };
}

const prompts = (...numbers: readonly (number | string)[]) =>
  Object.fromEntries(
    numbers.map(n => [`docs/ralph/prompts/group-${n}.md`, `# Group ${n}: Part ${n}\n\nDo part ${n}.\n`]),
  );

const shared = { 'docs/ralph/shared-context.md': '# Shop — RALPH Shared Context\n\nAll about it.\n' };

const got = (result: Result<string>): string => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

/** The plan of these files as it is before anything was run. */
function fresh(files: Readonly<Record<string, string>>): { plan: Plan; text: string; disk: PlanFiles } {
  const disk = filesOf(files);
  const text = got(
    groups.create?.(STATE, disk, AT) ?? { ok: false, error: { reason: 'custom', message: 'no create' } },
  );
  return { plan: texts(groups).parse(text, STATE, disk), text, disk };
}

const messages = ({ problems }: Plan) => problems.map(({ level, message }) => `${level}: ${message}`);

describe('a groups plan', () => {
  test('is found by its folder, its prompts, its shared context and its state file, and by nothing else', () => {
    const disk = filesOf({ ...prompts(1), ...shared, 'src/prompts/group-1.md': 'x', 'docs/ralph/RALPH_NOTES.md': '' });
    for (const path of ['docs/ralph', 'docs/ralph/prompts', 'docs/ralph/shared-context.md', '.ralph-tasks.json']) {
      expect(groups.find(`/shop/${path}`, disk), path).toBe(STATE);
    }
    for (const path of [
      'docs',
      'src',
      'src/prompts',
      'docs/ralph/RALPH_NOTES.md',
      'docs/ralph/prompts/group-1.md',
      'tasks.json',
    ]) {
      expect(groups.find(`/shop/${path}`, disk), path).toBeUndefined();
    }
  });

  test('starts with every group pending, by number, in the documented shape', () => {
    const { text, plan } = fresh({ ...prompts(10, 9, 2, 1), ...shared });
    const pending = (id: number) => ({
      id,
      title: `Part ${id}`,
      status: 'pending',
      attempts: 0,
      started_at: null,
      completed_at: null,
    });
    const state = { groups: [1, 2, 9, 10].map(pending), created_at: '2026-03-20T17:33:56Z' };
    expect(text).toBe(`${JSON.stringify(state, undefined, 2)}\n`);
    expect(plan.items.map(({ id, title, line }) => `${id} ${title} ${line}`)).toEqual([
      '1 Part 1 3',
      '2 Part 2 11',
      '9 Part 9 19',
      '10 Part 10 27',
    ]);
    expect(plan.name).toBe('Shop');
    expect(plan.instructions).toBe(shared['docs/ralph/shared-context.md']);
    expect(plan.items[3]).toMatchObject({
      claimAs: 'Group 10',
      body: '# Group 10: Part 10\n\nDo part 10.\n',
      notes: { path: 'docs/ralph/RALPH_NOTES.md', heading: '## Group 10' },
      dependsOn: [],
    });
  });

  test('takes title, model and effort from the prompt', () => {
    const { plan } = fresh({
      ...shared,
      'docs/ralph/prompts/group-1.md': '---\r\nmodel: opus\r\neffort: "high"\r\n---\r\n# Group 1 — The base\r\n',
      'docs/ralph/prompts/group-2.md': 'No heading here.\n\n---\nmodel: not a setting\n---\n',
      'docs/ralph/prompts/group-3.md': '# Just a title #\n',
    });
    expect(plan.items.map(({ title, model, effort }) => [title, model, effort])).toEqual([
      ['The base', 'opus', 'high'],
      ['Group 2', undefined, undefined],
      ['Just a title', undefined, undefined],
    ]);
    expect(plan.items[0]?.body).toBe('# Group 1 — The base\r\n');
  });

  test('tells of names that are no numbers, of gaps, of a wrong heading and of a missing context', () => {
    const { plan } = fresh({
      ...prompts(2, 4, 'x', '05'),
      'docs/ralph/prompts/group-6.md': '# Group 7: Moved\n',
    });
    expect(messages(plan)).toEqual([
      "warning: docs/ralph/prompts/group-05.md is not read: a group's prompt is named group-<number>.md",
      "warning: docs/ralph/prompts/group-x.md is not read: a group's prompt is named group-<number>.md",
      'warning: docs/ralph/shared-context.md is missing or empty: the groups get no shared context',
      'warning: docs/ralph/prompts has no group 1, 3, 5, but later ones',
      'warning: docs/ralph/prompts/group-6.md is headed "Group 7"; the file\'s name decides',
    ]);
  });

  test('without a prompt is an error, before and after there is a state file', () => {
    const disk = filesOf({ ...shared, ...prompts('x') });
    expect(groups.create?.(STATE, disk, AT)).toMatchObject({ ok: false, error: { reason: 'plan-empty' } });
    expect(messages(texts(groups).parse('{"groups": []}', STATE, disk))[0]).toContain(
      'error: there is no docs/ralph/prompts/group-<number>.md',
    );
  });

  test('tells where the state is of another plan, and where one group was worded anew', () => {
    const parseWith = (...titles: readonly string[]) => {
      const entries = titles.map((title, index) => ({ id: index + 1, title, status: 'complete', attempts: 1 }));
      return texts(groups).parse(
        JSON.stringify({ groups: entries }),
        STATE,
        filesOf({ ...shared, ...prompts(1, 2, 3) }),
      );
    };
    expect(parseWith('Part 1', 'PART 2', 'Part: 3').problems).toEqual([]);
    expect(parseWith('Part 1', 'Refunds', 'Part 3')).toMatchObject({
      error: undefined,
      problems: [{ level: 'warning', message: expect.stringContaining('group 2 was "Refunds" and is "Part 2" now') }],
    });
    const other = parseWith('Skeleton', 'Refunds', 'Docs');
    expect(other.error?.message).toMatch(/the state of another plan: group 1 is "Skeleton" here and "Part 1"/);
    expect(
      texts(groups).parse('{"groups": [{"id": 1, "status": "complete"}]}', STATE, filesOf({ ...shared, ...prompts(1) }))
        .problems,
    ).toEqual([]);
  });

  test('reads a state file of another tool: other words, groups more and less', () => {
    const disk = filesOf({ ...prompts(1, 2, 3), ...shared });
    const state =
      '{"groups": [\n {"id": "2", "status": "COMPLETED", "attempts": 2},\n {"id": 8, "status": "huh"},\n {"id": 2}, "x"]}';
    const plan = texts(groups).parse(state, STATE, disk);
    expect(plan.items.map(({ id, status }) => `${id} ${status}`)).toEqual(['1 pending', '2 done', '3 pending']);
    expect(messages(plan)).toEqual([
      'warning: group 1 is not in the state file; it counts as pending',
      'warning: group 3 is not in the state file; it counts as pending',
      'warning: group 8 is in the state file, but docs/ralph/prompts/group-8.md does not exist',
      'warning: group 8: the status "huh" is not known; it counts as pending',
      'warning: group 2 is listed twice; the first one counts',
      'warning: this group has no number as its "id"; it is left out',
    ]);
  });

  test.each([
    ['', 'the state file is empty'],
    ['{"groups": [', 'the file ends'],
    ['[]', 'no list "groups"'],
    ['{\n<<<<<<< ours\n"groups": []}', 'merge-conflict'],
  ])('with a broken state file %j is an error, and nothing is written into it', (text, message) => {
    const plan = texts(groups).parse(text, STATE, filesOf({ ...prompts(1), ...shared }));
    expect(messages(plan).some(line => line.startsWith('error') && line.includes(message))).toBe(true);
    expect(texts(groups).mark(text, { id: '1', to: 'done' }).ok).toBe(false);
    expect(texts(groups).begin(text, { id: '1', attempt: 1, at: AT }).ok).toBe(false);
  });
});

describe('the state of a group', () => {
  const begin = (text: string, id: string, attempt: number) =>
    got(texts(groups).begin(text, { id, attempt, at: AT }) ?? { ok: false, error: { reason: 'custom', message: '' } });
  const mark = (text: string, wanted: Mark) => got(texts(groups).mark(text, wanted));
  const only = (text: string) => (JSON.parse(text) as { groups: unknown[] }).groups[0];

  test('goes from pending to complete and back', () => {
    const { text } = fresh({ ...prompts(1), ...shared });
    const begun = begin(text, '1', 2);
    const [start, end] = ['2026-03-20T17:33:56Z', '2026-03-20T17:33:57Z'];
    expect(only(begun)).toEqual({
      id: 1,
      title: 'Part 1',
      status: 'in_progress',
      attempts: 2,
      started_at: start,
      completed_at: null,
    });
    const done = mark(begun, { id: '1', to: 'done', at: AT + 1000 });
    expect(only(done)).toMatchObject({ status: 'complete', attempts: 2, started_at: start, completed_at: end });
    expect(only(mark(begun, { id: '1', to: 'pending', again: true }))).toMatchObject({
      status: 'pending',
      attempts: 2,
    });
    expect(only(mark(begun, { id: '1', to: 'blocked' }))).toMatchObject({ status: 'blocked', attempts: 2 });
    expect(only(mark(begun, { id: '1', to: 'skipped' }))).toMatchObject({ status: 'skipped' });
    expect(mark(done, { id: '1', to: 'pending' })).toBe(text);
  });

  test('is put where it belongs when its prompt came later', () => {
    const { text, disk } = fresh({ ...prompts(2, 4), ...shared });
    const ids = (state: string) => (JSON.parse(state) as { groups: { id: number }[] }).groups.map(({ id }) => id);
    let state = text;
    for (const id of ['1', '3', '10']) state = begin(state, id, 1);
    expect(ids(state)).toEqual([1, 2, 3, 4, 10]);
    expect(state).toBe(`${JSON.stringify(JSON.parse(state), undefined, 2)}\n`);
    expect(
      texts(groups)
        .parse(state, STATE, disk)
        .items.map(({ id }) => id),
    ).toEqual(['2', '4']);
    expect(ids(begin('{"groups": []}', '1', 1))).toEqual([1]);
    expect(texts(groups).mark(text, { id: 'x', to: 'done' })).toMatchObject({
      ok: false,
      error: { reason: 'unknown-item' },
    });
  });

  test('a group cannot be added without a prompt', () => {
    expect(texts(groups).append('{}', { id: '3', title: '', body: '', criteria: [] })).toMatchObject({
      ok: false,
      error: { reason: 'cannot-append' },
    });
  });

  test('whatever else is in the file survives any sequence of marks', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.json());
    const group = fc.record({
      title: value,
      status: fc.constantFrom('pending', 'blocked', 'Done', 'odd'),
      extra: value,
    });
    const change = fc.tuple(fc.nat(), fc.constantFrom('done', 'pending', 'blocked', 'skipped', 'begin'));
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 1, maxLength: 5 }),
        fc.array(change),
        fc.constantFrom(undefined, 1, '\t'),
        (list, changes, indent) => {
          const root = {
            before: list,
            groups: list.map((each, index) => ({ id: index + 1, ...each })),
            after: '"groups": []',
          };
          let text = JSON.stringify(root, undefined, indent);
          for (const [at, to] of changes) {
            const id = String((at % list.length) + 1);
            const next = to === 'begin' ? begin(text, id, 1) : mark(text, { id, to, at: AT });
            const again = to === 'begin' ? begin(next, id, 1) : mark(next, { id, to, at: AT });
            expect(again).toBe(next);
            text = next;
          }
          const now = JSON.parse(text) as typeof root;
          expect([now.before, now.after]).toEqual([root.before, root.after]);
          expect(now.groups.map(({ id, title, extra }) => ({ id, title, extra }))).toEqual(
            root.groups.map(({ id, title, extra }) => ({ id, title, extra })),
          );
        },
      ),
      { numRuns: runs },
    );
  });
});

test('the report counts what is complete, pending, blocked and skipped', () => {
  const { text, disk } = fresh({ ...prompts(1, 2, 3, 4), ...shared });
  const marks: readonly Mark[] = [
    { id: '1', to: 'done', at: AT },
    { id: '2', to: 'blocked' },
    { id: '3', to: 'skipped' },
  ];
  const state = marks.reduce((now, wanted) => got(texts(groups).mark(now, wanted)), text);
  const [report] = groups.parse(state, STATE, disk).renderings?.(AT) ?? [];
  expect(report?.path).toBe('docs/ralph/RALPH_REPORT.md');
  expect(report?.text).toBe(`# RALPH Report

Generated: 2026-03-20T17:33:56Z
Groups: 4 total | 1 complete | 1 pending | 1 blocked | 1 skipped

## Status

- ✅ **Group 1**: Part 1
- 🚫 **Group 2**: Part 2
- ⏭️ **Group 3**: Part 3
- ⬜ **Group 4**: Part 4

## Next Steps

Run \`ralph run\` to continue.
Group 2 is blocked: \`ralph status\` says why, \`ralph run --reset 2\` tries it again.
`);
});

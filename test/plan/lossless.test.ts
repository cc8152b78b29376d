import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import type { Item, Mark, PlanFormat } from '../../src/protocol.ts';
import { marked, noFiles, runs } from './support.ts';
import { texts } from './texts.ts';

const words = fc.stringMatching(/^[a-zäß日"\\ {}[\],:-]{1,12}$/);
const to = fc.constantFrom<Mark['to'][]>('done', 'pending', 'blocked', 'skipped');
const marks = fc.array(fc.tuple(fc.nat(), to, fc.option(words, { nil: undefined })), { minLength: 1, maxLength: 6 });
const eol = fc.constantFrom('\n', '\r\n');

const state = fc.oneof(
  fc.record({ passes: fc.boolean() }),
  fc.record({ status: fc.constantFrom('todo', 'done', 'in_progress', 'completed', 'blocked') }),
  fc.record({ passes: fc.constant(false), status: fc.constantFrom('open', 'in-progress') }),
  fc.record({ completed: fc.boolean() }),
  fc.constant({}),
);
const extra = fc.dictionary(fc.stringMatching(/^x[a-z]{0,3}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
const story = fc.tuple(extra, state, extra).map(([before, own, after]) => ({ ...before, ...own, ...after }));

const prdText = fc
  .record({
    stories: fc.array(story, { minLength: 1, maxLength: 6 }),
    bare: fc.boolean(),
    indent: fc.constantFrom('', '  ', '    ', '\t'),
    eol,
    last: fc.constantFrom('', '\n'),
    top: extra,
  })
  .map(({ stories, bare, indent, eol: end, last, top }) => {
    const named = stories.map((one, index) => ({ id: `S${index}`, ...one }));
    const text = JSON.stringify(bare ? named : { ...top, userStories: named }, null, indent) + last;
    return text.replaceAll('\n', end);
  });

const listText = fc
  .record({
    lines: fc.array(
      fc.tuple(
        fc.constantFrom('- ', '* ', '1. ', '  - ', '-   '),
        fc.constantFrom('[ ]', '[x]', '[X]', '[~]', '[-]', '[]'),
        fc.stringMatching(/^[a-z]{3,8}( [a-z~*`[\]]{1,6})?$/),
        fc.constantFrom('', ' [REVIEWED]', ' [BLOCKED: x]', ' [NEEDS-FIX]', '  '),
        fc.constantFrom('', '\n  under', '\n\n## head', '\n```\n- [ ] no\n```', '\n    - [ ] inner'),
      ),
      { minLength: 1, maxLength: 8 },
    ),
    eol,
    last: fc.constantFrom('', '\n'),
  })
  .map(({ lines, eol: end, last }) => {
    const text = lines.map(([bullet, box, title, marker, under]) => `${bullet}${box} ${title}${marker}${under}`);
    return (text.join('\n') + last).replaceAll('\n', end);
  });

/** Every mark reads back as made, and touches no other item and no line outside its own. */
function checkMarks(
  format: PlanFormat,
  text: string,
  sequence: readonly (readonly [number, Mark['to'], string | undefined])[],
) {
  let now = text;
  for (const [pick, wanted, note] of sequence) {
    const before = texts(format).parse(now, 'plan', noFiles);
    const item = before.items[pick % before.items.length];
    if (item === undefined) return;
    const next = marked(format, now, { id: item.id, to: wanted, ...(note !== undefined && { note }) });
    const after = texts(format).parse(next, 'plan', noFiles);
    expect(after.items.find(({ id }) => id === item.id)?.status).toBe(wanted);
    const rest = (plan: typeof before) =>
      plan.items.filter(({ id }) => id !== item.id).map(one => ({ ...one, line: 0 }));
    expect(rest(after)).toEqual(rest(before));

    const oldLines = now.split('\n');
    const newLines = next.split('\n');
    const following = before.items.find(({ line }) => line > item.line)?.line ?? oldLines.length + 1;
    expect(newLines.slice(0, item.line - 1)).toEqual(oldLines.slice(0, item.line - 1));
    const tail = oldLines.length - following + 1;
    expect(newLines.slice(newLines.length - tail)).toEqual(oldLines.slice(oldLines.length - tail));
    now = next;
  }
}

it('marks in any prd.json change only the marked story', () => {
  fc.assert(
    fc.property(prdText, marks, (text, sequence) => checkMarks(prd, text, sequence)),
    { numRuns: runs },
  );
});

it('marks in any checklist change only the marked line', () => {
  fc.assert(
    fc.property(listText, marks, (text, sequence) => checkMarks(checklist, text, sequence)),
    { numRuns: runs },
  );
});

it('marking and unmarking a pending story with passes gives the same bytes', () => {
  fc.assert(
    fc.property(prdText, fc.nat(), to, words, (text, pick, wanted, note) => {
      const plan = texts(prd).parse(text, 'prd.json', noFiles);
      const item = plan.items[pick % plan.items.length];
      if (item?.status !== 'pending' || text.includes('"status"') || !hasPasses(text, item.id)) return;
      const there = marked(prd, text, { id: item.id, to: wanted, note });
      expect(marked(prd, there, { id: item.id, to: 'pending' })).toBe(text);
    }),
    { numRuns: runs },
  );
});

it('marking and unmarking an open box gives the same bytes', () => {
  fc.assert(
    fc.property(listText, fc.nat(), to, words, (text, pick, wanted, note) => {
      const plan = texts(checklist).parse(text, 'plan.md', noFiles);
      const item = plan.items[pick % plan.items.length];
      if (item?.status !== 'pending' || /\[NEEDS-FIX\]|\[\] /.test(text.split('\n')[item.line - 1] ?? '')) return;
      const there = marked(checklist, text, { id: item.id, to: wanted, note });
      expect(marked(checklist, there, { id: item.id, to: 'pending' })).toBe(text);
    }),
    { numRuns: runs },
  );
});

it('a new item changes nothing that was there', () => {
  const check = (format: PlanFormat) => (text: string, title: string, body: string, criterion: string) => {
    const before = texts(format).parse(text, 'plan', noFiles);
    const result = texts(format).append(text, { id: 'FIX-1', title: `fix ${title}`, body, criteria: [criterion] });
    if (!result.ok) throw new Error(result.error.message);
    const after = texts(format).parse(result.value, 'plan', noFiles);
    // A box outside its section makes what was said about all of them something said about some.
    const own = ({ section: _, ...item }: Item) => item;
    expect(after.items.slice(0, -1).map(own)).toEqual(before.items.map(own));
    expect(after.items.at(-1)).toMatchObject({ id: 'FIX-1', status: 'pending', verify: [] });
  };
  fc.assert(fc.property(prdText, words, fc.string(), fc.string(), check(prd)), { numRuns: runs });
  fc.assert(fc.property(listText, fc.constant('it'), fc.string(), fc.string(), check(checklist)), { numRuns: runs });
});

function hasPasses(text: string, id: string): boolean {
  const root: unknown = JSON.parse(text);
  const list = Array.isArray(root) ? root : (root as { userStories: unknown[] }).userStories;
  return list.some(one => (one as { id: string }).id === id && Object.hasOwn(one as object, 'passes'));
}

import * as fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import { describe, expect, it } from 'vitest';
import { formats } from '../../src/plan/formats.ts';
import { parseJson } from '../../src/plan/json.ts';
import { scanMarkdown } from '../../src/plan/markdown.ts';
import { noFiles, runs } from './support.ts';
import { texts } from './texts.ts';

const seeds = [
  '{"project":"p","userStories":[{"id":"A","passes":false,"status":"todo","dependsOn":["B"]},{"id":"B","passes":true}]}',
  '[\n  {"id": 1, "steps": ["a", {"text": "b"}], "priority": "high"},\n  {"description": "x"}\n]\n',
  '---\na: 1\n---\n# Plan\n\n- [ ] T001 a [BLOCKED: x]\n  - [x] b\n  verify: `c`\n\n```\n- [ ] d\n```\n<!-- e\n-->\n1. [X] ~~f~~ (g)\n',
];

/** A plan with a few pieces cut out, doubled or replaced, as agents and editors do it. */
const mutated = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat({ max: 12 }),
        fc.constantFrom('', '{', '}', ',', '"', '- [ ] ', '\n', '```', '<!--', '\t', '[', '\\'),
      ),
    ),
  )
  .map(([seed, edits]) =>
    edits.reduce((text, [at, length, put]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    }, seed),
  );
const anything = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array().map(bytes => Buffer.from(bytes).toString('latin1')),
  fc.json(),
  fc
    .array(
      fc.constantFrom(
        '- ',
        '[ ] ',
        '[x] ',
        'a',
        '\n',
        '  ',
        '\t',
        '```',
        '> ',
        '<!--',
        '-->',
        '#',
        '1. ',
        '~~',
        '[BLOCKED]',
        '**',
      ),
    )
    .map(parts => parts.join('')),
  mutated,
);

describe('whatever the text', () => {
  it('no format throws, and a plan without items has an error', () => {
    fc.assert(
      fc.property(anything, text => {
        for (const format of formats) {
          const plan = texts(format).parse(text, 'plan', noFiles);
          if (plan.items.length === 0) expect(plan.problems.some(({ level }) => level === 'error')).toBe(true);
          expect(plan.ids).toEqual(plan.items.map(({ id }) => id));
          expect(plan.error).toEqual(plan.problems.find(({ level }) => level === 'error'));
          expect(new Set(plan.ids).size).toBe(plan.items.length);
          const lines = text.split('\n').length;
          for (const { line, column } of [
            ...plan.problems,
            ...plan.items.map(item => ({ line: item.line, column: 1 })),
          ]) {
            expect(line >= 1 && line <= lines && column >= 1).toBe(true);
          }
          for (const id of ['no such item', plan.items[0]?.id ?? '']) {
            for (const to of ['done', 'pending', 'blocked', 'skipped'] as const)
              texts(format).mark(text, { id, to, note: text });
          }
          texts(format).append(text, { id: 'FIX-1', title: text, body: text, criteria: [text] });
        }
      }),
      { numRuns: runs },
    );
  });

  it('JSON is accepted exactly when JSON.parse accepts it', () => {
    fc.assert(
      fc.property(anything, text => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(parseJson(text).ok).toBe(valid);
      }),
      { numRuns: runs },
    );
  });
});

interface Node {
  readonly type: string;
  readonly checked?: boolean | null;
  readonly position?: { readonly start: { readonly line: number } };
  readonly children?: readonly Node[];
}

/** Lines of the task items that no other task item contains, as a whole Markdown parser sees them. */
function referenceBoxes(text: string): readonly string[] {
  const walk = (node: Node): readonly string[] => {
    const own = node.type === 'listItem' && typeof node.checked === 'boolean';
    if (own) return [`${node.position?.start.line} ${node.checked}`];
    return node.type === 'blockquote' ? [] : (node.children ?? []).flatMap(walk);
  };
  const options = { extensions: [gfmTaskListItem()], mdastExtensions: [gfmTaskListItemFromMarkdown()] };
  return walk(fromMarkdown(text, options) as Node);
}

it('the boxes are those of a whole Markdown parser', () => {
  const block = fc.constantFrom(
    '- [ ] a\n',
    '- [x] b\n  text\n',
    '* [X] c\n\n  more\n',
    '1. [ ] d\n   - [x] inner\n',
    '- plain\n  - [ ] e\n    - [x] inner\n',
    '- plain\n\n  - [ ] f\n',
    '```\n- [ ] no\n```\n',
    '- [ ] g\n  ```\n  - [ ] no\n  ```\n',
    '~~~~\n- [ ] no\n~~~\n~~~~\n',
    '<!--\n- [ ] no\n-->\n',
    '# head\n',
    'words\n',
    'words\n\n    - [ ] no\n',
    '\n',
    '---\n',
    '> - [ ] no\n\n',
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), parts => {
      // A heading first keeps a leading rule from being front matter, which the reference does not know.
      const text = `# plan\n${parts.join('')}`;
      const ours = scanMarkdown(text).boxes.map(({ line, mark }) => `${line} ${mark === 'x' || mark === 'X'}`);
      expect(ours).toEqual(referenceBoxes(text));
    }),
    { numRuns: runs },
  );
});

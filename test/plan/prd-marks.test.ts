import { describe, expect, it, test } from 'vitest';
import { prd } from '../../src/plan/prd.ts';
import { priorityOf } from '../../src/plan/prd-fields.ts';
import type { Mark } from '../../src/protocol.ts';
import { marked, parsePrd } from './support.ts';
import { texts } from './texts.ts';

const mark = (text: string, to: Mark['to'], more: Partial<Mark> = {}) => marked(prd, text, { id: 'A', to, ...more });

describe('marks change the state and nothing else', () => {
  test.each<[string, Mark['to'], string]>([
    ['[{"id":"A", "passes" :false , "x":1}]', 'done', '[{"id":"A", "passes" :true , "x":1}]'],
    ['[{"id":"A","passes":true}]', 'pending', '[{"id":"A","passes":false}]'],
    ['[{"id":"A","passes":"no"}]', 'done', '[{"id":"A","passes":true}]'],
    ['[{"id":"A","passes":null}]', 'done', '[{"id":"A","passes":true}]'],
    ['[{"id":"A","passes":false,"passes":false}]', 'done', '[{"id":"A","passes":false,"passes":true}]'],
    ['[{"id":"A","status":"pending"}]', 'done', '[{"id":"A","status":"done"}]'],
    ['[{"id":"A","status":"Pending"}]', 'done', '[{"id":"A","status":"Done"}]'],
    [
      '[{"id":"A","status":"pending"},{"id":"B","status":"completed"}]',
      'done',
      '[{"id":"A","status":"completed"},{"id":"B","status":"completed"}]',
    ],
    [
      '[{"id":"A","status":"done"},{"id":"B","status":"not_started"}]',
      'pending',
      '[{"id":"A","status":"not_started"},{"id":"B","status":"not_started"}]',
    ],
    ['[{"id":"A","status":"in_progress","passes":false}]', 'done', '[{"id":"A","status":"done","passes":true}]'],
    ['[{"id":"A","completed":false}]', 'done', '[{"id":"A","completed":true}]'],
    ['[{"id":"A","passes":false,"completed":false}]', 'done', '[{"id":"A","passes":true,"completed":true}]'],
    ['[{"id":"A","passes":false,"skipped":true}]', 'pending', '[{"id":"A","passes":false,"skipped":false}]'],
    ['[{"id":"A","passes":false,"skipped":false}]', 'skipped', '[{"id":"A","passes":false,"skipped":true}]'],
    ['[{"id":"A"}]', 'done', '[{"id":"A", "passes": true}]'.replace(', "passes": ', ', "passes":')],
    ['[{ "id": "A", "title": "t" }]', 'done', '[{ "id": "A", "title": "t", "passes": true }]'],
    [
      '[{"id":"A"},{"id":"B","status":"settled"},{"id":"C","status":"done"}]',
      'done',
      '[{"id":"A", "status":"done"},{"id":"B","status":"settled"},{"id":"C","status":"done"}]',
    ],
    ['[{"id":"A","passes":"cancelled"}]', 'skipped', '[{"id":"A","passes":"cancelled"}]'],
    ['[{"id":"A","passes":"cancelled"}]', 'pending', '[{"id":"A","passes":false}]'],
    ['[{"id":"A"}]', 'pending', '[{"id":"A"}]'],
    ['[{"id":"A","state":"todo"}]', 'done', '[{"id":"A","state":"done"}]'],
    ['[{"id":"A","state":"todo"}]', 'blocked', '[{"id":"A","state":"blocked"}]'],
    [
      '[{"id":"A"},{"id":"B","state":"completed"}]',
      'done',
      '[{"id":"A", "state":"completed"},{"id":"B","state":"completed"}]',
    ],
    ['[{"id":"A","state":"Ohio"}]', 'done', '[{"id":"A","state":"Ohio","passes":true}]'],
    ['[{"id":"A","isDone":false}]', 'done', '[{"id":"A","isDone":true}]'],
    ['[{"id":"A","tested":true}]', 'done', '[{"id":"A","tested":true,"passes":true}]'],
    ['{"master":{"tasks":[{"id":"A","done":false}]}}', 'done', '{"master":{"tasks":[{"id":"A","done":true}]}}'],
  ])('%s to %s', (before, to, after) => {
    expect(mark(before, to)).toBe(after);
    expect(parsePrd(after).items[0]?.status).toBe(to);
  });

  it('inserts with the indentation and line ends of the neighbours', () => {
    const before = '[\r\n\t{\r\n\t\t"id": "A",\r\n\t\t"title": "t"\r\n\t}\r\n]';
    expect(mark(before, 'done')).toBe(
      '[\r\n\t{\r\n\t\t"id": "A",\r\n\t\t"title": "t",\r\n\t\t"passes": true\r\n\t}\r\n]',
    );
  });

  it('blocks with a reason and takes both out again', () => {
    const before =
      '{\n  "userStories": [\n    {\n      "id": "A",\n      "passes": false\n    },\n    { "id": "B", "passes": true }\n  ]\n}\n';
    const blocked = mark(before, 'blocked', { note: 'needs "a" key' });
    expect(blocked).toBe(
      before.replace(
        '"passes": false',
        '"passes": false,\n      "status": "blocked",\n      "blockedReason": "needs \\"a\\" key"',
      ),
    );
    expect(parsePrd(blocked).items[0]).toMatchObject({ status: 'blocked', note: 'needs "a" key' });
    expect(mark(blocked, 'pending')).toBe(before);
    expect(mark(blocked, 'done')).toBe(before.replace('"passes": false', '"passes": true'));
    const skipped = mark(blocked, 'skipped');
    expect(parsePrd(skipped).items[0]?.status).toBe('skipped');
    expect(mark(skipped, 'pending')).toBe(before);
  });

  it('keeps a status field that belongs to the file, and empties a reason that does', () => {
    const before = '[{"id":"A","status":"todo","blockedReason":""},{"id":"B","status":"todo","blockedReason":""}]';
    const blocked = mark(before, 'blocked', { note: 'why' });
    expect(blocked).toBe(before.replace('"todo","blockedReason":""', '"blocked","blockedReason":"why"'));
    expect(mark(blocked, 'pending')).toBe(before);
  });

  it('finds the second of two stories with the same id', () => {
    const before = '[{"id":"A","passes":false},{"id":"A","passes":false}]';
    expect(marked(prd, before, { id: 'A#2', to: 'done' })).toBe('[{"id":"A","passes":false},{"id":"A","passes":true}]');
  });
});

describe('a new story looks like its neighbours', () => {
  const item = { id: 'FIX-1', title: 'Fix it', body: 'it "fails"\nhard', criteria: ['green', 'fast'] };
  const append = (text: string) => {
    const result = texts(prd).append(text, item);
    return result.ok ? result.value : result.error.reason;
  };

  it.each([
    ['"high"', '"high"'],
    ['"P1"', '"P1"'],
    ['1', '1'],
    ['7', '1'],
  ])('keeps its priority, which %s in the plan makes %s', (theirs, expected) => {
    const text = `[{"id":"A","title":"t","priority":${theirs},"passes":false}]`;
    const priority = theirs === '7' ? 1 : priorityOf(JSON.parse(theirs));
    const added = texts(prd).append(text, { ...item, ...(priority !== undefined && { priority }) });
    expect(added.ok && added.value).toContain(`"priority": ${expected}, "passes": false}]`);
    expect(append(text)).not.toContain('"priority": ');
  });

  it('on lines of its own', () => {
    const before =
      '{\n  "project": "p",\n  "stories": [\n    {\n      "id": "A",\n      "name": "t",\n      "steps": ["a"],\n      "passes": true\n    }\n  ]\n}';
    const expected = `,
    {
      "id": "FIX-1",
      "name": "Fix it",
      "description": "it \\"fails\\"\\nhard",
      "steps": [
        "green",
        "fast"
      ],
      "passes": false
    }`;
    expect(append(before)).toBe(before.replace('true\n    }', `true\n    }${expected}`));
  });

  it('on one line, in status words, with CRLF', () => {
    const before = '[\r\n  {"id": "A", "status": "done"},\r\n  {"id": "B", "status": "open"}\r\n]\r\n';
    const added =
      '{"id": "FIX-1", "title": "Fix it", "description": "it \\"fails\\"\\nhard", "acceptanceCriteria": ["green","fast"], "status": "open"}';
    expect(append(before)).toBe(before.replace('"open"}', `"open"},\r\n  ${added}`));
  });

  it('goes into the last nested list', () => {
    const before = { phases: [{ tasks: [{ id: 'A', passes: true }] }, { tasks: [{ id: 'B', passes: true }] }] };
    const after = append(JSON.stringify(before));
    expect(JSON.parse(after)).toMatchObject({
      phases: [{ tasks: [{}] }, { tasks: [{}, { id: 'FIX-1', passes: false }] }],
    });
  });

  it('refuses an id that is taken', () => {
    expect(append('[{"id":"FIX-1"}]')).toBe('duplicate-item');
  });
});
